// Assembles the classes that reinforcement adds to a package (engines/harden/runtime, shell and files) with the smali of the package libsmali-java.
//   node scripts/build-harden-runtime.mjs
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folderOf = (part) => fileURLToPath(new URL(`../engines/harden/${part}/`, import.meta.url))
/** The first version of Android that loads every dex file of a package; it reads format 035. */
const API = 21

/**
 * @param {'runtime' | 'shell' | 'files'} part
 * @returns {Buffer} the dex file of its sources
 */
export function assemblePart(part) {
  const made = mkdtempSync(join(tmpdir(), 'aw-runtime-'))
  try {
    const out = join(made, 'runtime.dex')
    // With several jobs the order of what it writes differs from run to run.
    execFileSync('smali', ['assemble', '--jobs', '1', '--api', String(API), '-o', out, folderOf(part)])
    return readFileSync(out)
  } finally {
    rmSync(made, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const part of ['runtime', 'shell', 'files'])
    writeFileSync(
      join(folderOf(part), `${part}-dex.generated.json`),
      `${JSON.stringify({ dex: assemblePart(part).toString('base64') })}\n`,
    )
