import { Link } from 'react-router-dom'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

/** Shown in place of an article: no article has this id (with a link to `list`), or it could not be read. */
export function ArticleFailure({
  id,
  error,
  list,
  onRetry,
}: {
  id: string
  error: ApiError
  list: { path: string; label: string }
  onRetry: () => void
}) {
  const t = useTexts(knowledgeTexts)
  if (error.key !== 'data.missing' && error.key !== 'input.invalid')
    return <ErrorState error={error} onRetry={onRetry} />
  return (
    <EmptyState
      kind="missing"
      title={t('missing')}
      hint={t('missingHint')}
      code={id}
      action={
        <Link to={list.path} className={buttonClass('plain')}>
          {list.label}
        </Link>
      }
    />
  )
}
