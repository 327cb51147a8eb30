import { say } from '../../platform/sandbox/worker-pipes.ts'

const PART_BYTES = 3 * 2 ** 20

/** Says a package in base64, piece by piece, then its end. */
export function sayPackage(pieces: readonly Uint8Array[]): void {
  let bytes = 0
  for (const piece of pieces) {
    bytes += piece.length
    for (let at = 0; at < piece.length; at += PART_BYTES)
      say({ part: Buffer.from(piece.subarray(at, at + PART_BYTES)).toString('base64') })
  }
  say({ end: { bytes } })
}
