import { MapPin, MessageSquare, Network, Smartphone, Trash2, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CaseEntry } from '#contracts/http/investigation.ts'
import { type Subject, subjectText } from '#domain/trail.ts'
import { eventLevel, eventParam, eventTitle } from '#src/shared/events/event-words.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { caseTexts, traceTexts } from './trace-texts.ts'
import type { CaseInUse } from './use-case.ts'

const SUBJECT_ICONS: Record<Subject['kind'], IconType> = { device: Smartphone, user: User, address: Network }

/** Pins and notes of a case in order of time; a pin opens what it pins. */
export function CaseEntries({
  inUse,
  onOpen,
}: {
  inUse: CaseInUse
  /** Opens a trace or an event by its address parameters. */
  onOpen: (params: Record<string, string>) => void
}) {
  const t = useTexts(caseTexts)
  if (inUse.entries.length === 0) return inUse.data ? <p className="text-12 text-muted">{t('empty')}</p> : null
  return (
    <ul className="flex flex-col gap-1.5" aria-label={t('case')}>
      {inUse.entries.map((entry) => (
        <EntryLine
          key={entry.id}
          entry={entry}
          onOpen={onOpen}
          onRemove={inUse.may ? () => void inUse.remove(entry.id) : undefined}
        />
      ))}
    </ul>
  )
}

function EntryLine({
  entry,
  onOpen,
  onRemove,
}: {
  entry: CaseEntry
  onOpen: (params: Record<string, string>) => void
  onRemove: (() => void) | undefined
}) {
  const t = useTexts(caseTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const line = useEntryLine(entry)
  const stamp = (at: number) => formatDateTime(at, zone, 'minute', Date.now())
  return (
    <li className="group/row">
      <div className="flex min-h-5 items-center gap-2">
        {line.mark}
        {line.params ? (
          <button
            type="button"
            onClick={() => onOpen(line.params as Record<string, string>)}
            title={entry.hash ? t('hash', { hash: entry.hash.slice(0, 12), rows: formatExact(entry.rows) }) : undefined}
            className="text-clip-line min-w-0 text-left hover:underline"
          >
            {line.title}
          </button>
        ) : (
          <span className="min-w-0 break-words whitespace-pre-wrap">{line.title}</span>
        )}
        <span className="ml-auto flex-none text-12 text-muted">{line.at !== null && stamp(line.at)}</span>
        {onRemove && (
          <button
            type="button"
            aria-label={`${t('remove')} ${line.title}`}
            title={t('remove')}
            onClick={onRemove}
            className="flex size-5 flex-none items-center justify-center rounded-small text-muted opacity-0 group-hover/row:opacity-100 hover:bg-neutral focus-visible:opacity-100 pointer-coarse:opacity-100"
          >
            <Icon of={Trash2} size={12} />
          </button>
        )}
      </div>
      {line.note && <p className="pl-5.5 break-words whitespace-pre-wrap">{line.note}</p>}
      <p className="pl-5.5 text-12 text-muted" title={entry.author}>
        {line.facts && `${line.facts} · `}
        {shortAccount(entry.author)}
        {language === 'zh' ? '，' : ', '}
        {stamp(entry.at)}
      </p>
    </li>
  )
}

/** `facts` are of the evidence, `note` is what its author wrote. */
type Line = {
  mark: ReactNode
  title: string
  facts: string
  note: string
  at: number | null
  params: Record<string, string> | null
}

function useEntryLine({ body, note }: CaseEntry): Line {
  const t = useTexts(caseTexts)
  const w = useTexts(traceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const icon = (of: IconType) => <Icon of={of} size={14} className="text-muted" />
  const about = (subject: Subject) => ({ subject: subjectText(subject), apps: 'all' })
  switch (body.kind) {
    case 'note':
      return { mark: icon(MessageSquare), title: note, facts: '', note: '', at: null, params: null }
    case 'erased':
      return { mark: icon(MessageSquare), title: t('erased'), facts: '', note: '', at: null, params: null }
    case 'event': {
      const { event } = body
      const level = eventLevel(event)
      return {
        mark: level ? <LevelMark level={level} word={false} /> : icon(MapPin),
        title: eventTitle(event, language),
        facts: placeText(event, nameOf, language),
        note,
        at: event.occurredAt,
        params: { event: eventParam(event) },
      }
    }
    case 'step': {
      const { step } = body
      const level = eventLevel(step)
      return {
        mark: level ? <LevelMark level={level} word={false} /> : icon(MapPin),
        title: `${eventTitle(step, language)}${step.count > 1 ? ` ×${formatExact(step.count)}` : ''}`,
        facts: placeText(body.place, nameOf, language),
        note,
        at: step.from,
        params: about(body.subject),
      }
    }
    case 'stop':
      return {
        mark: icon(MapPin),
        title: t('stop', { number: body.number, place: placeText(body.place, nameOf, language) }),
        facts: [t('eventsOf', { count: body.events }), body.move?.impossible ? w('impossible') : '']
          .filter(Boolean)
          .join(' · '),
        note,
        at: body.from,
        params: about(body.subject),
      }
    case 'subject': {
      const { subject } = body
      const { kind, key } = subject
      return {
        mark: icon(SUBJECT_ICONS[kind]),
        title: `${w(kind)} ${kind === 'address' ? key : shortHash(kind, key)}`,
        facts: t('eventsOf', { count: body.events }),
        note,
        at: body.last_at,
        params: about(subject),
      }
    }
  }
}
