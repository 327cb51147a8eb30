import { Link, useParams } from 'react-router-dom'
import { ownArticle } from '#contracts/http/own-articles.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ArticleEditor } from './article-editor.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'
import { NEW } from './use-article-draft.ts'

/** /knowledge/own/:id/: the editor of one own article; `new` makes one. */
export default function OwnArticlePage() {
  const { id = '' } = useParams()
  return (
    <PermittedPage page="own_article" permission="rule.edit">
      {id === NEW ? <ArticleEditor key={id} opened={undefined} /> : <Stored key={id} id={id} />}
    </PermittedPage>
  )
}

function Stored({ id }: { id: string }) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const answer = useEndpoint(ownArticle, { query: { id } })
  if (answer.data) return <ArticleEditor opened={answer.data} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.own_article[language]} />
      {answer.error ? (
        answer.error.key === 'data.missing' || answer.error.key === 'input.invalid' ? (
          <EmptyState
            kind="missing"
            title={t('missing')}
            hint={t('missingHint')}
            code={id}
            action={
              <Link to={PAGES.own_articles.path} className={buttonClass('plain')}>
                {t('toList')}
              </Link>
            }
          />
        ) : (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        )
      ) : (
        <Skeleton lines={12} className="px-5 py-3" />
      )}
    </div>
  )
}
