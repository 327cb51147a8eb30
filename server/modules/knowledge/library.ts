import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ArticleLine } from '#contracts/http/knowledge.ts'
import type { PageName } from '#contracts/pages.ts'
import { ArticleIndex, type Found, type IndexedText } from './article-index.ts'
import { blockText } from './parse-article.ts'
import { type Article, readArticles } from './read-articles.ts'

type Language = 'zh' | 'en'
/** Own articles indexed in one go: some tens of milliseconds. */
const AT_A_TIME = 10

/** The articles of the product and those of the organisation, with what is looked up in them. */
export class Library {
  private readonly product: readonly Article[]
  private own: ReadonlyMap<string, Article> = new Map()
  private readonly byId: ReadonlyMap<string, Article>
  private readonly byItem: ReadonlyMap<string, Article>
  private readonly byPage: ReadonlyMap<PageName, Article>
  private readonly indexes: Partial<Record<Language, { index: ArticleIndex; own: Map<string, Article> }>> = {}

  constructor(articles: readonly Article[]) {
    this.product = articles
    this.byId = new Map(articles.map((one) => [one.id, one]))
    this.byItem = new Map(articles.flatMap((one) => one.items.map((item) => [item, one] as const)))
    this.byPage = new Map(articles.flatMap((one) => one.pages.map((page) => [page, one] as const)))
  }

  get articles(): readonly Article[] {
    return [...this.product, ...this.own.values()]
  }

  /** By its id, by a detection item, or by `page:` and the name of a page; an article of the product before one of the organisation. */
  find(id: string): Article | undefined {
    if (id.startsWith('page:')) {
      const page = id.slice('page:'.length) as PageName
      return this.byPage.get(page) ?? this.ownWhere(({ pages }) => pages.includes(page))[0]
    }
    return (
      this.byId.get(id) ??
      this.own.get(id) ??
      this.byItem.get(id) ??
      this.ownWhere(({ items }) => items.includes(id))[0]
    )
  }

  /** Articles of the organisation about the same detection items or pages. */
  ownAbout({ id, items, pages }: Article): Article[] {
    return this.ownWhere(
      (one) =>
        one.id !== id &&
        (one.items.some((item) => items.includes(item)) || one.pages.some((page) => pages.includes(page))),
    )
  }

  /** Puts these articles of the organisation in place of the ones before. */
  replaceOwn(articles: readonly Article[]): void {
    this.own = new Map(articles.map((one) => [one.id, one]))
  }

  /** Indexes what a search needs and is not indexed yet, a few own articles at a time: other work goes on in between. */
  async prepare(language: Language): Promise<void> {
    while (this.catchUp(language, AT_A_TIME)) await setImmediate()
  }

  /** Brings the index nearer to the own articles, by at most so many; whether any are left. One that is the same object is not indexed again. */
  private catchUp(language: Language, most: number): boolean {
    const { index, own } = this.index(language)
    for (const [id, one] of own)
      if (this.own.get(id) !== one) {
        index.remove([id])
        own.delete(id)
      }
    const missing = [...this.own.values()].filter(({ id }) => !own.has(id))
    const next = missing.slice(0, most)
    index.add(next.map((one) => indexed(one, language)))
    for (const one of next) own.set(one.id, one)
    return missing.length > next.length
  }

  private ownWhere(test: (one: Article) => boolean): Article[] {
    return [...this.own.values()].filter(test)
  }

  /** Articles by words; the article whose id, or whose item's id, the text is comes first. */
  search(language: Language, text: string): Found {
    this.catchUp(language, Number.POSITIVE_INFINITY)
    const found = this.index(language).index.find(text)
    const named = this.find(text.toLowerCase())
    if (!named) return found
    return { ...found, ids: [named.id, ...found.ids.filter((id) => id !== named.id)], nearest: false }
  }

  /** Makes what a first search needs: about a second of work. */
  warm(): void {
    for (const language of ['zh', 'en'] as const) this.index(language)
  }

  /** Made when it is first asked, with the articles of the product; `own`: those of the organisation that are in it. */
  private index(language: Language): { index: ArticleIndex; own: Map<string, Article> } {
    const known = this.indexes[language]
    if (known) return known
    const index = new ArticleIndex(this.product.map((one) => indexed(one, language)))
    const made = { index, own: new Map<string, Article>() }
    this.indexes[language] = made
    return made
  }
}

function indexed(one: Article, language: Language): IndexedText {
  const other = language === 'zh' ? 'en' : 'zh'
  const { title, summary, words, blocks } = one[language]
  return {
    ...{ id: one.id, title, summary },
    words: `${words} ${one[other].words} ${one.id} ${one.items.join(' ')}`,
    body: blocks.map(blockText).join('\n'),
  }
}

let known: Library | undefined
/**
 * The library of this process, the product's articles read once. Those of the organisation are as current as the last currentLibrary
 * (own-library.ts).
 */
export function library(): Library {
  known ??= new Library(readArticles(join(knowledgeFolder(), 'articles')))
  return known
}

/** `knowledge` of the release that this program belongs to, whatever the working directory is: above dist/node, or above the source. */
export function knowledgeFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'knowledge')
    if (existsSync(join(found, 'articles/page-help/article.yaml'))) return found
    if (folder === dirname(folder)) throw new Error('the folder knowledge is missing')
  }
}

const LETTERS_A_MINUTE = { zh: 400, en: 1200 }

export function lineOf(one: Article, language: Language): ArticleLine {
  const { id, kind, topic, solution, platforms, code } = one
  const text = one[language]
  const letters = text.blocks.reduce((sum, block) => sum + blockText(block).length, 0)
  return {
    ...{ id, kind, topic, solution, platforms, code, title: text.title, summary: text.summary },
    ...{ own: one.own !== null, only: one.own?.only ?? null },
    minutes: Math.max(1, Math.round(letters / LETTERS_A_MINUTE[language])),
  }
}
