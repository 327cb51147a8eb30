import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import { readForm } from './read-form.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aw-form-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TYPE = 'multipart/form-data; boundary=b'
const inPieces = (body: Uint8Array, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < body.length; at += size) yield Buffer.from(body.subarray(at, at + size))
    })(),
    { objectMode: false },
  )
async function read(body: Uint8Array, size = 7, most = 1000): Promise<Record<string, string>> {
  const form = await readForm(inPieces(body, size), TYPE, folder, most)
  const found: Record<string, string> = { ...form.fields }
  if (form.file) found[form.file.name] = readFileSync(form.file.path, 'latin1')
  await form.drop()
  return found
}
const part = (head: string, text: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
const VALID = Buffer.from(`${part('name="a"', '1')}${part('name="f"; filename="x.apk"', '--\r\n-b\r\n')}--b--\r\n`)

test('a form is read whatever the sizes of its pieces and although its file contains bytes like a boundary', async () => {
  for (let size = 1; size < VALID.length; size++)
    expect(await read(VALID, size)).toEqual({ a: '1', 'x.apk': '--\r\n-b\r\n' })
  const whole = await readForm(VALID, TYPE, folder, 1000)
  expect({ ...whole.fields, file: whole.file?.name }).toEqual({ a: '1', file: 'x.apk' })
  await whole.drop()
})

test('a second file, a repeated or long field, too many parts and a file beyond the limit are refused by key', async () => {
  const form = (...parts: string[]) => Buffer.from(`${parts.join('')}--b--\r\n`)
  const file = part('name="f"; filename="x"', 'x')
  for (const [body, key] of [
    [form(file, file), 'input.invalid'],
    [form(part('name="a"', '1'), part('name="a"', '2')), 'envelope.malformed'],
    [form(part('name="a"', 'x'.repeat(5000))), 'envelope.malformed'],
    [form(part('name="__proto__"', '1')), 'envelope.malformed'],
    [form(...Array.from({ length: 30 }, (_, n) => part(`name="a${n}"`, '1'))), 'envelope.malformed'],
    [form(part('name="f"; filename="x"', 'x'.repeat(2000))), 'asset.too_large'],
  ] as const)
    await expect(read(body, 512)).rejects.toMatchObject({ key })
  for (const type of [undefined, 'multipart/form-data', 'text/plain; boundary=b'])
    await expect(readForm(VALID, type, folder, 10)).rejects.toMatchObject({ key: 'envelope.malformed' })
})

test('cut, changed and random bodies are refused or read, throw nothing else and leave no file', async () => {
  for (let length = 0; length < VALID.length - 6; length++)
    await expect(read(VALID.subarray(0, length))).rejects.toThrow(ProductError)
  await fc.assert(
    fc.asyncProperty(fc.nat(VALID.length - 1), fc.nat(255), async (at, byte) => {
      const body = Buffer.from(VALID)
      body[at] = byte
      await read(body).catch((error: unknown) => expect(error).toBeInstanceOf(ProductError))
    }),
  )
  await expect(read(Buffer.alloc(100_000, 'x'), 4096)).rejects.toThrow(ProductError)
  expect(readdirSync(folder)).toEqual([])
})

test('a client that goes away in the middle of its file ends the reading', async () => {
  const body = new Readable({ read() {} })
  const reading = readForm(body, TYPE, folder, 1000)
  body.push(VALID.subarray(0, VALID.length - 20))
  setTimeout(() => body.destroy(), 20)
  await expect(reading).rejects.toThrow(ProductError)
  expect(readdirSync(folder)).toEqual([])
})
