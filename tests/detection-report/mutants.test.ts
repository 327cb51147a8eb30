import { expect, test } from 'vitest'
import { outcomeOf } from './judge-mutants.ts'
import { makeMutants, soundPackages } from './make-mutants.ts'
import { scanBytes } from './scan-packages.ts'

test('DET-03 sound packages have no note, so that one speaks of the mutation', () => {
  for (const bytes of soundPackages()) {
    const scanned = scanBytes(bytes, 'sound.apk')
    expect('result' in scanned && scanned.result.notAssessed).toEqual([])
  }
})

test('DET-03 no mutant and no look-alike of a packer is called clean', () => {
  const mutants = makeMutants()
  expect(mutants.length).toBeGreaterThanOrEqual(200)
  const clean = mutants.filter((one) => ['wrongClean', 'gate'].includes(outcomeOf(one)))
  expect(clean.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([])
})
