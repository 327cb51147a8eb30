import { Keyboard } from 'lucide-react'
import { article, articles, MOST_ARTICLES } from '#contracts/http/knowledge.ts'
import { GROUPS, PAGE_NAMES, PAGES, type PageGroup } from '#contracts/pages.ts'
import { ArticleBody } from '#src/features/knowledge/parts/article-body.tsx'
import { ArticleRail } from '#src/features/knowledge/parts/article-rail.tsx'
import { knowledgeTexts } from '#src/features/knowledge/parts/knowledge-texts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { runAction } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'

const HOME = 'page:help'

/** /help: an article for each page, by groups of the menu; the open one is in the address. */
export default function HelpPage() {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const text = (params.get('find') ?? '').slice(0, 100)
  const found = useEndpoint(
    articles,
    { query: { language, kind: 'help', text, offset: 0, limit: MOST_ARTICLES } },
    { enabled: text !== '', placeholderData: (before) => before },
  )
  const open = params.get('open') ?? HOME
  const shown = useEndpoint(article, { query: { language, id: open } }, { placeholderData: (before) => before })
  const hits = text === '' ? undefined : found.data?.data
  const pick = (id: string) => setParams({ open: id })
  return (
    <div className="flex h-full min-h-0 flex-col max-lg:h-auto">
      <PageTitle
        title={PAGES.help[language]}
        actions={
          <Button icon={Keyboard} onPress={() => runAction('shell.keys')}>
            {t('keys')}
          </Button>
        }
      />
      <div className="grid min-h-0 flex-1 grid-cols-[248px_minmax(0,1fr)] border-t max-lg:grid-cols-1">
        <nav
          aria-label={t('allHelp')}
          className="overflow-auto border-r px-5 py-4 text-13 max-lg:max-h-72 max-lg:border-r-0 max-lg:border-b"
        >
          <SearchBox
            label={t('find')}
            value={text}
            onSearch={(words) => setParams({ find: words || null })}
            className="mb-3 w-full"
          />
          {text !== '' && found.error ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} />
          ) : hits?.length === 0 ? (
            <EmptyState kind="filtered" title={t('none')} />
          ) : hits ? (
            <List
              rows={hits.map(({ id, title }) => ({ id, title }))}
              open={shown.data?.data.id ?? open}
              onOpen={pick}
            />
          ) : (
            (Object.keys(GROUPS) as PageGroup[]).map((group) => {
              const rows = PAGE_NAMES.filter((name) => {
                const page = PAGES[name]
                return page.group === group && page.built && !page.hidden
              }).map((name) => ({ id: `page:${name}`, title: PAGES[name][language] }))
              return rows.length === 0 ? null : (
                <section key={group} className="mb-4">
                  <h2 className="mb-1 text-12 text-muted">{GROUPS[group][language]}</h2>
                  <List rows={rows} open={open} onOpen={pick} />
                </section>
              )
            })
          )}
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
        <div className="min-h-0 overflow-auto px-9 py-5 max-lg:px-4" tabIndex={0}>
          {shown.error ? (
            shown.error.key === 'data.missing' || shown.error.key === 'input.invalid' ? (
              <EmptyState kind="missing" title={t('noHelp')} code={open} />
            ) : (
              <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />
            )
          ) : shown.data ? (
            <article aria-label={shown.data.data.title}>
              <h2 className="mb-1 text-20 font-semibold">{shown.data.data.title}</h2>
              <p className="mb-4 max-w-[680px] text-14/6 text-muted">{shown.data.data.summary}</p>
              <ArticleBody key={`${shown.data.data.id} ${language}`} blocks={shown.data.data.blocks} />
              <div className="mt-6 max-w-[680px] border-t [&_section]:px-0">
                <ArticleRail answer={shown.data} />
              </div>
            </article>
          ) : (
            <Skeleton lines={10} />
          )}
        </div>
      </div>
    </div>
  )
}

function List({
  rows,
  open,
  onOpen,
}: {
  rows: readonly { id: string; title: string }[]
  open: string
  onOpen: (id: string) => void
}) {
  return (
    <ul>
      {rows.map(({ id, title }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === open ? 'page' : undefined}
            onClick={() => onOpen(id)}
            className={`block w-full rounded-small px-2 py-1 text-left ${id === open ? 'bg-selected font-semibold text-brand-text' : 'hover:bg-hover'}`}
          >
            {title}
          </button>
        </li>
      ))}
    </ul>
  )
}
