import { useEffect, useState } from 'react'
import type { TrailStop } from '#domain/trail.ts'
import { ChinaMap } from '#src/shared/charts/china-map.tsx'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { shortPlace } from './spans.ts'
import { traceTexts } from './trace-texts.ts'
import { TravelOverlay, type View } from './travel-overlay.tsx'
import { useWidth } from './use-width.ts'
import { loadWorldShapes, type WorldShapes } from './world-shapes.ts'

/** Where the subject was, on the map of China, or on that of the world once a stop lies abroad. Paths only: any graphics will do. */
export function TravelMap({
  stops,
  current,
  onStop,
}: {
  stops: readonly TrailStop[]
  current: number | null
  onStop: (number: number) => void
}) {
  const t = useTexts(traceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const zone = usePlatform((state) => state.zone)
  const [ref, width] = useWidth()
  const placed = stops.filter(({ place }) => place.lon !== null && place.lat !== null)
  const abroad = placed.some(({ place }) => place.country !== 'CN')
  const provinces = new Map(placed.filter(({ place }) => place.province !== '').map(({ place }) => [place.province, 1]))
  const label = t('movementLabel', { count: placed.length })
  const nameAt = ({ place }: TrailStop) => shortPlace(place, nameOf, language)
  const noteAt = ({ from, events }: TrailStop) =>
    `${formatDateTime(from, zone, 'minute', Date.now())}${language === 'zh' ? '，' : ', '}${t('count', { count: events })}`
  const overlay = (view: View) => (
    <TravelOverlay
      view={view}
      scale={width > 0 ? view.width / width : 1}
      stops={placed}
      current={current}
      nameAt={nameAt}
      noteAt={noteAt}
      onStop={onStop}
    />
  )
  return (
    <div ref={ref} className="relative min-w-0" data-testid="travel-map">
      {abroad ? (
        <WorldMap label={label} overlay={overlay} />
      ) : (
        <ChinaMap
          flat
          values={provinces}
          title={t('movement')}
          label={label}
          nameOf={(code) => nameOf('province', code)}
          overlay={overlay}
        />
      )}
    </div>
  )
}

function WorldMap({
  label,
  overlay,
}: {
  label: string
  overlay: (view: Pick<WorldShapes, 'width' | 'height' | 'project'>) => React.ReactNode
}) {
  const t = useTexts(traceTexts)
  const [shapes, setShapes] = useState<WorldShapes | 'failed' | null>(null)
  useEffect(() => {
    let current = true
    loadWorldShapes().then(
      (loaded) => current && setShapes(loaded),
      () => current && setShapes('failed'),
    )
    return () => {
      current = false
    }
  }, [])
  if (shapes === 'failed') return <p className="py-6 text-center text-12 text-muted">{t('mapMissing')}</p>
  if (!shapes) return <div className="late aspect-[8/3] rounded bg-neutral" />
  return (
    <svg viewBox={`0 0 ${shapes.width} ${shapes.height}`} role="img" aria-label={label} className="block h-auto w-full">
      <path d={shapes.land} fill="var(--neutral)" />
      <path d={shapes.china} fill="var(--bar-hover)" />
      <g fill="none" vectorEffect="non-scaling-stroke">
        <path d={shapes.borders} stroke="var(--surface)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
        <path d={shapes.outline} stroke="var(--faint)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
        <path d={shapes.dashes} stroke="var(--muted)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
      </g>
      {overlay(shapes)}
    </svg>
  )
}
