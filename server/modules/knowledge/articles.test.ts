import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { CATALOGUE } from '../detection/catalogue.ts'
import { type Article, readArticles } from './read-articles.ts'

/** Every article of the repository: what a reader would stumble over. Their form is checked by reading them. */
const ARTICLES = readArticles(resolve('knowledge/articles'))
const IDS = new Set(ARTICLES.map(({ id }) => id))
const ITEMS = CATALOGUE.items.map(({ id }) => id)
const LANGUAGES = ['zh', 'en'] as const
const texts = ARTICLES.flatMap((one) => LANGUAGES.map((language) => ({ one, language, text: one[language] })))
const shape = (one: Article, language: 'zh' | 'en') =>
  one[language].blocks.map((block) => (block.kind === 'list' ? `list ${block.items.length}` : block.kind)).join(' ')

test('there are at least 80 articles about weaknesses, one solution of each kind, and no two articles have one title', () => {
  expect(ARTICLES.filter(({ kind }) => kind === 'article').length).toBeGreaterThanOrEqual(80)
  const solutions = ARTICLES.flatMap(({ kind, solution }) => (kind === 'solution' ? [solution] : []))
  expect([...new Set(solutions)].sort()).toEqual(['after_sales', 'implementation', 'technical'])
  for (const language of LANGUAGES)
    expect(new Set(ARTICLES.map((one) => one[language].title)).size).toBe(ARTICLES.length)
})

test('every detection item has exactly one article, and articles name no other items', () => {
  const named = ARTICLES.flatMap(({ items }) => items)
  expect(ITEMS.filter((id) => !named.includes(id))).toEqual([])
  expect(named.filter((id) => !ITEMS.includes(id))).toEqual([])
  expect(named.filter((id, at) => named.indexOf(id) !== at)).toEqual([])
  // The id of an item leads to the article of that item, never to another that happens to have its name.
  expect(ARTICLES.filter(({ id, items }) => ITEMS.includes(id) && !items.includes(id)).map(({ id }) => id)).toEqual([])
})

test('every page that a signed-in user opens has exactly one help article', () => {
  const open = PAGE_NAMES.filter((name) => PAGES[name].built && PAGES[name].roles.length > 0)
  const explained = ARTICLES.flatMap(({ pages }) => pages)
  expect(open.filter((name) => !explained.includes(name))).toEqual([])
  expect(explained.filter((name, at) => explained.indexOf(name) !== at)).toEqual([])
  expect(ARTICLES.filter(({ kind, pages }) => (kind === 'help') !== pages.length > 0).map(({ id }) => id)).toEqual([])
})

test('every link and every related article leads to an article', () => {
  const links = texts.flatMap(({ one, language, text }) =>
    text.blocks.flatMap((block) => {
      const parts =
        block.kind === 'text' || block.kind === 'note'
          ? block.parts
          : block.kind === 'list'
            ? block.items.flat()
            : block.kind === 'table'
              ? [...block.head, ...block.rows.flat()].flat()
              : []
      return parts.flatMap(({ to }) => (to === null || to.startsWith('https:') ? [] : [`${one.id} ${language}: ${to}`]))
    }),
  )
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((link) => !IDS.has(link.split(': ')[1] as string))).toEqual([])
  const related = ARTICLES.flatMap(({ id, related }) => related.map((to) => ({ id, to })))
  expect(related.filter(({ id, to }) => !IDS.has(to) || to === id)).toEqual([])
})

test('both languages of an article have the same blocks: sections, tables, lists, code', () => {
  const different = ARTICLES.filter((one) => shape(one, 'zh') !== shape(one, 'en'))
  expect(different.map((one) => `${one.id}\n${shape(one, 'zh')}\n${shape(one, 'en')}`)).toEqual([])
})

test('an article says what happens, how to fix it and how to verify it, and ends its summary with a full stop', () => {
  for (const { one, language, text } of texts) {
    expect(text.summary, `${one.id} ${language}`).toMatch(language === 'zh' ? /。$/ : /\.$/)
    if (one.kind !== 'article') continue
    const headings = text.blocks.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block.text] : []))
    expect(headings.slice(0, 3), `${one.id} ${language}`).toEqual(
      language === 'zh'
        ? ['攻击是什么样子', '怎样修', '怎样验证']
        : ['What the attack looks like', 'The fix', 'How to verify'],
    )
  }
})

test('Chinese is written in Chinese and English without it', () => {
  for (const { one, language, text } of texts) {
    const said = JSON.stringify(
      text.blocks.filter(({ kind }) => kind === 'text' || kind === 'list' || kind === 'table'),
    )
    if (language === 'en') expect(said, one.id).not.toMatch(/\p{Script=Han}/u)
    else expect(said, one.id).toMatch(/\p{Script=Han}/u)
    // Half-width punctuation between Chinese characters.
    if (language === 'zh') expect(said.match(/\p{Script=Han}[,;:!?]\p{Script=Han}/gu), one.id).toBeNull()
  }
})
