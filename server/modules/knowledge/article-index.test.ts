import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ArticleIndex } from './article-index.ts'
import { Library } from './library.ts'
import { type Article, readArticles } from './read-articles.ts'

const library = new Library(readArticles(resolve('knowledge/articles')))
const first = (language: 'zh' | 'en', text: string) => library.search(language, text).ids[0]

test.each([
  ['zh', '证书绑定', 'certificate-pinning'],
  ['zh', 'zsbd', 'certificate-pinning'],
  ['zh', 'zhengshubangding', 'certificate-pinning'],
  ['zh', 'SSL pinning', 'certificate-pinning'],
  ['zh', '剪贴板', 'clipboard'],
  ['zh', 'jtb', 'clipboard'],
  ['zh', 'addJavascriptInterface', 'webview-js-bridge'],
  ['zh', 'android-webview-debug', 'webview-debugging'],
  ['en', 'certificate pinning', 'certificate-pinning'],
  ['en', 'pendingintent', 'pending-intent'],
  ['en', 'clipbord', 'clipboard'],
] as const)('[%s] "%s" finds %s first', (language, text, id) => {
  expect(first(language, text)).toBe(id)
})

test('where no article holds all words the nearest are given, and said to be that', () => {
  const found = library.search('zh', '剪切板')
  expect(found.nearest).toBe(true)
  expect(found.ids).toContain('clipboard')
  expect(library.search('en', 'zzqqxx')).toMatchObject({ ids: [], nearest: true })
})

test('beside a word that many articles hold, one that none holds counts by its characters', () => {
  const index = new ArticleIndex([
    ...Array.from({ length: 30 }, (_, at) => ({ id: `rights${at}`, title: '权限', summary: '', words: '', body: '' })),
    { id: 'paste', title: '剪贴板', summary: '', words: '剪 板', body: '' },
  ])
  const found = index.find('剪切板 权限')
  expect(found).toMatchObject({ nearest: true })
  expect(found.ids[0]).toBe('paste')
  expect(found.ids).toContain('rights0')
})

test('of a word that articles hold, characters alone find nothing', () => {
  const index = new ArticleIndex([
    { id: 'rights', title: '权限', summary: '', words: '', body: '' },
    { id: 'power', title: '权', summary: '', words: '限', body: '' },
  ])
  expect(index.find('权限 zzqqxx').ids).toEqual(['rights'])
})

test('a character that most articles hold is not looked for alone, until articles without it outnumber them', () => {
  const texts = (count: number, title: string) =>
    Array.from({ length: count }, (_, at) => ({ id: `${title}${at}`, title, summary: '', words: '', body: '' }))
  const index = new ArticleIndex([...texts(80, '的'), ...texts(1, '板')])
  expect(index.find('板的书').ids).toEqual(['板0'])
  index.add(texts(800, '书'))
  expect(index.find('板的墨').ids).toContain('的0')
})

test('a word that the dictionary segments differently in other company is found', () => {
  const index = new ArticleIndex([
    { id: 'a', title: '重新绑定时', summary: '', words: '', body: '绑定时要准备备用密钥' },
    { id: 'b', title: '别的', summary: '', words: '', body: '完全无关的内容' },
  ])
  expect(index.find('绑定').ids).toEqual(['a'])
})

test('marks are texts of the search, pinyin marks nothing', () => {
  expect(library.search('zh', 'zsbd').marks).toEqual([])
  expect(library.search('zh', '证书绑定').marks).toEqual(expect.arrayContaining(['证书', '绑定']))
})

test('own articles are found beside those of the product, changed ones by their new words, and gone ones no more', async () => {
  const all = new Library(readArticles(resolve('knowledge/articles')))
  const [model] = all.articles as [Article]
  const own = (id: string, title: string): Article => {
    const text = { ...model.zh, title, words: '' }
    return { ...model, id, items: [], pages: [], own: { at: 0, by: '', only: 'zh' }, zh: text, en: text }
  }
  const ids = (text: string) => all.search('zh', text).ids.filter((id) => id.startsWith('own-'))
  const many = Array.from({ length: 25 }, (_, at) => own(`own-${at + 1}`, `值班手册第${at + 1}册`))
  all.replaceOwn(many)
  await all.prepare('zh')
  expect(ids('值班手册')).toHaveLength(25)
  all.replaceOwn([...many.slice(1), own('own-99', '停机公告')])
  expect(ids('值班手册')).not.toContain('own-1')
  expect(ids('停机公告')).toEqual(['own-99'])
  all.replaceOwn([own('own-99', '复盘模板')])
  expect([ids('值班手册'), ids('停机公告'), ids('复盘模板')]).toEqual([[], [], ['own-99']])
  expect(all.articles).toHaveLength(readArticles(resolve('knowledge/articles')).length + 1)
})
