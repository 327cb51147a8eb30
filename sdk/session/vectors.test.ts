import { expect, test } from 'vitest'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { checkVectors } from '#tests/support/session/check-vectors.ts'
import { makeVectors } from './make-vectors.ts'
import vectors from './vectors.generated.json' with { type: 'json' }

test('the published vectors are what scripts/session-vectors.mjs writes', async () => {
  expect(await makeVectors()).toEqual(vectors)
})

test.each([
  ['OpenSSL in Node', gmNode],
  ['plain TypeScript', gmPortable],
])('the published vectors hold with the primitives of %s', async (_name, gm) => {
  expect(await checkVectors(gm, vectors)).toEqual({
    checked:
      vectors.handshakes.length * 2 +
      (vectors.requests.length + vectors.responses.length) * 2 +
      vectors.refused_requests.length,
    failed: [],
  })
})

test('a changed vector is found by its name', async () => {
  const [first, ...rest] = vectors.handshakes
  const changed = {
    ...vectors,
    handshakes: [{ ...first, answer: `00${first?.answer.slice(2)}` }, ...rest],
  } as typeof vectors
  expect((await checkVectors(gmNode, changed)).failed).toEqual(['answer 0', 'session 0'])
})
