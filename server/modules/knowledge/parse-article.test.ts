import { expect, test } from 'vitest'
import { blockText, parseArticle } from './parse-article.ts'

test('Markdown becomes blocks of plain text', () => {
  const blocks = parseArticle(
    '## One `a<b`\n\nText **strong** and `code`, [other](article:x) or [site](https://example.com/a).\n\n- a\n- b\n\n| h | i |\n| --- | --- |\n| 1 | 2 |\n\n```sh\nls\n```\n\n> note',
  )
  expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'text', 'list', 'table', 'code', 'note'])
  expect(blocks[0]).toEqual({ kind: 'heading', level: 2, id: 'h1', text: 'One a<b' })
  expect(blocks[1]).toEqual({
    kind: 'text',
    parts: [
      { text: 'Text ', mark: 'plain', to: null },
      { text: 'strong', mark: 'strong', to: null },
      { text: ' and ', mark: 'plain', to: null },
      { text: 'code', mark: 'code', to: null },
      { text: ', ', mark: 'plain', to: null },
      { text: 'other', mark: 'plain', to: 'x' },
      { text: ' or ', mark: 'plain', to: null },
      { text: 'site', mark: 'plain', to: 'https://example.com/a' },
      { text: '.', mark: 'plain', to: null },
    ],
  })
  expect(blocks.map(blockText)[3]).toBe('h i\n1 2')
})

test('markup, pictures, other addresses, first-level headings and nested lists are refused', () => {
  for (const bad of [
    '<script>alert(1)</script>',
    'a <b>b</b>',
    '![x](https://example.com/x.png)',
    '[x](javascript:alert(1))',
    '[x](http://example.com/)',
    '[x](/platform/logs)',
    '# Title',
    '- a\n  - b',
    '{{nothing}}',
    '---',
  ])
    expect(() => parseArticle(bad), bad).toThrow()
})

test('what looks like markup inside code stays text', () => {
  expect(parseArticle('`<img src=x onerror=alert(1)>`')).toEqual([
    { kind: 'text', parts: [{ text: '<img src=x onerror=alert(1)>', mark: 'code', to: null }] },
  ])
  expect(parseArticle('a &lt; b &amp;&amp; c')).toEqual([
    { kind: 'text', parts: [{ text: 'a < b && c', mark: 'plain', to: null }] },
  ])
})

test('code files are shown by name, in the order of languages', () => {
  const file = (name: string, language: 'java' | 'kt') => ({
    name,
    language,
    text: name,
    compiled: language === 'java',
  })
  const [block] = parseArticle('{{fix}}', [file('fix.java', 'java'), file('fix.kt', 'kt'), file('other.kt', 'kt')])
  expect(block?.kind === 'files' && block.files.map(({ name }) => name)).toEqual(['fix.kt', 'fix.java'])
})
