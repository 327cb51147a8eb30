import { say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import type { PackageName, PieceMessage } from './harden-messages.ts'

const PART_BYTES = 3 * 2 ** 20
const say = (message: PieceMessage) => sayAnything(message)

/** Says a package in base64, piece by piece, then its end. */
export function sayPackage(pieces: readonly Uint8Array[], of: PackageName = 'result'): void {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PART_BYTES)
      say({ part: Buffer.from(piece.subarray(at, at + PART_BYTES)).toString('base64'), of })
  say({ end: { of, bytes: pieces.reduce((sum, { length }) => sum + length, 0) } })
}
