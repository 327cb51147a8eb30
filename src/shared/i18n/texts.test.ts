// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest'
import { defineTexts, setLanguage, translate } from './texts.ts'

const texts = defineTexts('texts-test', {
  found: {
    zh: '{{count}} 条，第 {{page}} 页',
    en: '{{count}} events, page {{page}}',
    one: '{{count}} event, page {{page}}',
  },
  left: { zh: '还有 {{count}}', en: '{{count}} left' },
})
beforeAll(() => setLanguage('en'))

test('[SHELL-10] counts are grouped, other numbers are not; 1 uses the singular text if there is one', async () => {
  expect(translate(texts, 'found', { count: 12408, page: 2026 })).toBe('12,408 events, page 2026')
  expect(translate(texts, 'found', { count: 1, page: 1 })).toBe('1 event, page 1')
  expect(translate(texts, 'found', { count: 0, page: 1 })).toBe('0 events, page 1')
  expect(translate(texts, 'left', { count: 1 })).toBe('1 left')
  await setLanguage('zh')
  expect(translate(texts, 'found', { count: 12408, page: 2026 })).toBe('12,408 条，第 2026 页')
  expect(translate(texts, 'found', { count: 1, page: 1 })).toBe('1 条，第 1 页')
})
