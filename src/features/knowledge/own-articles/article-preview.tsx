import { useEffect, useState } from 'react'
import { type ArticleProblem, previewOwnArticle, problemText } from '#contracts/http/own-articles.ts'
import { ArticleBody } from '#src/features/knowledge/parts/article-body.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'

const REST_MS = 400

/** What readers would see, by the parser of the server, a moment after the last key; what it refuses, by line. */
export function ArticlePreview({
  title,
  summary,
  body,
  onLine,
}: {
  title: string
  summary: string
  body: string
  /** Goes to a line of the text. */
  onLine: (line: number) => void
}) {
  const t = useTexts(ownArticlesTexts)
  const rested = useRested(body)
  const answer = useEndpoint(
    previewOwnArticle,
    { body: { body: rested } },
    { placeholderData: (before) => before, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
  const data = answer.data
  return (
    <section aria-label={t('preview')} aria-busy={answer.isFetching}>
      {data && data.problems.length > 0 && <Problems problems={data.problems} onLine={onLine} />}
      {answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <h2 className="mb-2 text-20 font-semibold [overflow-wrap:anywhere]">{title || '–'}</h2>
          <p className="mb-4 max-w-[680px] text-14/6 text-muted [overflow-wrap:anywhere]">{summary}</p>
          {data.blocks.length === 0 ? (
            <p className="text-muted">{t('previewNone')}</p>
          ) : (
            <ArticleBody blocks={data.blocks} />
          )}
        </>
      )}
    </section>
  )
}

/** What the parser refuses, each with a link to its line. */
function Problems({ problems, onLine }: { problems: readonly ArticleProblem[]; onLine: (line: number) => void }) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  return (
    <div className="mb-4 border-l-2 border-warn bg-warn-soft px-3 py-2 text-13">
      <p className="mb-1 font-semibold" aria-live="polite">
        {t('problems', { count: problems.length })}
      </p>
      <ul>
        {problems.map((one) => (
          <li key={`${one.line} ${one.problem} ${one.detail}`}>
            <button
              type="button"
              onClick={() => onLine(one.line)}
              className="w-full py-0.5 text-left [overflow-wrap:anywhere] hover:underline"
            >
              <span className="pr-2 font-semibold">{t('line', { line: one.line })}</span>
              {problemText(one, language)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The text as it was when nothing was typed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
