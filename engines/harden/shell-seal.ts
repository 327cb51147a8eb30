import { createHash } from 'node:crypto'
import type { HardenLog } from './hardening.ts'
import type { SeededRandom } from './seeded-random.ts'

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data)

/** The seal of the dex file of the checks, which cannot hold its own hash (engines/harden/runtime/shell.smali compares it). */
export class ShellSeal {
  /** The entry that has the seal. */
  readonly entry: string
  /** Hexadecimal, in that dex file. */
  readonly key: string

  constructor(random: SeededRandom) {
    this.entry = `assets/${random.letters(9)}`
    this.key = random.bytes(32).toString('hex')
  }

  of(dex: Uint8Array): Uint8Array {
    return sha256(this.key + sha256(dex).digest('hex')).digest()
  }
}

/** Entries with their hashes, as the runtime reads them. */
export function partList(parts: Iterable<{ readonly name: string; readonly content: Uint8Array }>): string {
  let list = ''
  for (const { name, content } of parts) list += `${name} ${sha256(content).digest('hex')}\n`
  return list
}

/** `parts`: entries that the dex file of the checks knows by their hash, `libraries` of which are the interpreter's. */
export function reportShell(parts: number, libraries: number, log: HardenLog): void {
  const dexFiles = parts - libraries + 1
  log.applied('shell_protection', '', '', 'parts of the shell are compared when a process starts', parts + 1)
  log.applied('shell_protection', '', '', 'dex files of the shell differ in names, texts and code', dexFiles)
  log.skipped('shell_protection', '', '', 'the machine code of the interpreter is that of other builds', libraries)
}
