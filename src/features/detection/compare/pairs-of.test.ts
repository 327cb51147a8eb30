import { expect, test } from 'vitest'
import { pairsOf } from './pairs-of.ts'

const result = (package_id: string, version: string, created_at: number) => ({
  id: `${package_id}${version}@${created_at}`,
  package_id,
  version,
  created_at,
})

test('each version is compared with the one detected before it, by its newest result', () => {
  const pairs = pairsOf([
    result('bank', '9.3', 10),
    result('bank', '9.4', 20),
    result('bank', '9.4', 40),
    result('bank', '9.2', 5),
    result('mall', '3.1', 30),
  ])
  expect(pairs.map(({ before, after }) => `${before.id} > ${after.id}`)).toEqual([
    'bank9.3@10 > bank9.4@40',
    'bank9.2@5 > bank9.3@10',
  ])
})

test('packages of one version make no pair', () => {
  expect(pairsOf([result('a', '1', 1), result('a', '1', 2), result('b', '1', 3)])).toEqual([])
})
