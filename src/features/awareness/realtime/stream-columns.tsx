import type { EventRow } from '#domain/query.ts'
import { EVENT_TYPES, type EventType, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { actionText, eventLevel } from '#src/shared/events/event-words.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import { type NameOf, placeText, shortHash } from '#src/shared/query/value-names.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import type { realtimeTexts } from './realtime-texts.ts'

/** Columns of the stream; `narrow` keeps what a phone has room for. */
export function streamColumns({
  t,
  nameOf,
  language,
  zone,
  narrow,
}: {
  t: Translate<keyof (typeof realtimeTexts)['entries'] & string>
  nameOf: NameOf
  language: Language
  zone: string
  narrow: boolean
}): Column<EventRow>[] {
  const level: Column<EventRow> = {
    id: 'level',
    header: t('level'),
    width: narrow ? '72px' : '88px',
    fixed: true,
    cell: (row) => {
      const found = eventLevel(row)
      return found ? <LevelMark level={found} /> : <span className="text-muted">–</span>
    },
  }
  const time: Column<EventRow> = {
    id: 'time',
    header: t('time'),
    width: narrow ? '76px' : '116px',
    fixed: true,
    cell: (row) => (
      <time
        dateTime={new Date(row.receivedAt).toISOString()}
        title={formatDateTime(row.receivedAt, zone)}
        className="tabular-nums"
      >
        {formatDateTime(row.receivedAt, zone, 'time')}
        {!narrow && <span className="text-muted">{new Date(row.receivedAt).toISOString().slice(19, 23)}</span>}
      </time>
    ),
  }
  const risk: Column<EventRow> = {
    id: 'risk',
    header: t('risk'),
    cell: (row) =>
      row.risk ? (RISK_TYPES[row.risk as RiskType]?.[language] ?? row.risk) : <span className="text-muted">–</span>,
  }
  const type: Column<EventRow> = {
    id: 'type',
    header: t('type'),
    cell: (row) => EVENT_TYPES[row.type as EventType]?.[language] ?? row.type,
  }
  const place: Column<EventRow> = { id: 'place', header: t('place'), cell: (row) => placeText(row, nameOf, language) }
  if (narrow) return [level, time, { ...risk, cell: (row) => (row.risk ? risk.cell(row) : type.cell(row)) }, place]
  return [
    level,
    time,
    type,
    risk,
    place,
    {
      id: 'app',
      header: t('app'),
      cell: (row) => <span className="text-clip-line block max-w-40">{nameOf('app', row.app)}</span>,
    },
    { id: 'version', header: t('version'), cell: (row) => row.version || '–' },
    {
      id: 'model',
      header: t('model'),
      cell: (row) => <span className="text-clip-line block max-w-36">{row.model || '–'}</span>,
    },
    {
      id: 'device',
      header: t('device'),
      cell: (row) => <code className="text-12">{shortHash('device', row.device)}</code>,
    },
    {
      id: 'user',
      header: t('user'),
      cell: (row) =>
        row.user ? (
          <code className="text-12">{shortHash('user', row.user)}</code>
        ) : (
          <span className="text-muted">–</span>
        ),
    },
    { id: 'action', header: t('action'), width: '76px', cell: (row) => actionText(row, language) },
  ]
}
