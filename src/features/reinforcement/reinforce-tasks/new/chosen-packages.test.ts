import { expect, test } from 'vitest'
import type { AppFile } from '#contracts/http/assets.ts'
import { kindsOf, problemOf } from './chosen-packages.ts'

test.each([
  ['apk', 'unreinforced', true, null],
  ['apk', 'reinforced', true, 'packed'],
  ['apk', 'unreinforced', false, 'gone'],
  ['xapk', 'unreinforced', true, 'kind'],
  ['aab', 'unreinforced', true, null],
  ['aab', 'reinforced', true, 'packed'],
  ['ipa', 'unreinforced', true, 'kind'],
  ['aar', 'unreinforced', true, null],
  ['jar', 'reinforced', true, 'packed'],
  ['so', 'unreinforced', false, 'gone'],
] as const)('a file of kind %s, %s, stored: %s, has the problem %s', (kind, protection, has_file, problem) => {
  expect(problemOf({ kind, protection, has_file } as AppFile)).toBe(problem)
})

test('kinds of the chosen files are each there once, and files that are not known yet are left out', () => {
  const files = ['so', 'aar', 'so', 'xapk'].map((kind) => ({ file: { kind } as AppFile }))
  expect(kindsOf([...files, {}])).toEqual(['aar', 'so'])
})
