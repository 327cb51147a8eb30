import { expect, test } from 'vitest'
import type { AppFile } from '#contracts/http/assets.ts'
import { problemOf } from './chosen-packages.ts'

test.each([
  ['apk', 'unreinforced', true, null],
  ['apk', 'reinforced', true, 'packed'],
  ['apk', 'unreinforced', false, 'gone'],
  ['xapk', 'unreinforced', true, 'kind'],
  ['aab', 'reinforced', false, 'kind'],
] as const)('a file of kind %s, %s, stored: %s, has the problem %s', (kind, protection, has_file, problem) => {
  expect(problemOf({ kind, protection, has_file } as AppFile)).toBe(problem)
})
