import { type ArticleProblem, problemText } from '#contracts/http/own-articles.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ownArticlesTexts } from './own-articles-texts.ts'

export type RefusedPart = ArticleProblem & { language: 'zh' | 'en' }

/** What an author has to know above the text: another version was saved, unsaved text was loaded, parts that were not published. */
export function ArticleNotices({
  conflict,
  kept,
  refused,
  onRefused,
  onDismiss,
}: {
  conflict: { version: number; based: number; onShow: () => void; onKeep: () => void; onDiscard: () => void } | null
  kept: { at: number; onDiscard: () => void } | null
  refused: readonly RefusedPart[]
  onRefused: (one: RefusedPart) => void
  onDismiss: () => void
}) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  return (
    <>
      {conflict ? (
        <Bar
          tone="warn"
          text={t('conflictTitle', { version: conflict.version, based: conflict.based })}
          actions={[
            [t('conflictShow'), conflict.onShow],
            [t('conflictKeep'), conflict.onKeep],
            [t('conflictTake'), conflict.onDiscard],
          ]}
        />
      ) : (
        kept && (
          <Bar
            tone="brand"
            text={t('localTitle', { at: formatDateTime(kept.at, zone) })}
            actions={[[t('localDrop'), kept.onDiscard]]}
          />
        )
      )}
      {refused.length > 0 && (
        <div className="flex items-start gap-3 border-t bg-bad-soft px-5 py-2 max-lg:px-4" role="alert">
          <div className="min-w-0 flex-1">
            <p className="font-semibold text-bad-text">{t('notPublished', { count: refused.length })}</p>
            <ul className="max-h-32 overflow-auto">
              {refused.map((one) => (
                <li key={`${one.language} ${one.line} ${one.problem} ${one.detail}`}>
                  <button
                    type="button"
                    className="py-0.5 text-left [overflow-wrap:anywhere] hover:underline"
                    onClick={() => onRefused(one)}
                  >
                    {t(one.language)}
                    {one.line > 0 && ` · ${t('line', { line: one.line })}`} · {problemText(one, language)}
                  </button>
                </li>
              ))}
            </ul>
          </div>
          <Button size="small" variant="quiet" onPress={onDismiss}>
            {t('dismiss')}
          </Button>
        </div>
      )}
    </>
  )
}

function Bar({
  tone,
  text,
  actions,
}: {
  tone: 'warn' | 'brand'
  text: string
  actions: readonly (readonly [label: string, run: () => void])[]
}) {
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-5 py-2 max-lg:px-4 ${tone === 'warn' ? 'bg-warn-soft' : 'bg-selected'}`}
    >
      <span className="mr-auto">{text}</span>
      {actions.map(([label, run]) => (
        <Button key={label} size="small" onPress={run}>
          {label}
        </Button>
      ))}
    </div>
  )
}
