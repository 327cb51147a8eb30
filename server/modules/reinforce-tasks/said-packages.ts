import type { PackageName } from './harden-messages.ts'

const MOST_BYTES = 2 ** 30
/** Of lines about what was done, and of a comparison. */
const TEXT_BYTES = 128 * 2 ** 20
/** Protected scripts grow most, and a small package may hold nothing else. */
const GROWTH = { factor: 2, bytes: 64 * 2 ** 20 }

/** Bytes that a worker may say of a package of `size` bytes when it answers with so many packages, in base64. */
export function answerBytes(size: number, packages: number): number {
  const each = Math.ceil(((GROWTH.factor * size + GROWTH.bytes) * 4) / 3)
  return Math.min(MOST_BYTES, TEXT_BYTES + packages * each)
}

/** The packages that a worker says, piece by piece, each with its end. */
export class SaidPackages {
  private readonly said = new Map<PackageName, { pieces: Buffer[]; size: number; whole: number | undefined }>()

  /** @param part base64 */
  add(name: PackageName, part: string): void {
    const one = this.of(name)
    const piece = Buffer.from(part, 'base64')
    one.pieces.push(piece)
    one.size += piece.length
  }

  end(name: PackageName, bytes: number): void {
    this.of(name).whole = bytes
  }

  /** What is wrong with one of them: cut off, longer than its end says, or without an end. */
  issue(): string | undefined {
    for (const [name, { size, whole }] of this.said)
      if (size !== whole) return `${name}: ${size} of ${whole ?? 'unknown'} bytes came`
    return undefined
  }

  /** No pieces where the worker said none. */
  pieces(name: PackageName): Buffer[] {
    return this.said.get(name)?.pieces ?? []
  }

  private of(name: PackageName) {
    const one = this.said.get(name) ?? { pieces: [], size: 0, whole: undefined }
    this.said.set(name, one)
    return one
  }
}
