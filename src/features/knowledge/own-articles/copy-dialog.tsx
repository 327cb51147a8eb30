import { useState } from 'react'
import { articles, MOST_ARTICLES } from '#contracts/http/knowledge.ts'
import { copyArticle, ownArticles } from '#contracts/http/own-articles.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'

/** Chooses the article of the product that a draft begins with. */
export function CopyDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const answer = useEndpoint(
    articles,
    { query: { language, text, limit: MOST_ARTICLES } },
    { placeholderData: (before) => before },
  )
  const copy = useAction(copyArticle, { refreshes: [ownArticles], onSuccess: ({ id }) => onMade(id) })
  const rows = (answer.data?.data ?? []).filter(({ own }) => !own)
  return (
    <FormDialog
      title={t('copyFrom')}
      submitLabel={t('create')}
      isDisabled={chosen === undefined || copy.isPending}
      onSubmit={() => chosen !== undefined && copy.mutate({ body: { article: chosen } })}
      onClose={onClose}
      width={640}
    >
      <p className="text-muted">{t('copyNote')}</p>
      <SearchBox label={t('copyFind')} value={text} onSearch={setText} className="w-full" />
      <div className="h-80 overflow-auto rounded border">
        {answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !answer.data ? (
          <Skeleton lines={8} className="p-4" />
        ) : rows.length === 0 ? (
          <p className="p-4 text-muted">{t('copyNone')}</p>
        ) : (
          <ul>
            {rows.map(({ id, title, summary }) => (
              <li key={id} className="border-b last:border-b-0">
                <button
                  type="button"
                  aria-pressed={id === chosen}
                  onClick={() => setChosen(id)}
                  className={`block w-full border-l-2 px-3 py-2 text-left ${id === chosen ? 'border-l-brand bg-selected' : 'border-l-transparent hover:bg-hover'}`}
                >
                  <span className="block font-semibold">{title}</span>
                  <span className="text-clip-line block text-12 text-muted">{summary}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </FormDialog>
  )
}
