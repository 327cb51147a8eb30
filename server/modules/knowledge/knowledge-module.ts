import { performance } from 'node:perf_hooks'
import { ProductError } from '#contracts/errors.ts'
import type { QueryOf } from '#contracts/http/endpoint.ts'
import { type ArticleHit, article, articles } from '#contracts/http/knowledge.ts'
import type { Module } from '../../http/module.ts'
import { CATALOGUE, itemName } from '../detection/catalogue.ts'
import { lineOf } from './library.ts'
import { failedItems, ownFindings } from './own-findings.ts'
import { currentLibrary } from './own-library.ts'
import { blockText } from './parse-article.ts'
import type { Article } from './read-articles.ts'

const ITEMS = new Map(CATALOGUE.items.map((item) => [item.id, item]))
const EXCERPT = 110

type Filters = Pick<QueryOf<typeof articles>, 'kind' | 'topic' | 'platform' | 'code' | 'mine' | 'own'>

/** The knowledge base: search with facets, and one article with what it has to do with the caller's applications. */
export const knowledgeModule: Module = (mount, deps) => {
  mount(articles, async ({ query, caller }) => {
    const { language, text } = query
    const all = await currentLibrary(deps.meta)
    const failed = await failedItems(deps, caller)
    if (text !== '') await all.prepare(language)
    const began = performance.now()
    const found = text === '' ? undefined : all.search(language, text)
    const candidates = found
      ? found.ids.flatMap((id) => all.find(id) ?? [])
      : all.articles.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || rank(a) - rank(b))
    const mine = (one: Article) => one.items.some((item) => failed?.has(item))
    const passes = (one: Article, without?: keyof Filters) =>
      (without === 'kind' || query.kind === '' || one.kind === query.kind) &&
      (without === 'topic' || query.topic === '' || one.topic === query.topic) &&
      (without === 'platform' || query.platform === '' || one.platforms.includes(query.platform)) &&
      (without === 'code' || query.code === '' || one.code.includes(query.code)) &&
      (without === 'mine' || query.mine === '' || mine(one)) &&
      (without === 'own' || query.own === '' || one.own !== null)
    const count = (name: keyof Filters, of: (one: Article) => readonly string[]) => {
      const counts: Record<string, number> = {}
      for (const one of candidates)
        if (passes(one, name)) for (const key of of(one)) counts[key] = (counts[key] ?? 0) + 1
      return counts
    }
    const shown = candidates.filter((one) => passes(one))
    const marks = found?.marks ?? []
    return {
      data: shown
        .slice(query.offset, query.offset + query.limit)
        .map((one): ArticleHit => ({ ...lineOf(one, language), excerpt: excerptOf(one, language, marks) })),
      total: shown.length,
      all: all.articles.length,
      facets: {
        kind: count('kind', ({ kind }) => [kind]),
        topic: count('topic', ({ topic }) => [topic]),
        platform: count('platform', ({ platforms }) => platforms),
        code: count('code', ({ code }) => code),
        mine: failed ? candidates.filter((one) => passes(one, 'mine') && mine(one)).length : null,
        own: candidates.filter((one) => passes(one, 'own') && one.own !== null).length,
      },
      marks,
      nearest: found?.nearest ?? false,
      milliseconds: Math.round((performance.now() - began) * 10) / 10,
    }
  })

  mount(article, async ({ query, caller }) => {
    const { language } = query
    const all = await currentLibrary(deps.meta)
    const one = all.find(query.id)
    if (!one) throw new ProductError('data.missing')
    const items = one.items.flatMap((id) => ITEMS.get(id) ?? [])
    const found = await ownFindings(deps, caller, one.items)
    return {
      data: {
        ...lineOf(one, language),
        blocks: one[language].blocks,
        references: [...new Set([...one.references, ...items.flatMap(referencesOf)])],
        items: items.map(({ id, name, level }) => ({ id, name, level })),
        risks: one.risks,
        pages: one.pages,
        related: one.related.flatMap((id) => {
          const other = all.find(id)
          return other ? [{ id, title: other[language].title }] : []
        }),
        own_related: all.ownAbout(one).map((other) => ({ id: other.id, title: other[language].title })),
        published: one.own && { at: one.own.at, by: one.own.by },
      },
      found: found?.map((finding) => ({ ...finding, item_name: itemName(finding.item) })) ?? null,
    }
  })
}

const ORDER = ['article', 'solution', 'help']
/** Articles of more serious items come first. */
const LEVELS = ['high', 'middle', 'low', 'info']
const rank = (one: Article) =>
  Math.min(LEVELS.length, ...one.items.map((id) => LEVELS.indexOf(ITEMS.get(id)?.level ?? '')))

/** Numbers of standards of an item, without what its authors noted in brackets. */
function referencesOf({ references }: (typeof CATALOGUE.items)[number]): string[] {
  return Object.values(references)
    .flat()
    .map((one) => one.replace(/ \([^)]*\)$/, ''))
}

/** A piece of the body around the first word that neither title nor summary holds. */
function excerptOf(one: Article, language: 'zh' | 'en', marks: readonly string[]): string {
  const { title, summary, blocks } = one[language]
  const head = `${title} ${summary}`.toLowerCase()
  const missing = marks.filter((mark) => mark.length > 1 && !head.includes(mark))
  if (missing.length === 0 || marks.some((mark) => mark.length > 1 && head.includes(mark))) return ''
  for (const block of blocks) {
    if (block.kind === 'table') continue
    const text = blockText(block)
    const at = Math.min(...missing.map((mark) => text.toLowerCase().indexOf(mark)).filter((place) => place >= 0))
    if (!Number.isFinite(at)) continue
    const from = Math.max(0, at - 30)
    return `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT)}${from + EXCERPT < text.length ? '…' : ''}`
  }
  return ''
}
