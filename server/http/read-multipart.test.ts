import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import { boundaryOf, readMultipart } from './read-multipart.ts'

async function read(body: Uint8Array, size = 7): Promise<Record<string, string>> {
  async function* pieces() {
    for (let at = 0; at < body.length; at += size) yield Buffer.from(body.subarray(at, at + size))
  }
  const found: Record<string, string> = {}
  for await (const { name, fileName, bytes } of readMultipart(pieces(), 'b')) {
    let text = ''
    for await (const one of bytes) text += one.toString('latin1')
    found[fileName ?? name] = text
  }
  return found
}
const VALID = Buffer.from(
  'preamble\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x.apk"\r\nContent-Type: x/y\r\n\r\n--\r\n-b\r\n\r\n--b--\r\n',
)

test('parts, boundaries in pieces, and bytes that look like one', async () => {
  for (let size = 1; size < VALID.length; size++)
    expect(await read(VALID, size)).toEqual({ a: '1', 'x.apk': '--\r\n-b\r\n' })
  expect(boundaryOf('multipart/form-data; boundary="a b"')).toBe('a b')
  expect(boundaryOf('multipart/form-data; charset=x; boundary=abc')).toBe('abc')
  expect([boundaryOf('multipart/form-data'), boundaryOf(undefined), boundaryOf('text/plain; boundary=x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a part that nobody reads is passed over', async () => {
  const names: string[] = []
  async function* whole() {
    yield VALID
  }
  for await (const { name } of readMultipart(whole(), 'b')) names.push(name)
  expect(names).toEqual(['a', 'f'])
})

test('cut, changed and random bodies are refused or read, never anything else', async () => {
  for (let length = 0; length < VALID.length - 4; length++)
    await expect(read(VALID.subarray(0, length))).rejects.toThrow(ProductError)
  await fc.assert(
    fc.asyncProperty(fc.nat(VALID.length - 1), fc.nat(255), async (at, byte) => {
      const body = Buffer.from(VALID)
      body[at] = byte
      await read(body).catch((error: unknown) => expect(error).toBeInstanceOf(ProductError))
    }),
  )
  await expect(read(Buffer.alloc(100_000, 'x'), 4096)).rejects.toThrow(ProductError)
})
