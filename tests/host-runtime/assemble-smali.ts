import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Parts of a text with several classes, each from its `.class` on. Comments before the first are dropped. */
export function classesOf(text: string): string[] {
  return text.split(/^(?=\.class )/m).filter((part) => part.startsWith('.class'))
}

/**
 * Assembles classes to one dex file with the smali of the package libsmali-java. `api`: the Android version whose instructions and file
 * format are allowed; 29 gives format 039.
 */
export function assembleSmali(classes: readonly string[], api = 29): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'aw-smali-'))
  try {
    for (const [i, text] of classes.entries()) writeFileSync(join(folder, `${i}.smali`), text)
    const out = join(folder, 'out.dex')
    const { status, stdout, stderr } = spawnSync('smali', ['assemble', '--api', String(api), '-o', out, folder], {
      encoding: 'utf8',
    })
    // It ends with status 0 after errors, too.
    if (status !== 0 || !existsSync(out))
      throw new Error(`smali: ${(stderr + stdout).replaceAll(`${folder}/`, '').slice(0, 4000)}`)
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
