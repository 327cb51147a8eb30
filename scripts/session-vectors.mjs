// Writes the test vectors of the session protocol, from fixed bytes in place of random ones: the same file in every run.
//   node --import tsx scripts/session-vectors.mjs
import { writeFileSync } from 'node:fs'
import { makeVectors } from '../sdk/session/make-vectors.ts'

const file = new URL('../sdk/session/vectors.generated.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(await makeVectors(), null, 2)}\n`)
