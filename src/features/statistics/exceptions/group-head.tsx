import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { exceptionGroup } from '#contracts/http/exceptions.ts'
import type { ExceptionKind } from '#domain/exceptions.ts'
import type { Measures } from '#domain/query.ts'
import { PLATFORMS, type Platform } from '#domain/vocabulary.ts'
import { formatPercent } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { MEASURE_OF, shortType } from './kinds.ts'
import { TriageBadges } from './triage-badges.tsx'

export type GroupFacts = ResponseOf<typeof exceptionGroup>['data']

/** What was thrown, what it said, where it comes from. */
export function GroupHead({
  kind,
  facts,
  message,
  isNew,
}: {
  kind: ExceptionKind
  facts: GroupFacts
  /** Of the event that shows. */
  message: string
  isNew: boolean
}) {
  const t = useTexts(exceptionTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const platform = PLATFORMS[facts.platform as Platform]?.[language] ?? ''
  const comma = language === 'zh' ? '，' : ', '
  return (
    <header className="px-5 pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono text-20/7 font-bold break-all" title={facts.type}>
          {shortType(facts.type) || t('unknown')}
        </h2>
        {kind !== 'anr' && <Chip tone="neutral">{t(kind === 'crash' ? 'uncaught' : 'caught')}</Chip>}
        <TriageBadges triage={facts.triage} isNew={isNew} />
        {facts.obfuscated && (
          <span title={t('shrunkNote')}>
            <Chip tone="warn">{t('shrunk')}</Chip>
          </span>
        )}
      </div>
      {message && <p className="mt-0.5 line-clamp-3 text-14 break-words">{message}</p>}
      <p className="mt-0.5 text-12 text-muted">
        <code className="break-all">{facts.culprit}</code>
        {facts.culprit && ' · '}
        {[
          nameOf('app', facts.appid),
          platform,
          facts.fingerprints > 1 && t('fingerprints', { count: facts.fingerprints }),
        ]
          .filter(Boolean)
          .join(comma)}
      </p>
    </header>
  )
}

/** Six figures: how often, whom, since when, until when, and where it came back. */
export function GroupFigures({
  kind,
  facts,
  here,
  all,
}: {
  kind: ExceptionKind
  facts: GroupFacts
  /** Of the group in the range. */
  here: Measures
  /** Of everything in the range: its kind and its active devices and users. */
  all: Measures
}) {
  const t = useTexts(exceptionTexts)
  const zone = usePlatform((platform) => platform.zone)
  const measure = MEASURE_OF[kind]
  const events = here[measure] ?? 0
  const of = (part: number | undefined, whole: number | undefined, digits = 1) =>
    formatPercent(whole ? (part ?? 0) / whole : 0, digits)
  const versions = facts.versions
  const first = versions.reduce<(typeof versions)[number] | null>(
    (a, b) => (a && a.first_at <= b.first_at ? a : b),
    null,
  )
  const last = versions.reduce<(typeof versions)[number] | null>((a, b) => (a && a.last_at >= b.last_at ? a : b), null)
  const { regressed, resolved_version } = facts.triage
  const figures = [
    {
      id: 'events',
      word: t('events'),
      value: <Num value={events} />,
      exact: events,
      note: t('ofKind', { kind: kind === 'anr' ? t(kind) : t(kind).toLowerCase(), share: of(events, all[measure]) }),
    },
    {
      id: 'users',
      word: t('users'),
      value: <Num value={here.users ?? 0} />,
      exact: here.users,
      note: t('ofActive', { share: of(here.users, all.users, 2) }),
    },
    {
      id: 'devices',
      word: t('devices'),
      value: <Num value={here.devices ?? 0} />,
      exact: here.devices,
      note: t('ofActive', { share: of(here.devices, all.devices, 2) }),
    },
    {
      id: 'first',
      word: t('first'),
      value: first ? formatDateTime(first.first_at, zone, 'minute').slice(5, 10) : '–',
      note: first?.version ?? '',
    },
    { id: 'last', word: t('last'), value: last ? <RelativeTime at={last.last_at} /> : '–', note: last?.version ?? '' },
    ...(regressed
      ? [
          {
            id: 'regressed',
            word: t('regressed'),
            value: regressed.version,
            note: t('resolvedIn', { version: resolved_version ?? '–' }),
          },
        ]
      : []),
  ]
  return (
    <dl className="grid flex-none grid-cols-[repeat(auto-fit,minmax(130px,1fr))] border-y">
      {figures.map(({ id, word, value, note, exact }) => (
        <div key={id} className="min-w-0 border-r px-5 py-2 last:border-r-0 max-sm:px-3">
          <dt className="text-12 text-muted">{word}</dt>
          <dd>
            <span
              className="block text-28/8 whitespace-nowrap max-sm:text-16/7"
              data-testid={`group-${id}`}
              data-value={exact}
            >
              {value}
            </span>
            <span className="text-clip-line block text-12 text-muted max-sm:whitespace-normal" title={note}>
              {note}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
