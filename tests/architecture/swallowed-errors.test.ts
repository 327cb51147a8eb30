import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const list = (...args: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(file))

/** From the bracket that opens at `from` to the one that closes it. */
function bracketed(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if ('({['.includes(text[at] as string)) depth++
    else if (')}]'.includes(text[at] as string) && --depth === 0) return text.slice(from, at + 1)
  }
  return text.slice(from)
}

/** Lines with a handler that takes no error: it neither passes the failure on, nor logs it, nor says beside it why nothing is lost. */
function swallowed(text: string): number[] {
  const lines = text.split('\n')
  return [...text.matchAll(/\bcatch (?=\{)|\.catch(?=\(\(\) =>)/g)].flatMap(({ index, 0: found }) => {
    const number = text.slice(0, index).split('\n').length
    const handler = bracketed(text, index + found.length)
    const last = number + handler.split('\n').length - 1
    const near = [lines[number - 2]?.trim().startsWith('//') ? '//' : '', handler, lines[last - 1]].join('\n')
    return /\/\/|\bthrow\b|\blog\.|\breject\(/.test(near) ? [] : [number]
  })
}

test('planted handlers are found unless they log, throw or have a comment', () => {
  expect(swallowed('try {\n  a()\n} catch {\n  return b\n}')).toEqual([3])
  expect(swallowed('a().catch(() => undefined)\nb().catch(() => {})')).toEqual([1, 2])
  const sound = ['try { a() } catch {\n  // tried again\n}', 'try { a() } catch {\n  throw b\n}']
  const calls = [
    'a().catch(() => {}) // the next one does',
    '// It may be gone.\na().catch(() => {})',
    'a().catch(() => log.warn("b"))',
  ]
  for (const text of [...sound, ...calls]) expect(swallowed(text), text).toEqual([])
})

test('no error of storage, realtime, server and runtime disappears without a log line or a comment that says why nothing is lost', () => {
  const files = list('storage/*.ts', 'realtime/*.ts', 'server/*.ts', 'runtime/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => swallowed(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`))
  expect(found).toEqual([])
})
