import { expect, test } from 'vitest'
import { linesOf, localTime, timeOf, wrongDomain } from './option-fields.ts'

test('a field of date and time means a moment of the platform’s zone, and back; an empty one means none', () => {
  expect(timeOf('2027-01-31T08:30', 'Asia/Shanghai')).toBe(Date.UTC(2027, 0, 31, 0, 30))
  expect(localTime(Date.UTC(2027, 0, 31, 0, 30), 'Asia/Shanghai')).toBe('2027-01-31T08:30')
  expect(timeOf('2027-07-01T00:00', 'Europe/Berlin')).toBe(Date.UTC(2027, 5, 30, 22, 0))
  for (const text of ['', ':00Z', 'tomorrow', '2027-13-40T99:99']) expect(timeOf(text, 'Asia/Shanghai')).toBeNull()
  expect(localTime(null, 'UTC')).toBe('')
})

test('lines are names, each once; the first line that is no domain is named', () => {
  expect(linesOf(' a \n\nb\na')).toEqual(['a', 'b'])
  expect(wrongDomain('.example.com\nwww.bank.example\nlocalhost')).toBeUndefined()
  expect(wrongDomain('bank.example\nhttps://bank.example/')).toBe('https://bank.example/')
})
