import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** docs/security.md names tests that exist, and states as many results as its table has. */

const TEXT = readFileSync('docs/security.md', 'utf8')
const RESULTS = ['holds', 'deviation', 'not there'] as const

type Named = { file: string; title: string }

const namedTests = (text: string): Named[] =>
  [...text.matchAll(/`([\w./-]+\.ts)`\s"([^"]+)"/g)].map(([, file, title]) => ({
    file: file as string,
    title: (title as string).replace(/\s+/g, ' '),
  }))

/** Whether a test, not a comment or a text, has this title. */
function isTitle(source: string, title: string): boolean {
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'")
  return new RegExp(`\\b(?:test|it)[^\\n]*\\(\\s*(['"\`])${literal}\\1`).test(source)
}

const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| \*\*([^*]+)\*\*([^|]*) \|$/gm)].map(
    ([, no, item, reference, tests, result, reason]) => ({
      no: Number(no),
      item,
      reference,
      tests: namedTests(tests as string),
      result: result as (typeof RESULTS)[number],
      reason: (reason as string).replace(/^[:;] /, ''),
    }),
  )

test('a title is found where a test has it, not in a comment, cut off or changed', () => {
  const source = "// test 'one two'\ntest('one two three', () => {})\n  test.each([1])('it\\'s %s (a)', () => {})"
  expect(['one two three', "it's %s (a)", 'one two', 'two three'].map((title) => isTitle(source, title))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('every test that docs/security.md names exists', () => {
  const named = namedTests(TEXT)
  expect(named.length).toBeGreaterThan(100)
  const missing = named.filter(({ file, title }) => !existsSync(file) || !isTitle(readFileSync(file, 'utf8'), title))
  expect(missing).toEqual([])
})

test('the checklist has its 66 items, each with a reference and a result; what holds has a test, what does not has a reason', () => {
  const rows = rowsOf(TEXT)
  expect(rows.map(({ no }) => no)).toEqual(Array.from({ length: 66 }, (_, at) => at + 1))
  expect(rows.filter(({ result }) => !RESULTS.includes(result))).toEqual([])
  expect(rows.filter(({ reference }) => !/ASVS \d|GB\/T \d/.test(reference as string))).toEqual([])
  expect(rows.filter(({ tests, result }) => result !== 'not there' && tests.length === 0)).toEqual([])
  expect(rows.filter(({ result, reason }) => result !== 'holds' && reason === '')).toEqual([])
  const [holds, deviation, missing] = RESULTS.map((one) => rows.filter(({ result }) => result === one).length)
  expect(TEXT).toContain(`${holds} hold, ${deviation} hold with a deviation, ${missing} are not there.`)
})
