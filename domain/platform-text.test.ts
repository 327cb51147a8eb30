import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillIn, parseText, placeholdersIn } from './platform-text.ts'

const VALUES = { platform: '安全平台', subject: 'Wallet 2.4', date: '2026-11-25', author: 'a@b.cn' }

test('[INFO-01] a template file is read as headings, paragraphs and lists; lines of one paragraph are joined', () => {
  expect(
    parseText(
      '\uFEFF# 报告说明\r\n本报告由平台\r\n自动生成。\r\n\r\nFirst line\nsecond line\n- one\n- two\n  goes on\n\n####### no heading',
    ),
  ).toEqual([
    { kind: 'heading', level: 1, text: '报告说明' },
    { kind: 'paragraph', text: '本报告由平台自动生成。' },
    { kind: 'paragraph', text: 'First line second line' },
    { kind: 'list', items: ['one', 'two goes on'] },
    { kind: 'paragraph', text: '####### no heading' },
  ])
  expect(parseText('')).toEqual([])
})

test('[INFO-01] known placeholders are filled in once; what they hold is never read as a placeholder', () => {
  expect(fillIn('{{platform}} · {{ subject }} · {{unknown}}', VALUES)).toBe('安全平台 · Wallet 2.4 · {{unknown}}')
  expect(fillIn('{{subject}}', { ...VALUES, subject: '{{author}}' })).toBe('{{author}}')
  expect(placeholdersIn('{{platform}} {{ date }} {{platform}} {{constructor}} { {x} }')).toEqual([
    'platform',
    'date',
    'constructor',
  ])
  expect(fillIn('{{constructor}}', VALUES)).toBe('{{constructor}}')
})

test('[INFO-01] no character but white space, marks and line ends is lost, whatever the file holds', () => {
  const lines = fc.array(fc.constantFrom('# a', '- b', 'c d', '', '  ', '##', '-', '中文', '*'), { maxLength: 30 })
  fc.assert(
    fc.property(lines, (all) => {
      const text = all.join('\n')
      const kept = parseText(text)
        .flatMap((block) => (block.kind === 'list' ? block.items : [block.text]))
        .join('')
      const bare = (one: string) => one.replace(/[\s#*-]/g, '')
      expect(bare(kept)).toBe(bare(text))
    }),
  )
})
