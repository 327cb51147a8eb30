import { type ReactNode, useRef } from 'react'
import type { TopList } from '#contracts/live/messages.ts'
import type { Dimension } from '#domain/query.ts'
import { type Level, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { formatExact, formatNumber } from '../../../shared/format/number.ts'
import { placeText } from '../../../shared/query/value-names.ts'
import { LevelGlyph } from './level-glyph.tsx'
import { ListNote, shareText, WallSkeleton } from './totals-state.tsx'
import { useFit } from './use-layout-unit.ts'
import { useWall } from './wall-context.ts'

const ROW = 34

/** A top list: as many rows as fit, the bar behind the name, count and share of all attacks; a row filters. */
export function RankedCard({
  title,
  field,
  list,
  total,
  foot,
  tabs,
  rest = false,
  loading = false,
  most = 8,
  rowHeight = ROW,
}: {
  title: string
  field: Dimension
  list: TopList
  /** What shares are of. */
  total: number
  foot?: ReactNode
  tabs?: ReactNode
  /** The last row says what the list leaves out. */
  rest?: boolean
  /** The store has not answered what the list is made of. */
  loading?: boolean
  most?: number
  rowHeight?: number
}) {
  const { t, language, nameOf, unit, replaying, filtered, pick, alert, totals } = useWall()
  const awaited = loading || totals.kind === 'awaited'
  const concerned = alert?.counts.get(field)
  const rows = useRef<HTMLUListElement>(null)
  const fit = useFit(rows, unit, rowHeight, most)
  const restNeeded = rest && (list.rows.length > fit || list.others > 0)
  const shown = list.rows.slice(0, restNeeded ? fit - 1 : fit)
  const known = shown.reduce((sum, [, count]) => sum + count, 0)
  const top = shown[0]?.[1] ?? 1
  const of = Math.max(1, total)
  const left = list.rows.slice(shown.length).reduce((sum, [, count]) => sum + count, 0) + list.others
  return (
    <section className="wall-card">
      <h2>
        <span>{title}</span>
        {tabs ?? (
          <ListNote awaited={awaited}>
            {t(replaying ? 'sharePlayed' : filtered ? 'shareResult' : 'shareToday')}
          </ListNote>
        )}
      </h2>
      <ul
        className="wall-rows"
        ref={rows}
        data-field={field}
        aria-busy={awaited || undefined}
        data-dimmed={totals.kind === 'remembered' || undefined}
      >
        {awaited &&
          Array.from({ length: Math.max(1, Math.min(fit, most)) }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places in a list that is not there yet
            <li key={i} className="wall-row">
              <span>
                <WallSkeleton wide={64 + ((i * 37) % 70)} />
              </span>
              <b>
                <WallSkeleton wide={58} />
              </b>
              <em>
                <WallSkeleton wide={44} />
              </em>
            </li>
          ))}
        {shown.map(([key, count]) => {
          const more = concerned?.get(key) ?? 0
          const device = list.about?.[key]
          const name = device
            ? [device.model, placeText(device, nameOf, language), key].filter(Boolean).join(' · ')
            : nameOf(field, key)
          const concern = concerned && { 'data-concern': more > 0 ? 'yes' : 'no' }
          const content = (
            <>
              <span>
                {field === 'risk' && <LevelGlyph level={levelOf(key)} />}
                <span>{name}</span>
                {more > 0 && more <= count && <span className="wall-plus">+{formatNumber(more)}</span>}
              </span>
              <b>{formatNumber(count)}</b>
              <em>{shareText(count, of)}</em>
              <i style={{ width: `calc((100% - 144 * var(--u)) * ${count / top})` }} />
            </>
          )
          return (
            <li key={key}>
              {pick ? (
                <button
                  type="button"
                  className="wall-row"
                  {...concern}
                  onClick={(event) => pick(field, key, event.shiftKey)}
                >
                  {content}
                </button>
              ) : (
                <span className="wall-row" {...concern}>
                  {content}
                </span>
              )}
            </li>
          )
        })}
        {restNeeded && (
          <li className="wall-row" style={field === 'risk' ? { paddingLeft: 'calc(30 * var(--u))' } : undefined}>
            <span className="wall-muted">
              <span>
                {t(field === 'risk' ? 'otherKinds' : 'others', { count: Math.max(0, list.groupCount - shown.length) })}
              </span>
            </span>
            <b title={formatExact(left)}>{formatNumber(left)}</b>
            <em>{shareText(left, of)}</em>
            <i style={{ width: `calc((100% - 144 * var(--u)) * ${Math.min(1, left / top)})` }} />
          </li>
        )}
        {!awaited && list.rows.length === 0 && known === 0 && (
          <li className="wall-note" style={{ padding: '0 calc(8 * var(--u))' }}>
            {t('none')}
          </li>
        )}
      </ul>
      {foot && !awaited && <p className="wall-foot wall-between wall-note">{foot}</p>}
    </section>
  )
}

const levelOf = (risk: string): Level => RISK_TYPES[risk as RiskType]?.level ?? 'info'

export function Tabs<Id extends string>({
  label,
  items,
  value,
  onChange,
}: {
  label: string
  items: readonly { id: Id; label: string }[]
  value: Id
  onChange: (id: Id) => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside a heading line is no form
    <span className="wall-tabs" role="group" aria-label={label}>
      {items.map((item) => (
        <button key={item.id} type="button" aria-pressed={item.id === value} onClick={() => onChange(item.id)}>
          {item.label}
        </button>
      ))}
    </span>
  )
}
