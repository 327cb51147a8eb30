import { sha256 } from '@noble/hashes/sha2.js'

/**
 * A task for a browser: find a number so that SHA-256 of the nonce's text and the number (32 bits, big-endian) begins with `bits` zero
 * bits, which takes 2^bits hashes on average. `expires` is in epoch ms; `mac` binds all of it to the server and to the network that was asked.
 */
export type Challenge = { nonce: string; bits: number; expires: number; mac: string }

const MOST_BITS = 24
const PROOF = /^([\w-]{22})\.(\d{1,2})\.(\d{1,15})\.([\w-]{43})\.(\d{1,10})$/

type Task = Pick<Challenge, 'nonce' | 'bits'>

/** The smallest number that solves the challenge. Throws RangeError beyond 24 bits, which would take a browser minutes. */
export function solveChallenge(task: Task): number {
  if (task.bits > MOST_BITS) throw new RangeError(`${task.bits} bits`)
  const solves = checkOf(task)
  for (let solution = 0; ; solution++) if (solves(solution)) return solution
}

export function isSolution(task: Task, solution: number): boolean {
  return checkOf(task)(solution)
}

function checkOf({ nonce, bits }: Task): (solution: number) => boolean {
  const input = new Uint8Array([...new TextEncoder().encode(nonce), 0, 0, 0, 0])
  const view = new DataView(input.buffer)
  return (solution) => {
    view.setUint32(input.length - 4, solution)
    const digest = sha256(input)
    return new DataView(digest.buffer, digest.byteOffset).getUint32(0) < 2 ** (32 - bits)
  }
}

/** The text of the header; readProof reads it. */
export function proofText({ nonce, bits, expires, mac }: Challenge, solution: number): string {
  return [nonce, bits, expires, mac, solution].join('.')
}

/** Parses the header; undefined if the text does not have its form. The caller checks challenge and solution. */
export function readProof(text: string): { challenge: Challenge; solution: number } | undefined {
  const [, nonce, bits, expires, mac, solution] = PROOF.exec(text) ?? []
  if (nonce === undefined || mac === undefined) return undefined
  return { challenge: { nonce, bits: Number(bits), expires: Number(expires), mac }, solution: Number(solution) }
}
