import { Search } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { findSubjects } from '#contracts/http/investigation.ts'
import { type Subject, subjectText } from '#domain/trail.ts'
import { call } from '#src/shared/api/call.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { Candidates } from './candidates.tsx'
import { CaseList } from './case-list.tsx'
import { LINK_ICONS } from './link-graph.tsx'
import { recentTraces } from './recent-traces.ts'
import { traceTexts } from './trace-texts.ts'

type Found = ResponseOf<typeof findSubjects>['data']
type Attempt =
  | { state: 'idle' }
  | { state: 'busy' }
  | { state: 'found'; data: Found }
  | { state: 'failed'; error: Error }

/** Where a trace begins: a search, who was attacked most, what was looked at before, and the cases. */
export function SubjectSearch({ state }: { state: QueryState }) {
  const t = useTexts(traceTexts)
  const mayReveal = useMay('personal.reveal')
  const [text, setText] = useState('')
  const [search, setSearch] = useState<Attempt>({ state: 'idle' })
  // The trace goes across applications, whatever the header has chosen.
  const open = (subject: Subject) => state.setParams({ subject: subjectText(subject), apps: 'all', case: null })
  const submit = async () => {
    if (text.trim() === '') return
    setSearch({ state: 'busy' })
    try {
      const { data } = await call(findSubjects, { body: { text: text.trim() } }, { quiet: true })
      const [only] = data
      if (only && data.length === 1) open(only.subject)
      setSearch({ state: 'found', data })
    } catch (error) {
      setSearch({ state: 'failed', error: error as Error })
    }
  }
  const recent = recentTraces()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto border-t">
      <form
        className="flex max-w-2xl flex-wrap items-end gap-2 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          className="min-w-64 flex-1"
          label={t('search')}
          note={t(mayReveal ? 'searchHintPersonal' : 'searchHint')}
          value={text}
          onChange={setText}
          maxLength={128}
          autoFocus
          mono
          autoComplete="off"
        />
        <span className="self-start pt-6.5">
          <Button type="submit" icon={Search} isDisabled={search.state === 'busy' || text.trim() === ''}>
            {t('find')}
          </Button>
        </span>
      </form>
      {search.state === 'failed' && <ErrorState error={search.error} onRetry={() => void submit()} />}
      {search.state === 'found' &&
        (search.data.length === 0 ? (
          <EmptyState kind="none" title={t('nothingFound')} hint={t('nothingHint')} />
        ) : (
          <FoundList found={search.data} onOpen={open} />
        ))}
      <div className="grid flex-1 grid-cols-[minmax(0,2fr)_minmax(0,1fr)] border-t max-lg:flex-none max-lg:grid-cols-1">
        <div className="min-w-0 border-r max-lg:border-r-0">
          <Candidates state={state} onOpen={open} />
        </div>
        <div className="min-w-0">
          <CaseList state={state} />
          <Section plain title={t('recent')} className="border-t">
            {recent.length === 0 ? (
              <p className="px-5 pb-4 text-12 text-muted">{t('noRecent')}</p>
            ) : (
              <ul className="pb-3">
                {recent.map((subject) => (
                  <li key={subjectText(subject)}>
                    <SubjectButton subject={subject} onPress={() => open(subject)} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </div>
      </div>
    </div>
  )
}

function FoundList({ found, onOpen }: { found: Found; onOpen: (subject: Subject) => void }) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  return (
    <ul className="border-t py-2" aria-label={t('search')}>
      {found.map(({ subject, first_at, apps }) => (
        <li key={subjectText(subject)}>
          <SubjectButton
            subject={subject}
            onPress={() => onOpen(subject)}
            note={[
              apps.map((app) => nameOf('app', app)).join(language === 'zh' ? '、' : ', '),
              first_at === null ? '' : t('firstSeen', { time: formatDateTime(first_at, zone, 'minute', Date.now()) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        </li>
      ))}
    </ul>
  )
}

function SubjectButton({ subject, onPress, note }: { subject: Subject; onPress: () => void; note?: string }) {
  const t = useTexts(traceTexts)
  return (
    <button
      type="button"
      onClick={onPress}
      title={subject.key}
      className="flex min-h-8 w-full items-center gap-2 px-5 text-left hover:bg-hover focus-visible:bg-hover"
    >
      <Icon of={LINK_ICONS[subject.kind]} size={14} className="text-muted" />
      <span className="flex-none text-12 text-muted">{t(subject.kind)}</span>
      <span className="flex-none font-mono text-12 text-brand-text">
        {subject.kind === 'address' ? subject.key : shortHash(subject.kind, subject.key)}
      </span>
      {note && <span className="text-clip-line min-w-0 text-12 text-muted">{note}</span>}
    </button>
  )
}
