import { closeSync, cpSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A copy of the journal as it lies on disk while the product writes it. */
export function copyJournal(dataFolder: string): void {
  rmSync(copyOf(dataFolder), { recursive: true, force: true })
  cpSync(journalOf(dataFolder), copyOf(dataFolder), { recursive: true })
}

/** Puts the copy in place of the journal; the product must not run. */
export function putBackJournal(dataFolder: string): void {
  rmSync(journalOf(dataFolder), { recursive: true })
  cpSync(copyOf(dataFolder), journalOf(dataFolder), { recursive: true })
  rmSync(copyOf(dataFolder), { recursive: true })
}

/** Flips one bit in the first half of the newest segment; the product must not run. Answers what it did. */
export function flipBit(dataFolder: string, random: () => number): string {
  const name = readdirSync(journalOf(dataFolder))
    .filter((one) => one.endsWith('.journal') && statSync(join(journalOf(dataFolder), one)).size > 0)
    .sort()
    .at(-1) as string
  const path = join(journalOf(dataFolder), name)
  const at = Math.floor((random() * statSync(path).size) / 2)
  const byte = Buffer.alloc(1)
  const file = openSync(path, 'r+')
  readSync(file, byte, 0, 1, at)
  byte[0] = (byte[0] as number) ^ (1 << Math.floor(random() * 8))
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
  return `${name} byte ${at}`
}

function journalOf(dataFolder: string): string {
  return join(dataFolder, 'journal')
}

function copyOf(dataFolder: string): string {
  return join(dataFolder, 'journal-copy')
}
