import { formatExact } from '../../../shared/format/number.ts'
import { WallSkeleton } from './totals-state.tsx'
import type { PiratedPlaces } from './use-pirated-places.ts'
import { useWall } from './wall-context.ts'

/** Places that are listed, those with most devices. */
const PLACES = 6

/** Beside the map that is shaded by them: devices with pirated copies over 30 days, in large type, and where most of them are. */
export default function PiratedCard({ found }: { found: PiratedPlaces | null | undefined }) {
  const { t, nameOf } = useWall()
  const most = Math.max(1, ...(found?.places.map(({ devices }) => devices) ?? []))
  return (
    <section className="wall-story" data-obstacle aria-label={t('pirated')} data-testid="pirated-scene">
      <small>{t('piratedDays')}</small>
      <h3>{t('pirated')}</h3>
      {found === undefined ? (
        <WallSkeleton wide={160} />
      ) : found === null ? (
        <p className="wall-muted">{t('piratedUnread')}</p>
      ) : found.devices > 0 ? (
        <>
          <p className="wall-story-count">
            <b>{formatExact(found.devices)}</b>
            <span>{t('piratedDevices', { count: found.apps })}</span>
          </p>
          {found.places.slice(0, PLACES).map(({ country, province, devices }) => (
            <p key={`${country} ${province}`} className="wall-story-bar">
              <span className="wall-story-place">
                {province ? nameOf('province', province) : country ? nameOf('country', country) : t('unknownPlace')}
              </span>
              <i style={{ flexGrow: devices / most }} data-which="now" />
              <b>{formatExact(devices)}</b>
              <i style={{ flexGrow: 1 - devices / most, background: 'none' }} />
            </p>
          ))}
        </>
      ) : (
        <p className="wall-muted">{t('piratedNone')}</p>
      )}
    </section>
  )
}
