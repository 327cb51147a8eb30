const MEMORY = 5
const MAGIC = 8

/**
 * A WebAssembly module whose own memory grows to at most `pages` of 64 KiB. One that declares no bound, or a wide one, has that much of
 * the address space set aside for it, which a bounded process does not have to give.
 */
export function boundedWasm(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = MAGIC; at < wasm.length; ) {
    const [size, begin] = readNumber(wasm, at + 1)
    if (wasm[at] === MEMORY && wasm[begin] === 1) {
      const [least] = readNumber(wasm, begin + 2)
      const section = [1, 1, ...numberBytes(least), ...numberBytes(Math.max(least, pages))]
      return Buffer.concat([
        wasm.subarray(0, at),
        Buffer.from([MEMORY, section.length, ...section]),
        wasm.subarray(begin + size),
      ])
    }
    at = begin + size
  }
  throw new Error('the module has no memory of its own')
}

/** A number of seven bits a byte, and where it ends. */
function readNumber(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  let at = from
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return [value, at]
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(Math.floor(value / 0x80))]
}
