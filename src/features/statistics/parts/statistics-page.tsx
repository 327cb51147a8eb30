import type { ComponentProps, ReactNode } from 'react'
import type { Dimension } from '#domain/query.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { FacetDrawer } from './facet-drawer.tsx'
import type { Facets } from './facet-section.tsx'
import { type FrameProps, StatisticsFrame } from './statistics-frame.tsx'

/** A statistics page: its frame, and beside it the drawers of a facet's values, of an event list and of one event. */
export function StatisticsPage<D extends Dimension>({
  facets,
  navigator,
  children,
  ...frame
}: FrameProps & {
  facets: Facets<D>
  /** The list on the page that events are opened from. */
  navigator?: ComponentProps<typeof EventDrawers>['navigator']
}) {
  const { state, answer, exported } = frame
  return (
    <StatisticsFrame {...frame} exported={{ primary: true, ...exported }}>
      {children}
      <FacetDrawer state={state} facets={facets} now={answer.now} />
      <EventDrawers zooms state={state} now={answer.now} {...(navigator && { navigator })} />
    </StatisticsFrame>
  )
}

/** Two columns, the left one twice as wide; below each other on narrow screens. */
export function TwoColumns({ grow = false, left, right }: { grow?: boolean; left: ReactNode; right: ReactNode }) {
  return (
    <div className={`grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] max-lg:grid-cols-1 ${grow ? 'flex-1' : ''}`}>
      <div className="flex min-w-0 flex-col border-r max-lg:border-r-0">{left}</div>
      <div className="flex min-w-0 flex-col max-lg:border-t">{right}</div>
    </div>
  )
}
