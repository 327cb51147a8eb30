import type { ReactNode } from 'react'
import type { Filter, PartInput, Query } from '#domain/query.ts'
import { ALL_TIME } from '#domain/time-range.ts'
import type { Subject } from '#domain/trail.ts'
import { LEVELS, type Level, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { ApplicationSelect } from '#src/shared/query/query-selects.tsx'
import { TimeRangeControl } from '#src/shared/query/time-range-control.tsx'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { traceTexts } from './trace-texts.ts'

const LINES = 8
const ATTACKS: Filter[] = [{ field: 'type', op: 'is', values: ['risk'] }]

/** Devices, users and addresses with the most attacks in the range: the usual beginnings of a trace. */
export function Candidates({ state, onOpen }: { state: QueryState; onOpen: (subject: Subject) => void }) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const mayReveal = useMay('personal.reveal')
  // A trace opens on all time; the lists of candidates on the last week, unless the address says otherwise.
  const range = state.params.get('range') ?? '-7d'
  const entities = (entity: 'device' | 'user') =>
    ({ kind: 'entities', entity, sort: 'attacks', limit: LINES, and: ATTACKS }) satisfies PartInput
  const query: Query = { ...state.query, range, compare: 'none' }
  const result = useStatistics(
    query,
    {
      device: entities('device'),
      user: entities('user'),
    },
    { paused: state.paused },
  )
  const line: Line = (kind: Subject['kind'], key: string, count: number, note: string, level?: string) => (
    <li key={key}>
      <button
        type="button"
        onClick={() => onOpen({ kind, key })}
        title={key}
        className="flex min-h-8 w-full items-center gap-2 px-5 text-left hover:bg-hover focus-visible:bg-hover"
      >
        {level && level in LEVELS ? <LevelMark level={level as Level} word={false} /> : <span className="w-2.5" />}
        <span className="flex-none font-mono text-12 text-brand-text">
          {kind === 'address' ? key : shortHash(kind, key)}
        </span>
        <span className="text-clip-line min-w-0 flex-1 text-12 text-muted">{note}</span>
        <span className="flex-none text-12">{t('attacksOf', { count })}</span>
      </button>
    </li>
  )
  return (
    <>
      <div className="flex items-center gap-2 px-5 pt-3">
        <h2 className="text-14 font-semibold">{t('candidates')}</h2>
        <TimeRangeControl range={range} onChange={(next) => state.set({ range: next === ALL_TIME ? '-184d' : next })} />
        <ApplicationSelect state={state} />
      </div>
      {(['device', 'user'] as const).map((entity) => {
        const part = result.part(entity)
        return (
          <Section
            key={entity}
            plain
            title={t(entity === 'device' ? 'devices' : 'users')}
            state={part.kind === 'loading' ? 'loading' : result.state}
          >
            <CardState
              part={part}
              state={state}
              isEmpty={part.kind === 'ready' && part.answer.total === 0}
              measure="attacks"
            >
              <ul data-testid={`candidates-${entity}`}>
                {part.kind === 'ready' &&
                  part.answer.rows.map((row) =>
                    line(
                      entity,
                      row.key,
                      row.attacks,
                      [
                        RISK_TYPES[row.risk as RiskType]?.[language] ?? '',
                        entity === 'device' ? row.model : '',
                        placeText(row, nameOf, language),
                        formatDateTime(row.lastAt, zone, 'minute', Date.now()),
                      ]
                        .filter(Boolean)
                        .join(' · '),
                      row.level,
                    ),
                  )}
              </ul>
            </CardState>
          </Section>
        )
      })}
      <Section plain title={t('addresses')} className="pb-3">
        {mayReveal ? (
          <AddressLines query={query} now={result.now} line={line} />
        ) : (
          <p className="px-5 text-12 text-muted">{t('addressesHidden')}</p>
        )}
      </Section>
    </>
  )
}

type Line = (kind: Subject['kind'], key: string, count: number, note: string, level?: string) => ReactNode

/** Asked apart: an account without the permission gets no answer to this one. */
function AddressLines({ query, now, line }: { query: Query; now: number | undefined; line: Line }) {
  const t = useTexts(traceTexts)
  const top = useStatistics(
    query,
    { addresses: { kind: 'top', by: 'address', measures: ['attacks', 'attackedDevices'], limit: LINES + 1 } },
    { now, enabled: now !== undefined },
  ).part('addresses')
  if (top.kind === 'error') return <ErrorState error={top.error} onRetry={top.retry} />
  const groups = top.kind === 'ready' ? top.answer.groups.filter(({ key }) => key !== '').slice(0, LINES) : []
  if (top.kind === 'ready' && groups.length === 0) return <p className="px-5 text-12 text-muted">{t('none')}</p>
  return (
    <ul data-testid="candidates-address">
      {groups.map(({ key, row: { attacks = 0, attackedDevices: devices = 0 } }) =>
        line('address', key, attacks, t('seenWith', { count: devices })),
      )}
    </ul>
  )
}
