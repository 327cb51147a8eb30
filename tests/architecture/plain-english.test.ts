import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Comments, names and test titles use the words that an engineer anywhere would search for. The words below are the idiom that the
 * code used before. Interface texts are strings and are not checked. The documents are checked too, except code in them.
 */
const AVOIDED = ['told', 'tells', 'stands', 'anew', 'nobody', 'whoever', 'carries', 'is none']
const WORDS = new RegExp(`\\b(${AVOIDED.join('|')})\\b`, 'i')
/** Cheap test of a whole file. */
const ANYWHERE = new RegExp(AVOIDED.join('|'), 'i')

const FOLDERS = [
  'src',
  'mocks',
  'sdk',
  'domain',
  'runtime',
  'cli',
  'scripts',
  'contracts',
  'storage',
  'realtime',
  'engines',
  'tests',
  'server',
]

type Finding = { line: number; text: string }

/** `toldBuild` and `TOLD_ONCE` as the words they consist of. */
const wordsOf = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ')

/** Strings, comments and names, in this order of precedence; a string ends with its line, so that an apostrophe in JSX text costs one line. */
const TOKENS =
  /(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<name>[A-Za-z_$][\w$]*)/g
/** What precedes the title of a test: `test(`, `describe.skipIf(…)(`, `test.each([…])(`. */
const BEFORE_TITLE = /(?:\b(?:test|it|describe)(?:[.]\w+)*|\))\(\s*$/

/** Comments, names and test titles of a TypeScript or JavaScript file that contain one of the words. */
function findingsOf(text: string): Finding[] {
  const found: Finding[] = []
  for (const { 0: token, index, groups } of text.matchAll(TOKENS)) {
    if (groups?.['string'] && !BEFORE_TITLE.test(text.slice(Math.max(0, index - 60), index))) continue
    if (WORDS.test(groups?.['name'] ? wordsOf(token) : token)) found.push(findingAt(text, index, token))
  }
  return found
}

const findingAt = (text: string, index: number, shown: string): Finding => ({
  line: text.slice(0, index).split('\n').length,
  text: shown.replace(/\s+/g, ' ').slice(0, 120),
})

/** Comments of other languages, without their strings. */
function commentsOf(text: string): Finding[] {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)]
    .filter(([comment]) => WORDS.test(comment))
    .map(({ 0: comment, index }) => findingAt(text, index, comment))
}

const filesBelow = (folder: string, ends = /[.](tsx?|mjs|css|java)$/): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', folder], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => ends.test(file) && !/generated|plain-english[.]test/.test(file))

test('a planted word is found in a comment, a name and a test title, and not in a text', () => {
  const planted = "// it tells\nconst toldOnce = 'nobody'\ntest('what stands here', () => {})\n"
  expect(findingsOf(planted).map(({ line }) => line)).toEqual([1, 2, 3])
  expect(commentsOf('/* made anew */ .a { content: "told" }')).toHaveLength(1)
})

test.each(FOLDERS)('comments, names and test titles below %s are in plain English', (folder) => {
  const files = filesBelow(folder)
  expect(files.length).toBeGreaterThan(0)
  const findings = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    if (!ANYWHERE.test(text)) return []
    const found = /[.](css|java)$/.test(file) ? commentsOf(text) : findingsOf(text)
    return found.map(({ line, text: shown }) => `${file}:${line} ${shown}`)
  })
  expect(findings).toEqual([])
})

const FEWEST_WORDS = 4
/** A call of `test` or its like at the start of a line, or the end of a table for `test.each`, and the title after it. */
const TEST_TITLE =
  /^[ \t]*(?<call>test\b|it\b|describe\b|[\]}])(?:(?:[.]\w+)*|[^\n]*?\))\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>,/gm

/** Titles of tests with fewer words than a sentence; ids of requirements do not count, and those of `describe` may be a subject alone. */
function headlessTitles(text: string): string[] {
  return [...text.matchAll(TEST_TITLE)].flatMap(({ index, groups }) => {
    const isTable = /[\]}]/.test(groups?.['call'] ?? '')
    const call = isTable ? text.slice(0, index).match(/.*\b(test|it|describe)[.]\w+/s)?.[1] : groups?.['call']
    const title = (groups?.['title'] ?? '').replace(/\[[^\]]*\]/g, '').trim()
    return call && call !== 'describe' && title.split(/\s+/).length < FEWEST_WORDS ? [title] : []
  })
}

test('a planted title of few words is found, also behind a table, and that of a describe is not', () => {
  const planted = "describe('SM3', () => {\n  test('labels', f)\n  test.each([\n    [1],\n  ])('[DET-03] %s', f)\n})\n"
  expect(headlessTitles(planted)).toEqual(['labels', '%s'])
  expect(headlessTitles("describe.each([1])('%s', () => {})\ntest('a label names its range', f)")).toEqual([])
})

test('titles of tests are sentences that a list of failures explains by itself', () => {
  // The suites of result-reporter.test.ts are texts of a fixture.
  const files = filesBelow('.', /(?<!result-reporter)[.]test[.]tsx?$/)
  expect(files.length).toBeGreaterThan(250)
  expect(
    files.flatMap((file) => headlessTitles(readFileSync(file, 'utf8')).map((title) => `${file}: ${title}`)),
  ).toEqual([])
})

/** Prose of a Markdown file: without code blocks, inline code and link targets, which keep their length so that lines are counted right. */
const proseOf = (text: string) =>
  text.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, (code) => code.replace(/[^\n]/g, ' '))

test('a planted word is found in prose and not in code', () => {
  expect(WORDS.test(proseOf('It `tells` nothing.\n```\nanew\n```\n'))).toBe(false)
  expect(WORDS.test(proseOf('What `one` tells.'))).toBe(true)
})

test('documents are in plain English', () => {
  const documents = filesBelow('.', /[.]md$|^NOTICE$/).filter((file) => file !== 'docs/third-party.md')
  expect(documents.length).toBeGreaterThan(30)
  const findings = documents.flatMap((file) =>
    proseOf(readFileSync(file, 'utf8'))
      .split('\n')
      .flatMap((line, at) => (WORDS.test(line) ? [`${file}:${at + 1} ${line.trim().slice(0, 120)}`] : [])),
  )
  expect(findings).toEqual([])
})

test('every source folder is checked', () => {
  const folders = new Set(
    execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { encoding: 'utf8' })
      .split('\n')
      .filter((file) => file.includes('/') && !file.startsWith('.'))
      .map((file) => file.split('/')[0]),
  )
  expect([...folders].filter((folder) => !FOLDERS.includes(folder ?? ''))).toEqual([])
})
