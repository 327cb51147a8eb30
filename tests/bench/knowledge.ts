import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ArticleIndex, type IndexedText } from '#server/modules/knowledge/article-index.ts'
import { blockText } from '#server/modules/knowledge/parse-article.ts'
import { readArticles } from '#server/modules/knowledge/read-articles.ts'
import { type BenchLine, line, percentile } from './bench-line.ts'

const ARTICLES = 10_000
const LIMIT_MS = 50
const SEARCHES = [
  ...[
    '证书绑定',
    '重打包',
    'WebView 文件访问',
    '数据库加密',
    '权限',
    '隐私政策',
    '同意之前',
    '攻击',
    '剪切板',
    '漏洞 升级',
  ],
  ...[
    'zsbd',
    'zhengshu',
    'yinsi',
    'jtb',
    'SSL pinning',
    'allowBackup',
    'addJavascriptInterface',
    'certificate',
    'sgnature',
  ],
  ...['MD5', 'a', '的', '没有这样的词语组合', 'android-exported-activity'],
]

/** Searches over 10,000 articles, made of the sentences of our own: as they are typed, pinyin, initials, errors and words of all articles included. */
export async function run(): Promise<BenchLine[]> {
  const texts = generated(ARTICLES)
  const before = process.memoryUsage().heapUsed
  const began = performance.now()
  const index = new ArticleIndex(texts)
  const made = performance.now() - began
  const heap = (process.memoryUsage().heapUsed - before) / 1e6
  for (const text of SEARCHES) index.find(text)
  const times: number[] = []
  let slowest = { text: '', ms: 0 }
  for (let round = 0; round < 10; round++)
    for (const text of SEARCHES) {
      const start = performance.now()
      index.find(text)
      const ms = performance.now() - start
      times.push(ms)
      if (ms > slowest.ms) slowest = { text, ms }
    }
  const p95 = percentile(times, 0.95)
  return [
    {
      ...line('knowledge: search p95', p95, 'ms', 'p50', percentile(times, 0.5), `value < ${LIMIT_MS}`, p95 < LIMIT_MS),
      detail: { articles: ARTICLES, searches: times.length, slowest: slowest.text, max: Math.round(slowest.ms) },
    },
    line('knowledge: index made', made / 1000, 's', null, null, '', true),
    line('knowledge: heap of the index', heap, 'MB', null, null, '', true),
  ]
}

/** Articles whose sentences are those of the repository's, mixed by a fixed sequence. */
function generated(count: number): IndexedText[] {
  const own = readArticles(resolve('knowledge/articles'))
  const sentences = own.flatMap((one) => one.zh.blocks.map(blockText).filter((text) => text.length > 8))
  const titles = own.map((one) => one.zh.title)
  let state = 1
  const next = (most: number) => {
    state = (state * 48271) % 2147483647
    return state % most
  }
  const pick = (list: readonly string[]) => list[next(list.length)] as string
  return Array.from({ length: count }, (_, at) => ({
    id: `article-${at}`,
    title: `${pick(titles)} ${at}`,
    summary: pick(sentences),
    words: own[next(own.length)]?.zh.words ?? '',
    body: Array.from({ length: 12 }, () => pick(sentences)).join('\n'),
  }))
}
