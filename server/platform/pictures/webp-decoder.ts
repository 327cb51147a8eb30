import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DecodeWebp } from '#engines/icon/webp.ts'
import { boundedWasm } from './bounded-wasm.ts'

type Decoder = {
  memory: WebAssembly.Memory
  malloc(size: number): number
  /** Where the pixels are, 0 for none; width and height are written to the places given. */
  WebPDecodeRGBA(bytes: number, size: number, width: number, height: number): number
}

/** 320 MiB: a picture of 24 million pixels and what decoding takes besides. */
const PAGES = 5120
let compiled: WebAssembly.Module | undefined

/**
 * Decodes a still WebP picture, lossy or lossless; null for other data, an animation or a broken picture. The decoder is libwebp 1.1.0 in
 * WebAssembly, whose reader of lossless pictures can be made to write past its table (CVE-2023-4863). What it writes stays in its own memory,
 * so each picture gets a new one: a picture that breaks the decoder breaks itself alone.
 */
export const decodeWebp: DecodeWebp = (bytes) => {
  try {
    return decode(makeDecoder(), bytes)
  } catch {
    return null
  }
}

/** Compiled with the first picture: most packages are read without one. */
function makeDecoder(): Decoder {
  compiled ??= new WebAssembly.Module(
    boundedWasm(readFileSync(createRequire(import.meta.url).resolve('@cwasm/webp/webp.wasm')), PAGES),
  )
  const nothing = () => {
    throw new Error('the decoder opens no files')
  }
  const system = { fd_close: nothing, fd_seek: nothing, fd_write: nothing }
  return new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: system }).exports as Decoder
}

function decode({ memory, malloc, WebPDecodeRGBA }: Decoder, bytes: Uint8Array): ReturnType<DecodeWebp> {
  const from = malloc(bytes.length)
  const sizes = malloc(8)
  if (from === 0 || sizes === 0) throw new Error('no memory')
  new Uint8Array(memory.buffer).set(bytes, from)
  const pixels = WebPDecodeRGBA(from, bytes.length, sizes, sizes + 4)
  const [width = 0, height = 0] = new Uint32Array(memory.buffer, sizes, 2)
  if (pixels === 0) return null
  return { width, height, data: new Uint8ClampedArray(memory.buffer, pixels, width * height * 4).slice() }
}
