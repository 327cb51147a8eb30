import { article, articles, MOST_ARTICLES, SOLUTION_KINDS, type SolutionKind } from '#contracts/http/knowledge.ts'
import { PAGES } from '#contracts/pages.ts'
import { ArticleBody } from '#src/features/knowledge/parts/article-body.tsx'
import { ArticleFacts } from '#src/features/knowledge/parts/article-facts.tsx'
import { knowledgeTexts } from '#src/features/knowledge/parts/knowledge-texts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'

const KINDS = Object.keys(SOLUTION_KINDS) as SolutionKind[]

/** /knowledge/solutions: technical, implementation and after-sales solutions; the open one is exported as PDF or DOC. */
export default function SolutionsPage() {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const list = useEndpoint(articles, { query: { language, kind: 'solution', offset: 0, limit: MOST_ARTICLES } })
  const kind = KINDS.find((one) => one === params.get('kind')) ?? 'technical'
  const rows = (list.data?.data ?? []).filter(({ solution }) => solution === kind)
  const id = rows.find((one) => one.id === params.get('open'))?.id ?? rows[0]?.id
  const shown = useEndpoint(
    article,
    { query: { language, id: id ?? '' } },
    { enabled: id !== undefined, placeholderData: (before) => before },
  )
  const data = shown.data?.data
  return (
    <div className="flex h-full min-h-0 flex-col max-lg:h-auto">
      <PageTitle
        title={PAGES.solutions[language]}
        note={t('solutionNote')}
        actions={
          <ReportMenu
            of="article"
            label={t('exportIt')}
            look="primary"
            subject={id === undefined ? null : { of: 'article', article: id }}
          />
        }
      />
      <div className="border-b px-5 pb-3 max-lg:px-4">
        <SegmentedControl
          label={t('kind')}
          items={KINDS.map((one) => ({ id: one, label: SOLUTION_KINDS[one][language] }))}
          value={kind}
          onChange={(next) => setParams({ kind: next, open: null })}
        />
      </div>
      {list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <div className="p-5">
          <Skeleton lines={10} />
        </div>
      ) : rows.length === 0 ? (
        <EmptyState kind="none" title={t('none')} />
      ) : (
        <div className="grid min-h-0 flex-1 grid-cols-[280px_minmax(0,1fr)] max-lg:grid-cols-1">
          <nav aria-label={t('list')} className="overflow-auto border-r max-lg:border-r-0 max-lg:border-b">
            <ul>
              {rows.map((one) => (
                <li key={one.id} className="border-b">
                  <button
                    type="button"
                    aria-current={one.id === id ? 'page' : undefined}
                    onClick={() => setParams({ open: one.id })}
                    className={`block w-full border-l-2 px-4 py-3 text-left ${one.id === id ? 'border-l-brand bg-selected' : 'border-l-transparent hover:bg-hover'}`}
                  >
                    <span className="block font-semibold">{one.title}</span>
                    <span className="mt-0.5 block text-12 text-muted">{one.summary}</span>
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
          <div className="min-h-0 overflow-auto px-9 py-5 max-lg:px-4" tabIndex={0}>
            {shown.error ? (
              <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />
            ) : data ? (
              <article aria-label={data.title}>
                <h2 className="mb-1 text-20 font-semibold">{data.title}</h2>
                <ArticleFacts article={data} />
                <p className="my-4 max-w-[680px] text-14/6 text-muted">{data.summary}</p>
                <ArticleBody key={`${data.id} ${language}`} blocks={data.blocks} />
                {data.references.length > 0 && (
                  <p className="mt-6 max-w-[680px] border-t pt-3 text-13 text-muted">
                    {t('references')}: {data.references.join(language === 'zh' ? '、' : ', ')}
                  </p>
                )}
              </article>
            ) : (
              <Skeleton lines={10} />
            )}
          </div>
        </div>
      )}
    </div>
  )
}
