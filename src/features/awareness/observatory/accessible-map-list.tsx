import { formatExact } from '../../../shared/format/number.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { isProvince, type Scope } from './view-state.ts'
import { useWall } from './wall-context.ts'

/** The map as a list for the keyboard: shows itself when the focus enters it. */
export function AccessibleMapList({
  view,
  scope,
  onEnter,
}: {
  view: WallView
  scope: Scope
  onEnter: (scope: string) => void
}) {
  const { t, nameOf, pick } = useWall()
  const field = scope === 'world' ? 'country' : isProvince(scope) ? 'city' : 'province'
  const counts = { country: view.countries, city: view.cities, province: view.provinces }[field]
  const rows = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 40)
  return (
    <nav className="wall-plate wall-twin" aria-label={t('mapTwin')}>
      <p className="wall-muted">{t('mapHelp')}</p>
      <ul>
        {rows.map(([code, count]) => (
          <li key={code}>
            <button type="button" onClick={(event) => pick?.(field, code, event.shiftKey)}>
              {nameOf(field, code)} {formatExact(count)}
            </button>
            {(field === 'province' || code === 'CN') && (
              <button
                type="button"
                aria-label={`${t('enter')} ${nameOf(field, code)}`}
                onClick={() => onEnter(field === 'province' ? code : 'china')}
              >
                {t('enter')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
