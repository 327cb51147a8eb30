import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileStore } from '#storage/files/port.ts'

/** Holds for every adapter of the file store's port. */
export function fileStoreSuite(name: string, open: () => Promise<FileStore>): void {
  describe(`file store: ${name}`, { timeout: 60_000 }, () => {
    const all = async (stream: Readable) => Buffer.concat(await stream.toArray())

    test('stored bytes are read back by their SHA-256, whole and in ranges', async () => {
      const files = await open()
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 6 }),
          fc.nat(3000),
          fc.nat(3000),
          async (parts, a, b) => {
            const bytes = Buffer.concat(parts)
            const { sha256, size } = await files.put(Readable.from(parts))
            expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
            const file = await files.open(sha256)
            expect([size, file.size]).toEqual([bytes.length, bytes.length])
            expect(await all(file.stream())).toEqual(bytes)
            const [start, end] = [Math.min(a, b), Math.max(a, b)]
            expect(await all(file.stream({ start, end }))).toEqual(bytes.subarray(start, end))
          },
        ),
        { numRuns: 40 },
      )
    })

    test('equal files are stored once, and removing a file twice is no error', async () => {
      const files = await open()
      const [one, two] = await Promise.all([files.put(Readable.from(['same'])), files.put(Readable.from(['sa', 'me']))])
      expect(one).toEqual(two)
      expect(await files.has(one.sha256)).toBe(true)
      await files.remove(one.sha256)
      await files.remove(one.sha256)
      expect(await files.has(one.sha256)).toBe(false)
      await expect(files.open(one.sha256)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('a source stream that fails leaves no file', async () => {
      const files = await open()
      const failing = (async function* () {
        yield Buffer.from('half')
        throw new Error('broken off')
      })()
      await expect(files.put(failing)).rejects.toThrow('broken off')
      expect(await files.has(createHash('sha256').update('half').digest('hex'))).toBe(false)
    })

    test('a name that is not a SHA-256 reaches no file', async () => {
      const files = await open()
      for (const name of ['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/..`]) {
        await expect(files.open(name)).rejects.toMatchObject({ code: 'ENOENT' })
        expect(await files.has(name)).toBe(false)
      }
    })
  })
}
