import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choosesPath, matchesPath } from './path-pattern.ts'

describe('[HARD-02] patterns of files', () => {
  test.each([
    ['assets/**', 'assets/a/b.txt', true],
    ['assets/*', 'assets/a/b.txt', false],
    ['assets/*.txt', 'assets/b.txt', true],
    ['assets/?.txt', 'assets/b.txt', true],
    ['assets?b.txt', 'assets/b.txt', false],
    ['**/b.txt', 'assets/a/b.txt', true],
    ['**', '', true],
    ['assets/a+(b)[c].{d}', 'assets/a+(b)[c].{d}', true],
    ['assets/a.b', 'assets/axb', false],
    ['assets/😀/*', 'assets/😀/图.png', true],
    ['***a***', 'b/a/c', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected)
  })

  test('a pattern that takes out is obeyed in its place of the list', () => {
    expect(choosesPath(['assets/**', '!assets/fonts/**'], 'assets/fonts/a.bin')).toBe(false)
    expect(choosesPath(['assets/**', '!assets/fonts/**', 'assets/fonts/a.*'], 'assets/fonts/a.bin')).toBe(true)
    expect(choosesPath(['!assets/fonts/**'], 'assets/a.bin')).toBe(false)
  })

  test('patterns match as an expression of the same meaning does', () => {
    const part = fc.constantFrom('*', '**', '?', 'a', 'b', '/', '.')
    const text = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 8 }).map((all) => all.join(''))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), text, (parts, path) => {
        const source = parts
          .join('')
          .replace(/\*{2,}|\*|\?|\./g, (one) =>
            one.length > 1 ? '.*' : one === '*' ? '[^/]*' : one === '?' ? '[^/]' : '\\.',
          )
        expect(matchesPath(parts.join(''), path)).toBe(new RegExp(`^${source}$`).test(path))
      }),
      { numRuns: 2000 },
    )
  })

  test('a hostile pattern ends: many stars on a long path take well below a second', () => {
    const began = performance.now()
    expect(matchesPath('**a'.repeat(100), 'a'.repeat(5000))).toBe(true)
    expect(matchesPath(`${'**a'.repeat(99)}**b`, 'a'.repeat(5000))).toBe(false)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
