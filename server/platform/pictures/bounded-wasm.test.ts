import { expect, test } from 'vitest'
import { boundedWasm } from './bounded-wasm.ts'

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
/** Exports its memory as `m`. */
const EXPORT = [7, 5, 1, 1, 0x6d, 2, 0]
const memoryOf = (wasm: Uint8Array<ArrayBuffer>) =>
  new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports['m'] as WebAssembly.Memory

test.each([
  ['no bound', [5, 3, 1, 0, 2], 2],
  ['a wide bound', [5, 7, 1, 1, 0x81, 2, 0x80, 0x80, 2], 257],
])('a memory with %s grows to the bound and no further', (_name, section, least) => {
  const memory = memoryOf(boundedWasm(Uint8Array.from([...MAGIC, ...section, ...EXPORT]), 300))
  expect(memory.buffer.byteLength).toBe(least * 65_536)
  memory.grow(300 - least)
  expect(() => memory.grow(1)).toThrow(RangeError)
})

test('what declares no memory is refused', () => {
  expect(() => boundedWasm(Uint8Array.from(MAGIC), 300)).toThrow('no memory')
})
