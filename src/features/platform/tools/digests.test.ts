import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DigestName, startDigests } from './digests.ts'

test('digests of a file in parts are those of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (parts) => {
      const digests = startDigests()
      for (const part of parts) digests.update(part)
      const whole = Buffer.concat(parts)
      const expected = (['md5', 'sha1', 'sha256', 'sm3'] satisfies DigestName[]).map((name) => [
        name,
        createHash(name).update(whole).digest('hex'),
      ])
      expect(digests.end()).toEqual(Object.fromEntries(expected))
    }),
  )
})
