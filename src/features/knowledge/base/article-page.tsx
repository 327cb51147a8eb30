import { CopyPlus, FilePen } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { type ArticleBlock, article } from '#contracts/http/knowledge.ts'
import { copyArticle, ownArticles } from '#contracts/http/own-articles.ts'
import { PAGES } from '#contracts/pages.ts'
import { ArticleBody } from '#src/features/knowledge/parts/article-body.tsx'
import { ArticleFacts } from '#src/features/knowledge/parts/article-facts.tsx'
import { ArticleFailure } from '#src/features/knowledge/parts/article-failure.tsx'
import { articlePath, ownArticlePath } from '#src/features/knowledge/parts/article-parts.tsx'
import { ArticleRail } from '#src/features/knowledge/parts/article-rail.tsx'
import { knowledgeTexts } from '#src/features/knowledge/parts/knowledge-texts.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { useStillShown } from '#src/shared/ui/use-still-shown.ts'

/** /knowledge/base/:id/: one article with its contents, code, own findings and the policy option that helps. An item's id leads to its article. */
export default function ArticlePage() {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const isStillShown = useStillShown()
  const { id = '' } = useParams()
  const answer = useEndpoint(article, { query: { language, id } }, { placeholderData: (before) => before })
  const shown = answer.data
  const zone = usePlatform((state) => state.zone)
  const mayWrite = useMay('rule.edit')
  const copy = useAction(copyArticle, {
    refreshes: [ownArticles],
    onSuccess(made) {
      if (isStillShown()) void navigate(ownArticlePath(made.id))
    },
  })
  usePageSubject(shown?.data.title)
  const real = answer.isPlaceholderData ? undefined : shown?.data.id
  useEffect(() => {
    if (real !== undefined && real !== id) void navigate(articlePath(real), { replace: true })
  }, [real, id, navigate])

  if (answer.error)
    return (
      <div className="flex min-h-full flex-col">
        <PageTitle title={PAGES.article[language]} />
        <ArticleFailure
          id={id}
          error={answer.error}
          list={{ path: PAGES.knowledge_base.path, label: t('toBase') }}
          onRetry={() => void answer.refetch()}
        />
      </div>
    )
  if (!shown)
    return (
      <>
        <PageTitle title={PAGES.article[language]} />
        <div className="max-w-[680px] px-5">
          <Skeleton lines={12} />
        </div>
      </>
    )
  const { data } = shown
  return (
    <div className="flex min-h-full flex-col">
      <PageTitle
        title={data.title}
        actions={
          <>
            {mayWrite && data.own && (
              <Link to={ownArticlePath(data.id)} className={buttonClass('plain')}>
                <Icon of={FilePen} />
                {t('edit')}
              </Link>
            )}
            {mayWrite && !data.own && (
              <Button
                icon={CopyPlus}
                isDisabled={copy.isPending}
                onPress={() => copy.mutate({ body: { article: data.id } })}
              >
                {t('copyIt')}
              </Button>
            )}
            <ReportMenu of="article" label={t('exportIt')} subject={{ of: 'article', article: data.id }} />
          </>
        }
      />
      <div className="border-b px-5 pb-3 max-lg:px-4">
        <ArticleFacts article={data} />
        {data.published && (
          <p className="mt-1 text-12 text-muted">
            {t('publishedBy', { by: data.published.by, at: formatDateTime(data.published.at, zone) })}
          </p>
        )}
      </div>
      <div className="grid flex-1 grid-cols-[212px_minmax(0,1fr)_340px] max-xl:grid-cols-[minmax(0,1fr)_320px] max-lg:grid-cols-1">
        <nav aria-label={t('contents')} className="border-r px-5 py-5 text-13 max-xl:hidden">
          <div className="sticky top-5">
            <Contents blocks={data.blocks} title={t('contents')} />
            {data.related.length > 0 && <Related related={data.related} title={t('related')} />}
          </div>
        </nav>
        <div className="min-w-0 px-9 py-5 max-lg:px-4">
          {data.only !== null && data.only !== language && (
            <p className="mb-4 max-w-[680px] border-l-2 border-warn bg-warn-soft px-3 py-2 text-13">{t('onlyHint')}</p>
          )}
          <p className="mb-4 max-w-[680px] text-14/6 text-muted">{data.summary}</p>
          <ArticleBody key={`${data.id} ${language}`} blocks={data.blocks} />
          {data.related.length > 0 && (
            <div className="mt-6 border-t pt-4 text-13 xl:hidden">
              <Related related={data.related} title={t('related')} />
            </div>
          )}
        </div>
        <div className="border-l max-lg:border-t max-lg:border-l-0">
          <ArticleRail answer={shown} />
        </div>
      </div>
    </div>
  )
}

function Contents({ blocks, title }: { blocks: readonly ArticleBlock[]; title: string }) {
  const headings = blocks.filter((block) => block.kind === 'heading' && block.level === 2)
  if (headings.length === 0) return null
  return (
    <>
      <h2 className="mb-1.5 text-12 text-muted">{title}</h2>
      <ul className="mb-6 border-l-2">
        {headings.map(
          (block) =>
            block.kind === 'heading' && (
              <li key={block.id}>
                <button
                  type="button"
                  className="block w-full py-1 pl-3 text-left hover:text-brand-text"
                  onClick={() => document.getElementById(block.id)?.scrollIntoView({ block: 'start' })}
                >
                  {block.text}
                </button>
              </li>
            ),
        )}
      </ul>
    </>
  )
}

function Related({ related, title }: { related: readonly { id: string; title: string }[]; title: string }) {
  return (
    <>
      <h2 className="mb-1.5 text-12 text-muted">{title}</h2>
      <ul>
        {related.map((one) => (
          <li key={one.id} className="py-1">
            <Link to={articlePath(one.id)} className="text-brand-text hover:underline">
              {one.title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
