/** Whether the bytes begin with these. */
export function sameStart(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}
