import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What node:fs of every process of the product answers below a folder. */
export type FileFault = { folder: string; code: 'ENOSPC' | 'EROFS' | 'EIO' }

/** Steers fault-layer.mjs in the processes that were started with `env`. */
export type FaultControl = {
  env: Record<string, string>
  files(fault: FileFault | null): void
  /** Milliseconds that the clock of the product's processes is ahead of the true one. */
  clock(milliseconds: number): void
  /** The first call that failed since the last call of `files`; undefined where none did yet. */
  hit(): string | undefined
  remove(): void
}

export function faultControl(): FaultControl {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-fault-'))
  const file = join(folder, 'control.json')
  const hitFile = `${file}.hit`
  const state: { files: FileFault | null; clockMs: number } = { files: null, clockMs: 0 }
  const write = () => {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  }
  write()
  const layer = pathToFileURL(join(import.meta.dirname, 'fault-layer.mjs'))
  return {
    env: { FAULT_CONTROL: file, NODE_OPTIONS: `--import=${layer}` },
    files(fault) {
      rmSync(hitFile, { force: true })
      state.files = fault
      write()
    },
    clock(milliseconds) {
      state.clockMs = milliseconds
      write()
    },
    hit: () => (existsSync(hitFile) ? readFileSync(hitFile, 'utf8') : undefined),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
