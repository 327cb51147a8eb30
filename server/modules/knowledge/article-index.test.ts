import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ArticleIndex } from './article-index.ts'
import { Library } from './library.ts'
import { readArticles } from './read-articles.ts'

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
