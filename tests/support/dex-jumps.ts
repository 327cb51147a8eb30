/** Words of instructions, the name of a location, or a jump to one: `goto/16`, or a comparison of a register with zero. */
export type CodePiece =
  | readonly number[]
  | string
  | { readonly to: string; readonly opcode: number; readonly register: number }

export const go = (to: string): CodePiece => ({ to, opcode: 0x29, register: 0 })
export const ifZero = (register: number, to: string): CodePiece => ({ to, opcode: 0x38, register })
export const ifNotZero = (register: number, to: string): CodePiece => ({ to, opcode: 0x39, register })

const sizeOf = (piece: CodePiece): number => (typeof piece === 'string' ? 0 : 'to' in piece ? 2 : piece.length)

/** Code of a method whose jumps name where they lead. */
export function withJumps(...pieces: readonly CodePiece[]): number[] {
  const places = new Map<string, number>()
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') places.set(piece, at)
    at += sizeOf(piece)
  }
  at = 0
  return pieces.flatMap((piece) => {
    const from = at
    at += sizeOf(piece)
    if (typeof piece === 'string') return []
    if (!('to' in piece)) return [...piece]
    const distance = places.get(piece.to)! - from
    return [piece.opcode | (piece.register << 8), distance & 0xffff]
  })
}
