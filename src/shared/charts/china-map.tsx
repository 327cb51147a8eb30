import { type ReactNode, useEffect, useId, useState } from 'react'
import { formatExact, formatNumber } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { chartTexts } from './chart-texts.ts'
import { type ChinaShapes, loadChinaShapes } from './china-shapes.ts'
import { shadeBreaks, shadeOf } from './shade.ts'

/**
 * Counts by province as shades, with the South China Sea inset, the scale and the approval number. A click picks a province,
 * Shift-click excludes it; the list beside the map is its keyboard twin, so the shapes are left out of the tab order.
 */
export function ChinaMap({
  values,
  title,
  nameOf,
  onPick,
  mark,
  flat = false,
  overlay,
  label,
}: {
  /** Count by six-digit province code. */
  values: ReadonlyMap<string, number>
  title: string
  nameOf: (code: string) => string
  onPick?: (code: string, exclude: boolean) => void
  /** A point to show, as longitude and latitude with the province that holds it. */
  mark?: { lon: number; lat: number; token: string } | null
  /** Without shades and scale: where something is, not how much. */
  flat?: boolean
  /** Drawn over the land, in the units of the view. */
  overlay?: (
    view: Pick<ChinaShapes, 'width' | 'height' | 'project'> & { inset: ReturnType<typeof insetBox> },
  ) => ReactNode
  /** Name of the picture for readers; else that of a map of `title`. */
  label?: string
}) {
  const t = useTexts(chartTexts)
  const approval = usePlatform((state) => state.mapApproval)
  const shapes = useChinaShapes()
  const [hovered, setHovered] = useState<string | null>(null)
  const clip = useId()
  if (shapes === 'failed') return <p className="py-6 text-center text-12 text-muted">{t('mapMissing')}</p>
  const breaks = shadeBreaks([...values.values()])
  const fill = (code: string) => {
    const shade = shadeOf(values.get(code) ?? 0, breaks)
    if (flat) return shade ? 'var(--bar-hover)' : 'var(--neutral)'
    return shade ? `var(--scale-${shade})` : 'var(--neutral)'
  }
  const province = ({ code, path }: { code: string; path: string }) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the map is the keyboard twin
    <path
      key={code}
      d={path}
      fill={fill(code)}
      stroke="var(--surface)"
      strokeWidth={hovered === code ? 0 : 0.8}
      vectorEffect="non-scaling-stroke"
      className={onPick ? 'cursor-pointer' : ''}
      onPointerEnter={() => setHovered(code)}
      onPointerLeave={() => setHovered(null)}
      onClick={(event) => onPick?.(code, event.shiftKey)}
    >
      <title>{`${nameOf(code)} ${formatExact(values.get(code) ?? 0)}`}</title>
    </path>
  )
  const box = shapes ? insetBox(shapes) : null
  return (
    <figure className="relative m-0 min-w-0">
      {shapes && box ? (
        <svg
          viewBox={`0 0 ${shapes.width + 52} ${shapes.height}`}
          role="img"
          aria-label={label ?? t('mapLabel', { title })}
          className="block h-auto w-full"
        >
          <g fill="none" stroke="var(--faint)" strokeWidth="1.6" strokeLinejoin="round">
            {shapes.provinces.map(({ code, path }) => (
              <path key={code} d={path} vectorEffect="non-scaling-stroke" />
            ))}
          </g>
          {shapes.provinces.map(province)}
          <path d={shapes.dashes} fill="none" stroke="var(--muted)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
          {mark && <Mark at={shapes.project(mark.lon, mark.lat)} token={mark.token} />}
          <g transform={`translate(${box.x} ${box.y})`}>
            <clipPath id={clip}>
              <rect width={box.width} height={box.height} />
            </clipPath>
            <rect width={box.width} height={box.height} fill="var(--surface)" />
            <g clipPath={`url(#${clip})`}>
              <g transform={`scale(${box.scale})`}>
                {shapes.inset.provinces.map(province)}
                <path
                  d={shapes.inset.dashes}
                  fill="none"
                  stroke="var(--muted)"
                  strokeWidth="1"
                  vectorEffect="non-scaling-stroke"
                />
                {shapes.inset.islands.map(([x, y]) => (
                  <circle key={`${x},${y}`} cx={x} cy={y} r="1.4" fill="var(--muted)" />
                ))}
              </g>
            </g>
            <rect
              width={box.width}
              height={box.height}
              fill="none"
              stroke="var(--line-strong)"
              strokeWidth="1"
              vectorEffect="non-scaling-stroke"
            />
          </g>
          {overlay?.({ width: shapes.width + 52, height: shapes.height, project: shapes.project, inset: box })}
        </svg>
      ) : (
        <div className="late aspect-[5/4] rounded bg-neutral" />
      )}
      {!flat && (
        <figcaption className="mt-1 text-12 text-muted">
          <span className="flex max-w-40" aria-hidden>
            {[0, ...breaks].map((bound, shade) => (
              <span key={bound} className="min-w-0 flex-1">
                <span className="block h-2" style={{ background: `var(--scale-${shade + 1})` }} />
                <span className="block -translate-x-1/2 text-center text-[11px]">
                  {bound > 0 && formatNumber(bound, 1000)}
                </span>
              </span>
            ))}
          </span>
          {t('approval', { number: approval ?? t('noApproval') })}
        </figcaption>
      )}
      {flat && <figcaption className="sr-only">{t('approval', { number: approval ?? t('noApproval') })}</figcaption>}
    </figure>
  )
}

function Mark({ at, token }: { at: [number, number]; token: string }) {
  return (
    <path
      transform={`translate(${at[0]} ${at[1]})`}
      d="M0-24 24 0 0 24-24 0Z"
      fill={`var(--${token})`}
      stroke="var(--surface)"
      strokeWidth="7"
    />
  )
}

/** Lower right, clear of Taiwan. */
function insetBox({ width, height, inset, project }: ChinaShapes) {
  const x = project(122.2, 25)[0] + 18
  const wide = width + 50 - x
  const scale = wide / inset.width
  const tall = inset.height * scale
  return { x, y: height - tall - 2, width: wide, height: tall, scale }
}

function useChinaShapes(): ChinaShapes | 'failed' | null {
  const [shapes, setShapes] = useState<ChinaShapes | 'failed' | null>(null)
  useEffect(() => {
    let current = true
    loadChinaShapes().then(
      (loaded) => current && setShapes(loaded),
      () => current && setShapes('failed'),
    )
    return () => {
      current = false
    }
  }, [])
  return shapes
}
