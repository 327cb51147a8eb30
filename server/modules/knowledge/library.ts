import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ArticleLine } from '#contracts/http/knowledge.ts'
import type { PageName } from '#contracts/pages.ts'
import { ArticleIndex, type Found } from './article-index.ts'
import { blockText } from './parse-article.ts'
import { type Article, readArticles } from './read-articles.ts'

type Language = 'zh' | 'en'

/** The articles of the product with what is looked up in them. */
export class Library {
  readonly articles: readonly Article[]
  private readonly byId: ReadonlyMap<string, Article>
  private readonly byItem: ReadonlyMap<string, Article>
  private readonly byPage: ReadonlyMap<PageName, Article>
  private readonly indexes: Partial<Record<Language, ArticleIndex>> = {}

  constructor(articles: readonly Article[]) {
    this.articles = articles
    this.byId = new Map(articles.map((one) => [one.id, one]))
    this.byItem = new Map(articles.flatMap((one) => one.items.map((item) => [item, one] as const)))
    this.byPage = new Map(articles.flatMap((one) => one.pages.map((page) => [page, one] as const)))
  }

  /** By its id, by a detection item, or by `page:` and the name of a page. */
  find(id: string): Article | undefined {
    if (id.startsWith('page:')) return this.byPage.get(id.slice('page:'.length) as PageName)
    return this.byId.get(id) ?? this.byItem.get(id)
  }

  /** Articles by words; the article whose id, or whose item's id, the text is comes first. */
  search(language: Language, text: string): Found {
    const found = this.index(language).find(text)
    const named = this.find(text.toLowerCase())
    if (!named) return found
    return { ...found, ids: [named.id, ...found.ids.filter((id) => id !== named.id)], nearest: false }
  }

  /** Makes what a first search needs: about a second of work. */
  warm(): void {
    for (const language of ['zh', 'en'] as const) this.index(language)
  }

  /** Made when it is first asked. */
  private index(language: Language): ArticleIndex {
    const known = this.indexes[language]
    if (known) return known
    const other = language === 'zh' ? 'en' : 'zh'
    const made = new ArticleIndex(
      this.articles.map((one) => ({
        id: one.id,
        title: one[language].title,
        summary: one[language].summary,
        words: `${one[language].words} ${one[other].words} ${one.id} ${one.items.join(' ')}`,
        body: one[language].blocks.map(blockText).join('\n'),
      })),
    )
    this.indexes[language] = made
    return made
  }
}

let known: Library | undefined
/** The library of this installation, read once. */
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
    minutes: Math.max(1, Math.round(letters / LETTERS_A_MINUTE[language])),
  }
}
