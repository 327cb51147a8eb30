import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** No Swift compiler is used here: what can be compared without one. */

const SOURCES = readdirSync('sdk/session/swift', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.swift'))
  .map((name) => ({ name, text: readFileSync(join('sdk/session/swift', name), 'utf8') }))
const all = (names: readonly string[]) => names.map((name) => readFileSync(name, 'utf8')).join('\n')

test('every Swift file says that it was not compiled here', () => {
  expect(SOURCES.length).toBeGreaterThan(5)
  expect(SOURCES.filter(({ text }) => !text.slice(0, 200).includes('Not compiled here 不在此处编译'))).toEqual([])
})

test('the constants of the algorithms are those of the compiled implementations', () => {
  const constantsOf = (text: string): readonly string[] =>
    text.match(/(?<=["']|0x)(?:[0-9a-f]{64}|[0-9a-f]{8})(?=["']|\b)/g) ?? []
  const java = 'sdk/session/java/src/io/appwarden/session'
  const compiled = constantsOf(all([`${java}/Gm.java`, `${java}/Sm2.java`]))
  const swift = constantsOf(SOURCES.map(({ text }) => text).join('\n'))
  // The S-box in eight lines, p, n, b and the generator; SM3 has 10 words, SM4 four.
  expect(new Set(compiled).size).toBe(8 + 5 + 10 + 4)
  expect([...new Set(compiled)].filter((one) => !swift.includes(one))).toEqual([])
})
