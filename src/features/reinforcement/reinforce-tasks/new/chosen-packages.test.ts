import { expect, test } from 'vitest'
import type { AppFile } from '#contracts/http/assets.ts'
import { problemOf, readChosen, toggled } from './chosen-packages.ts'

const read = (search: string) => readChosen(new URLSearchParams(search))

test('[HARD-05] packages to reinforce are in the address: each once, strange ids left out, ten at most', () => {
  expect(read('file=3,1,3,../x,,2')).toEqual(['3', '1', '2'])
  expect(read('file=7')).toEqual(['7'])
  expect(read('')).toEqual([])
  expect(read(`file=${Array.from({ length: 30 }, (_, i) => i).join(',')}`)).toHaveLength(10)
})

test('ticking adds, ticking again removes, an eleventh is not added, and nothing chosen leaves the address clean', () => {
  const ten = Array.from({ length: 10 }, (_, i) => String(i))
  expect(toggled(['1'], '2')).toBe('1,2')
  expect(toggled(['1', '2'], '1')).toBe('2')
  expect(toggled(ten, '11')).toBe(ten.join(','))
  expect(toggled(['2'], '2')).toBeNull()
})

test.each([
  ['apk', 'unreinforced', true, null],
  ['apk', 'reinforced', true, 'packed'],
  ['apk', 'unreinforced', false, 'gone'],
  ['xapk', 'unreinforced', true, 'kind'],
  ['aab', 'reinforced', false, 'kind'],
] as const)('a file of kind %s, %s, stored: %s, has the problem %s', (kind, protection, has_file, problem) => {
  expect(problemOf({ kind, protection, has_file } as AppFile)).toBe(problem)
})
