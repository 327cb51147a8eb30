import { useParams } from 'react-router-dom'
import { ownArticle } from '#contracts/http/own-articles.ts'
import { PAGES } from '#contracts/pages.ts'
import { ArticleFailure } from '#src/features/knowledge/parts/article-failure.tsx'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
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
        <ArticleFailure
          id={id}
          error={answer.error}
          list={{ path: PAGES.own_articles.path, label: t('toList') }}
          onRetry={() => void answer.refetch()}
        />
      ) : (
        <Skeleton lines={12} className="px-5 py-3" />
      )}
    </div>
  )
}
