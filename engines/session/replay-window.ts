import { MAX_SEQUENCE } from './session.ts'

/** Sequence numbers below the highest accepted one by this many or more are refused. */
export const REPLAY_WINDOW = 1024

/** Which sequence numbers of a session were accepted. `bits` has 1,024 bits, the first of `bits[0]` is its highest; the last one is `highest`. */
export type ReplayWindow = { highest: number; bits: Uint8Array }

export function emptyReplayWindow(): ReplayWindow {
  return { highest: 0, bits: new Uint8Array(REPLAY_WINDOW / 8) }
}

/** The window after the number was accepted; undefined where it was accepted before, is below the window or out of range. */
export function claimSequence(window: ReplayWindow, sequence: number): ReplayWindow | undefined {
  const { highest, bits } = window
  if (!Number.isInteger(sequence) || sequence < 1 || sequence > MAX_SEQUENCE) return undefined
  const ahead = sequence - highest
  if (ahead <= -REPLAY_WINDOW) return undefined
  const moved = ahead > 0 ? shifted(bits, ahead) : bits.slice()
  const at = REPLAY_WINDOW - 1 + Math.min(0, ahead)
  const bit = 0x80 >> (at % 8)
  const byte = at >> 3
  if ((moved[byte] as number) & bit) return undefined
  moved[byte] = (moved[byte] as number) | bit
  return { highest: Math.max(highest, sequence), bits: moved }
}

function shifted(bits: Uint8Array, by: number): Uint8Array {
  const moved = new Uint8Array(bits.length)
  const bytes = by >> 3
  const rest = by % 8
  for (let at = 0; at + bytes < bits.length; at++) {
    const pair = ((bits[at + bytes] as number) << 8) | (bits[at + bytes + 1] ?? 0)
    moved[at] = (pair >> (8 - rest)) & 0xff
  }
  return moved
}
