import { say } from '../../platform/sandbox/worker-pipes.ts'

const PART_BYTES = 3 * 2 ** 20

/** Says a package in base64, piece by piece, then its end. */
export function sayPackage(pieces: readonly Uint8Array[]): void {
  for (const part of partsOf(pieces)) say({ part })
  say({ end: { bytes: pieces.reduce((sum, { length }) => sum + length, 0) } })
}

/** Says the package whose code is not encrypted yet, in the same way, in front of the other one. */
export function sayOpenPackage(pieces: readonly Uint8Array[]): void {
  for (const open of partsOf(pieces)) say({ open })
}

function* partsOf(pieces: readonly Uint8Array[]): Generator<string> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PART_BYTES)
      yield Buffer.from(piece.subarray(at, at + PART_BYTES)).toString('base64')
}
