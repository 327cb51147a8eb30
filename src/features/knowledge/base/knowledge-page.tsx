import { FilePen, ListFilter } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  ARTICLE_KINDS,
  ARTICLE_PLATFORMS,
  ARTICLE_TOPICS,
  type ArticleBlock,
  type ArticleHit,
  type ArticleKind,
  type ArticleTopic,
  article,
  articles,
  CODE_LANGUAGES,
  type CodeLanguage,
  MOST_ARTICLES,
} from '#contracts/http/knowledge.ts'
import { PAGES } from '#contracts/pages.ts'
import { ArticleBody } from '#src/features/knowledge/parts/article-body.tsx'
import { ArticleFacts } from '#src/features/knowledge/parts/article-facts.tsx'
import { articlePath } from '#src/features/knowledge/parts/article-parts.tsx'
import { ArticleRail } from '#src/features/knowledge/parts/article-rail.tsx'
import { knowledgeTexts } from '#src/features/knowledge/parts/knowledge-texts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { MarkedText } from '#src/shared/ui/marked-text.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'

const FACETS = ['kind', 'topic', 'platform', 'code', 'own', 'mine'] as const
type Facet = (typeof FACETS)[number]
const keys = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as K[]
const SUGGESTIONS = {
  zh: ['证书绑定', 'zsbd', 'WebView', '重打包', 'GB/T 35273'],
  en: ['certificate pinning', 'WebView', 'repackaging', 'Keychain', 'GB/T 35273'],
}
/** Blocks of an article that the preview shows. */
const PREVIEWED = 8

/** /knowledge/base: search with facets, hits marked, a preview beside the list. The whole view is in the address. */
export default function KnowledgePage() {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const mayWrite = useMay('rule.edit')
  const [filtersOpen, setFiltersOpen] = useState(false)
  const box = useRef<HTMLUListElement>(null)
  const text = (params.get('find') ?? '').slice(0, 100)
  const choice = {
    kind: keys<ArticleKind>(ARTICLE_KINDS).find((one) => one === params.get('kind')) ?? ('' as const),
    topic: keys<ArticleTopic>(ARTICLE_TOPICS).find((one) => one === params.get('topic')) ?? ('' as const),
    platform: ARTICLE_PLATFORMS.find((one) => one === params.get('platform')) ?? ('' as const),
    code: keys<CodeLanguage>(CODE_LANGUAGES).find((one) => one === params.get('code')) ?? ('' as const),
    own: params.get('own') === 'yes' ? ('yes' as const) : ('' as const),
    mine: params.get('mine') === 'yes' ? ('yes' as const) : ('' as const),
  }
  const offset = Math.max(0, (Number.parseInt(params.get('page') ?? '1', 10) || 1) - 1) * MOST_ARTICLES
  const answer = useEndpoint(
    articles,
    { query: { language, text, ...choice, offset, limit: MOST_ARTICLES } },
    { placeholderData: (before) => before },
  )
  const data = answer.data
  const hits = data?.data ?? []
  const [pointed, setPointed] = useState<string>()
  const current = hits.find(({ id }) => id === pointed) ?? hits[0]
  const isFiltered = FACETS.some((name) => choice[name] !== '')
  const clear = () => setParams(Object.fromEntries([...FACETS, 'page'].map((name) => [name, null])))
  const choose = (facet: Facet, value: string) =>
    setParams({ [facet]: choice[facet] === value ? null : value, page: null }, true)
  const move = (step: number, focus = false) => {
    const next = hits[current ? hits.indexOf(current) + step : 0]
    if (!next) return
    setPointed(next.id)
    const link = box.current?.querySelector<HTMLElement>(`[data-id="${next.id}"] a`)
    link?.scrollIntoView({ block: 'nearest' })
    if (focus) link?.focus()
  }
  useActions([
    { id: 'knowledge.next', label: t('next'), keys: 'j', group: t('list'), run: () => move(1, true) },
    { id: 'knowledge.previous', label: t('previous'), keys: 'k', group: t('list'), run: () => move(-1, true) },
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step || event.nativeEvent.isComposing) return
    event.preventDefault()
    move(step)
  }
  return (
    <div className="flex h-full min-h-0 flex-col max-lg:h-auto">
      <PageTitle
        title={PAGES.knowledge_base[language]}
        note={data && t('count', { count: data.all })}
        actions={
          <>
            {mayWrite && (
              <Link to={PAGES.own_articles.path} className={buttonClass('plain')}>
                <Icon of={FilePen} />
                {PAGES.own_articles[language]}
              </Link>
            )}
            <span className="lg:hidden">
              <Button icon={ListFilter} onPress={() => setFiltersOpen((open) => !open)}>
                {t('filters')}
              </Button>
            </span>
          </>
        }
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows in the search box move through the hits */}
      <div className="border-b px-5 pb-3 max-lg:px-4" onKeyDown={onKeyDown}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SearchBox
            label={t('find')}
            value={text}
            onSearch={(words) => setParams({ find: words || null, page: null })}
            className="w-full max-w-[640px]"
          />
          {data && text !== '' && (
            <span aria-live="polite" className="text-12 text-muted tabular-nums">
              {t('results', { count: data.total, ms: data.milliseconds })}
            </span>
          )}
        </div>
        <p className="mt-2 flex flex-wrap gap-x-3 text-12 text-muted">
          {t('also')}
          {SUGGESTIONS[language].map((one) => (
            <button
              key={one}
              type="button"
              className="text-brand-text hover:underline"
              onClick={() => setParams({ find: one, page: null })}
            >
              {one}
            </button>
          ))}
        </p>
      </div>
      <div className="grid min-h-0 flex-1 grid-cols-[196px_minmax(0,1fr)_minmax(320px,400px)] max-xl:grid-cols-[184px_minmax(0,1fr)] max-lg:grid-cols-1">
        <div
          className={`overflow-auto border-r px-5 py-4 max-lg:border-r-0 max-lg:border-b ${filtersOpen ? '' : 'max-lg:hidden'}`}
        >
          {data && (
            <>
              {FACETS.map((facet) => (
                <FacetBlock
                  key={facet}
                  facet={facet}
                  facets={data.facets}
                  chosen={choice[facet]}
                  onChoose={(value) => choose(facet, value)}
                />
              ))}
              {isFiltered && (
                <Button size="small" onPress={clear}>
                  {t('clear')}
                </Button>
              )}
            </>
          )}
        </div>
        <div className="flex min-h-0 flex-col overflow-auto">
          {answer.error ? (
            <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
          ) : !data ? (
            <div className="p-5">
              <Skeleton lines={12} />
            </div>
          ) : hits.length === 0 ? (
            <EmptyState
              kind="filtered"
              title={t('none')}
              hint={t('noneHint')}
              action={isFiltered && <Button onPress={clear}>{t('clear')}</Button>}
            />
          ) : (
            <>
              {data.nearest && <p className="border-b bg-warn-soft px-5 py-2 text-12">{t('nearest')}</p>}
              <ul ref={box} aria-label={t('list')}>
                {hits.map((hit) => (
                  <HitRow
                    key={hit.id}
                    hit={hit}
                    marks={data.marks}
                    isCurrent={hit === current}
                    onPoint={() => setPointed(hit.id)}
                  />
                ))}
              </ul>
              {data.total > MOST_ARTICLES && (
                <Pages
                  total={data.total}
                  offset={offset}
                  onMove={(page) => setParams({ page: page === 0 ? null : String(page + 1) })}
                />
              )}
            </>
          )}
        </div>
        <div className="min-h-0 overflow-auto border-l max-xl:hidden">{current && <Preview id={current.id} />}</div>
      </div>
    </div>
  )
}

function FacetBlock({
  facet,
  facets,
  chosen,
  onChoose,
}: {
  facet: Facet
  facets: {
    kind: Record<string, number>
    topic: Record<string, number>
    platform: Record<string, number>
    code: Record<string, number>
    mine: number | null
    own: number
  }
  chosen: string
  onChoose: (value: string) => void
}) {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const names: Record<Facet, readonly (readonly [string, string])[]> = {
    kind: keys<ArticleKind>(ARTICLE_KINDS).map((id) => [id, ARTICLE_KINDS[id][language]]),
    topic: keys<ArticleTopic>(ARTICLE_TOPICS).map((id) => [id, ARTICLE_TOPICS[id][language]]),
    platform: ARTICLE_PLATFORMS.map((id) => [id, t(id)]),
    code: keys<CodeLanguage>(CODE_LANGUAGES).map((id) => [id, CODE_LANGUAGES[id][language]]),
    own: [['yes', t('own')]],
    mine: [['yes', t('mine')]],
  }
  const counts: Record<string, number> =
    facet === 'mine' || facet === 'own' ? { yes: facets[facet] ?? 0 } : facets[facet]
  const rows = names[facet].filter(([id]) => (counts[id] ?? 0) > 0 || chosen === id)
  if (rows.length === 0 || (facet === 'mine' && facets.mine === null)) return null
  return (
    <fieldset className="mb-5">
      <legend className="mb-1 text-12 text-muted">
        {facet === 'mine' ? t('concern') : facet === 'own' ? t('origin') : t(facet)}
      </legend>
      {rows.map(([id, name]) => (
        <div key={id} className="flex items-center justify-between py-1 text-13">
          <Checkbox isSelected={chosen === id} onChange={() => onChoose(id)}>
            {name}
          </Checkbox>
          <span className="text-12 text-muted tabular-nums">{counts[id] ?? 0}</span>
        </div>
      ))}
    </fieldset>
  )
}

function HitRow({
  hit,
  marks,
  isCurrent,
  onPoint,
}: {
  hit: ArticleHit
  marks: readonly string[]
  isCurrent: boolean
  onPoint: () => void
}) {
  return (
    <li
      data-id={hit.id}
      className={`border-b border-l-2 ${isCurrent ? 'border-l-brand bg-selected' : 'border-l-transparent hover:bg-hover'}`}
    >
      <Link to={articlePath(hit.id)} onFocus={onPoint} onMouseEnter={onPoint} className="block px-4 py-3">
        <span className="text-14 font-semibold">
          <MarkedText text={hit.title} words={marks} />
        </span>
        <span className="mt-0.5 mb-1.5 block text-13/5 text-muted">
          <MarkedText text={hit.summary} words={marks} />
          {hit.excerpt !== '' && (
            <span className="mt-1 block border-l-2 pl-2 text-12">
              <MarkedText text={hit.excerpt} words={marks} />
            </span>
          )}
        </span>
        <ArticleFacts article={hit} />
      </Link>
    </li>
  )
}

/** The beginning of an article and what it has to do with the caller's applications. */
function Preview({ id }: { id: string }) {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const answer = useEndpoint(article, { query: { language, id } }, { placeholderData: (before) => before })
  if (answer.error) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data)
    return (
      <div className="p-5">
        <Skeleton lines={8} />
      </div>
    )
  const { data } = answer.data
  return (
    <section aria-label={t('preview')}>
      <div className="border-b px-5 py-4">
        <div className="mb-1 text-12 text-muted">{t('preview')}</div>
        <h2 className="mb-2 text-16 font-semibold">{data.title}</h2>
        <ArticleBody blocks={beginning(data.blocks)} />
      </div>
      <ArticleRail answer={answer.data} />
    </section>
  )
}

/** The first blocks that are no code; a heading at the end has nothing below it. */
function beginning(blocks: readonly ArticleBlock[]): ArticleBlock[] {
  const shown = blocks.filter(({ kind }) => kind !== 'files' && kind !== 'table').slice(0, PREVIEWED)
  while (shown.at(-1)?.kind === 'heading') shown.pop()
  return shown
}

function Pages({ total, offset, onMove }: { total: number; offset: number; onMove: (page: number) => void }) {
  const pages = Math.ceil(total / MOST_ARTICLES)
  return (
    <nav className="flex gap-1 px-4 py-3">
      {Array.from({ length: pages }, (_, at) => at).map((at) => (
        <Button
          key={at}
          size="small"
          variant={at * MOST_ARTICLES === offset ? 'plain' : 'quiet'}
          onPress={() => onMove(at)}
        >
          {String(at + 1)}
        </Button>
      ))}
    </nav>
  )
}
