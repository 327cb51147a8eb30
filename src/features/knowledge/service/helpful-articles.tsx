import { Link } from 'react-router-dom'
import { articles } from '#contracts/http/knowledge.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { serviceTexts } from './service-texts.ts'

const MOST = 3
/** Of a subject: what the search takes. */
const WORDS = 100

/** Articles of the knowledge base that its search finds by the words of a subject. */
export function HelpfulArticles({ subject, blank = false }: { subject: string; blank?: boolean }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const text = subject.trim().slice(0, WORDS)
  const answer = useEndpoint(
    articles,
    { query: { language, text, offset: 0, limit: MOST } },
    { enabled: text.length > 1, staleTime: 300_000 },
  )
  const found = answer.data?.data ?? []
  if (blank && found.length === 0) return null
  return (
    <section className={blank ? '' : 'border-b px-5 py-4'} aria-label={t('articles')}>
      <h2 className={blank ? 'mb-1 text-12 text-muted' : 'mb-2 font-semibold'}>{t('articles')}</h2>
      {answer.isPending && !answer.error ? (
        <Skeleton lines={3} />
      ) : found.length === 0 ? (
        <p className="text-12 text-muted">{t('noArticles')}</p>
      ) : (
        <ul className="space-y-1">
          {found.map(({ id, title }) => (
            <li key={id}>
              <Link
                to={PAGES.article.path.replace(':id', id)}
                className="text-brand-text hover:underline"
                {...(blank && { target: '_blank' })}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
