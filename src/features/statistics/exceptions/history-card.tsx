import { useState } from 'react'
import { exceptionGroup, noteException, type TriageState } from '#contracts/http/exceptions.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { exceptionTexts } from './exception-texts.ts'

type Line = { at: number; by: string; what: string; detail: string }

/** Who did what to the group, newest first, with what the product saw itself; a form for a note. */
export function HistoryCard({
  appid,
  group,
  lines,
  triage,
}: {
  appid: string
  group: string
  lines: readonly Line[]
  triage: TriageState
}) {
  const t = useTexts(exceptionTexts)
  const zone = usePlatform((platform) => platform.zone)
  const may = useMay('investigation.edit')
  const [text, setText] = useState<string | null>(null)
  const note = useAction(noteException, { refreshes: [exceptionGroup], onSuccess: () => setText(null) })
  const words = ({ what, detail }: Line) => {
    if (what === 'note') return `“${detail}”`
    if (what === 'assigned') return detail ? t('saidAssigned', { name: detail }) : t('saidUnassigned')
    if (what === 'resolved') return t('saidResolved', { version: detail || '–' })
    if (what === 'regressed') return t('saidRegressed', { version: detail })
    if (what === 'ignored')
      return detail ? t('saidIgnored', { time: formatDateTime(Number(detail), zone, 'minute') }) : t('saidIgnoredGood')
    return t('saidOpen')
  }
  const seen: Line[] = triage.regressed
    ? [{ at: triage.regressed.at, by: '', what: 'regressed', detail: triage.regressed.version }]
    : []
  const all = [...lines, ...seen].sort((a, b) => b.at - a.at)
  return (
    <Section
      plain
      title={t('history')}
      actions={
        may &&
        text === null && (
          <button type="button" className="text-12 text-brand-text hover:underline" onClick={() => setText('')}>
            {t('note')}
          </button>
        )
      }
    >
      <div className="px-5 pb-5 text-13">
        {text !== null && (
          <form
            className="mb-3 flex flex-col items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              if (text.trim()) note.mutate({ body: { appid, group, text } })
            }}
          >
            <TextField
              label={t('noteText')}
              hideLabel
              value={text}
              onChange={setText}
              rows={2}
              maxLength={500}
              autoFocus
              className="w-full"
            />
            <Button type="submit" size="small" isDisabled={text.trim() === '' || note.isPending}>
              {t('save')}
            </Button>
          </form>
        )}
        {all.length === 0 ? (
          <p className="text-12 text-muted">{t('noHistory')}</p>
        ) : (
          <ul>
            {all.map((line) => (
              <li key={`${line.at}-${line.what}-${line.detail}`} className="flex items-baseline gap-2 py-0.5">
                <span className="min-w-0 flex-1 break-words">
                  {line.by && <span className="text-muted">{shortAccount(line.by)} </span>}
                  {words(line)}
                </span>
                <time className="flex-none text-12 text-muted">{formatDateTime(line.at, zone, 'minute').slice(5)}</time>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}
