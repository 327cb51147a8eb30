import { expect, test } from 'vitest'
import { readChosen, toggled } from './chosen-ids.ts'

const read = (search: string) => readChosen(new URLSearchParams(search), { name: 'file', most: 10 })

test('[DET-01] [HARD-05] chosen files are in the address: each once, strange ids left out, at most as many as one request takes', () => {
  expect(read('file=3,1,3,../x,,2')).toEqual(['3', '1', '2'])
  expect(read('file=7')).toEqual(['7'])
  expect(read('')).toEqual([])
  expect(read(`file=${Array.from({ length: 30 }, (_, i) => i).join(',')}`)).toHaveLength(10)
})

test('ticking adds, ticking again removes, beyond the limit nothing is added, and nothing chosen leaves the address clean', () => {
  const ten = Array.from({ length: 10 }, (_, i) => String(i))
  expect(toggled(['1'], '2', 10)).toBe('1,2')
  expect(toggled(['1', '2'], '1', 10)).toBe('2')
  expect(toggled(ten, '11', 10)).toBe(ten.join(','))
  expect(toggled(['2'], '2', 10)).toBeNull()
})
