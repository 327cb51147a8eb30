import { expect, test } from 'vitest'
import { readChosen, toggled } from './chosen-files.ts'

test('[DET-01] files to detect stand in the address: each once, strange ids left out', () => {
  const read = (search: string) => readChosen(new URLSearchParams(search))
  expect(read('files=3,1,3,../x,,2')).toEqual(['3', '1', '2'])
  expect(read('')).toEqual([])
  expect(read(`files=${Array.from({ length: 80 }, (_, i) => i).join(',')}`).length).toBe(50)
})

test('ticking adds, ticking again removes, and nothing chosen leaves the address clean', () => {
  expect(toggled(['1'], '2')).toBe('1,2')
  expect(toggled(['1', '2'], '1')).toBe('2')
  expect(toggled(['2'], '2')).toBeNull()
})
