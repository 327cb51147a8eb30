import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryOf, readMultipart } from '#server/http/read-multipart.ts'
import { formBody } from '#src/shared/upload/form-body.ts'

/** In pieces of any size, as a network cuts them. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

test('what the console writes the server reads, whatever the bytes and wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.integer({ min: 1, max: 60 }),
      fc.string(),
      async (content, name, size, text) => {
        const { contentType, bytes } = formBody({ appid: text }, { name, bytes: content }, new Uint8Array(12))
        const read: [string, string | undefined, Buffer][] = []
        for await (const part of readMultipart(pieces(bytes, size), boundaryOf(contentType) as string)) {
          const parts: Buffer[] = []
          for await (const one of part.bytes) parts.push(one)
          read.push([part.name, part.fileName, Buffer.concat(parts)])
        }
        expect(read).toEqual([
          ['appid', undefined, Buffer.from(text)],
          ['file', name, Buffer.from(content)],
        ])
      },
    ),
    { numRuns: 60 },
  )
})
