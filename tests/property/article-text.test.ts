import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ArticleBlockSchema } from '#contracts/http/knowledge.ts'
import { ArticleSyntaxError, parseArticle, readArticleText } from '#server/modules/knowledge/parse-article.ts'

const ID = '3f2b8c1e-5a4d-4c6b-9e7f-0123456789ab'
const IMAGES = new Map([[ID, { width: 4, height: 3 }]])

/** Markdown, HTML and addresses, as pieces that meet in every order. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '![',
      '](',
      '<',
      '>',
      '</',
      '/>',
      '*',
      '**',
      '_',
      '`',
      '```',
      '~~~',
      '#',
      '## ',
      '- ',
      '1. ',
    ],
    ...[
      '> ',
      '|',
      '|-|',
      '\n',
      '\n\n',
      '  ',
      '    ',
      '\t',
      '\\',
      '&',
      '&lt;',
      '&#x3c;',
      '&#106;',
      '---',
      '===',
      '{{a}}',
    ],
    ...['javascript:', 'JaVaScRiPt:', 'data:text/html,', 'https://a.b/', 'http://a', 'article:a', `image:${ID}`, '//a'],
    ...[
      '<script>',
      '<img src=x onerror=a>',
      '<svg onload=a>',
      '<!--',
      '-->',
      '<![CDATA[',
      '<a href="',
      '"',
      "'",
      '\r',
      '\0',
    ],
    ...['[a]: ', '[^a]', '- [ ] ', '~~', 'www.a.b', 'a@b.c', '甲', '\u2028', '\ud800', '￿', '😀'],
  ),
  fc.string({ maxLength: 12, unit: 'binary' }),
)
const markdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

test('whatever is written, the parser answers blocks of plain text or throws its own error, and no address but https and articles', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const { blocks, problems } = readArticleText(text, [], IMAGES)
      // Blocks of the schema alone: every field is a text, a number or a known word.
      for (const block of blocks) expect(ArticleBlockSchema.parse(block)).toEqual(block)
      const said = JSON.stringify(blocks)
      for (const [, to] of said.matchAll(/"to":"([^"]*)"/g)) expect(to).toMatch(/^(?:https:\/\/|[a-z0-9-]+$)/)
      for (const block of blocks) if (block.kind === 'image') expect(block.id).toBe(ID)
      const lines = text.split(/\r\n?|\n/).length
      for (const { line } of problems) expect(line >= 1 && line <= lines, String(line)).toBe(true)
      try {
        expect(parseArticle(text, [], IMAGES)).toEqual(blocks)
        expect(problems).toEqual([])
      } catch (error) {
        if (!(error instanceof ArticleSyntaxError)) throw error
        expect(error.problem).toEqual(problems[0])
      }
    }),
    { numRuns: 3000 },
  )
})

test('a text without any sign of Markdown is one paragraph that says the same', () => {
  const word = fc.stringMatching(/^[a-zA-Z\u4e00-\u9fff]{1,8}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
      const text = words.join(' ')
      expect(readArticleText(text)).toEqual({
        blocks: [{ kind: 'text', parts: [{ text, mark: 'plain', to: null }] }],
        problems: [],
      })
    }),
  )
})
