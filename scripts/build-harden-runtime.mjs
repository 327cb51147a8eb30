// Assembles the classes that reinforcement adds to a package (engines/harden/runtime, shell, files and preferences) with the smali of the package libsmali-java.
//   node scripts/build-harden-runtime.mjs
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folderOf = (part) => fileURLToPath(new URL(`../engines/harden/${part}/`, import.meta.url))
/** The first version of Android that loads every dex file of a package; it reads format 035. */
const API = 21

/**
 * @param {readonly string[]} folders with a class in each file
 * @param {number} api the Android version whose instructions and file format are allowed
 * @returns {Buffer} one dex file of all sources in the folders
 */
export function assembleFolders(folders, api) {
  const made = mkdtempSync(join(tmpdir(), 'aw-smali-'))
  try {
    const out = join(made, 'classes.dex')
    // Code is written in the order of the files, which a folder does not have by itself; with several jobs it differs from run to run.
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    const sources = files.filter((file) => file.endsWith('.smali')).sort()
    execFileSync('smali', ['assemble', '--jobs', '1', '--api', String(api), '-o', out, ...sources])
    return readFileSync(out)
  } finally {
    rmSync(made, { recursive: true })
  }
}

/**
 * @param {'runtime' | 'shell' | 'files' | 'preferences'} part
 * @returns {Buffer} the dex file of its sources
 */
export const assemblePart = (part) => assembleFolders([folderOf(part)], API)

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const part of ['runtime', 'shell', 'files', 'preferences'])
    writeFileSync(
      join(folderOf(part), `${part}-dex.generated.json`),
      `${JSON.stringify({ dex: assemblePart(part).toString('base64') })}\n`,
    )
