import { expect, test } from 'vitest'
import { FormatError } from '#engines/bytes/format-error.ts'
import { printFailure } from './print-failure.ts'
import { UsageError } from './usage-error.ts'

const printed = (error: unknown): { code: number; text: string } => {
  let text = ''
  const code = printFailure(error, 'the usage', (line) => {
    text += line
  })
  return { code, text }
}

test('a usage error, a refused input and an error of the system are printed without control characters, with exit code 2', () => {
  expect(printed(new UsageError('a\u001bb'))).toEqual({ code: 2, text: 'a\\u001bb\n\nthe usage' })
  const refused = new FormatError('zip', 'limit', -1, 'too large \u001b')
  expect(printed(refused)).toEqual({ code: 2, text: expect.stringMatching(/^refused: .*too large \\u001b$/) })
  const missing = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
  expect(printed(missing)).toEqual({ code: 2, text: 'ENOENT: no such file' })
})

test('an error of the program is thrown again', () => {
  expect(() => printed(new TypeError('x is undefined'))).toThrow('x is undefined')
})
