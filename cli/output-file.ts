import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writevSync } from 'node:fs'
import { UsageError } from './usage-error.ts'

/** Pieces of one call of writev: systems take at most 1024. */
const MOST_PIECES = 1000

/**
 * A file that appears under its name only when it is whole and was found good: written beside it under a temporary name, kept by `keep`,
 * deleted by `discard`.
 */
export class OutputFile {
  readonly path: string
  readonly temporary: string
  private readonly replace: boolean
  private open = true

  /** With `replace` false a file of that name is not written over. Throws what the system says. */
  constructor(path: string, pieces: readonly Uint8Array[], { mode = 0o644, replace = true } = {}) {
    this.path = path
    this.temporary = temporaryName(path)
    this.replace = replace
    if (!replace && existsSync(path)) throw new UsageError(`${path} exists`)
    const file = openSync(this.temporary, 'wx', mode)
    try {
      writePieces(file, pieces)
      fsyncSync(file)
    } catch (error) {
      rmSync(this.temporary, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
  }

  keep(): void {
    if (this.replace) renameSync(this.temporary, this.path)
    else {
      // A link fails where a file has come into being meanwhile.
      linkSync(this.temporary, this.path)
      rmSync(this.temporary)
    }
    this.open = false
  }

  /** Does nothing to a file that is kept. */
  discard(): void {
    if (this.open && existsSync(this.temporary)) rmSync(this.temporary, { force: true })
    this.open = false
  }
}

/** A free name beside a file. Process numbers are the same at every start of a container: what a killed command left would be in the way. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(6).toString('hex')}.part`

/** Throws UsageError where an output would replace a file that is only read, such as a key store, which cannot be made again. */
export function refuseReplacing(outputs: readonly string[], kept: readonly string[]): void {
  const identity = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const read = new Set(kept.map(identity))
  for (const path of outputs) {
    const own = identity(path)
    if (own && read.has(own)) throw new UsageError(`${path} is a key store or certificate that this command reads`)
  }
}

/** Writes all pieces from `position` on, or where the file is. */
export function writePieces(file: number, pieces: readonly Uint8Array[], position?: number): void {
  let at = position
  for (let from = 0; from < pieces.length; from += MOST_PIECES) {
    let left = pieces.slice(from, from + MOST_PIECES)
    while (left.length) {
      const written = writevSync(file, left, at)
      if (at !== undefined) at += written
      left = behind(left, written)
    }
  }
}

/** What is left of the pieces behind so many bytes. */
function behind(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  let skip = count
  const left: Uint8Array[] = []
  for (const piece of pieces) {
    if (skip >= piece.length) skip -= piece.length
    else {
      left.push(skip ? piece.subarray(skip) : piece)
      skip = 0
    }
  }
  return left
}
