import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readForm } from '#server/http/read-form.ts'
import { formBody } from '#src/shared/upload/form-body.ts'

const folder = mkdtempSync(join(tmpdir(), 'aw-form-body-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In pieces of any size, as a network cuts them. */
function* pieces(bytes: Uint8Array, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

test('the server reads the forms that the console writes, whatever their bytes and wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => !/[%\r\n\0]/.test(name)),
      fc.integer({ min: 1, max: 60 }),
      fc.string(),
      async (content, name, size, text) => {
        const { contentType, bytes } = formBody({ appid: text }, { name, bytes: content }, new Uint8Array(12))
        const source = Readable.from(pieces(bytes, size), { objectMode: false })
        const form = await readForm(source, contentType, folder, 1000)
        expect({ ...form.fields }).toEqual({ appid: text })
        expect(form.file?.name).toBe(name)
        expect(readFileSync(form.file?.path as string)).toEqual(Buffer.from(content))
        await form.drop()
      },
    ),
    { numRuns: 60 },
  )
})
