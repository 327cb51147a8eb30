import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FUZZ_SEEDS } from './fuzz-seeds.ts'

/** Small files that were once found to reach code that others do not; they are tried first ever after. */
const FOLDER = fileURLToPath(new URL('./inputs/', import.meta.url))
const MOST_FILES = 20
const MOST_BYTES = 16 * 1024

export function keptInputs(target: string): Uint8Array[] {
  const folder = join(FOLDER, target)
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => new Uint8Array(readFileSync(join(folder, name))))
    : []
}

/** Replaces the kept inputs of a parser by the first of these, each of which reached something that those before it did not. */
export function keepInputs(target: string, inputs: readonly Uint8Array[]): number {
  const folder = join(FOLDER, target)
  const made = new Set((FUZZ_SEEDS[target] ?? []).map(nameOf))
  const chosen = inputs.filter((input) => input.length <= MOST_BYTES && !made.has(nameOf(input))).slice(0, MOST_FILES)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const input of chosen) writeFileSync(join(folder, nameOf(input)), input)
  return chosen.length
}

/** Writes a failing input where it can be found and sent along. */
export function saveFailure(folder: string, target: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${target}-${nameOf(input)}`)
  writeFileSync(path, input)
  return path
}

const nameOf = (input: Uint8Array): string => createHash('sha256').update(input).digest('hex').slice(0, 16)
