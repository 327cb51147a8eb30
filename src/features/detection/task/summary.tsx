import { CoverageCard } from './coverage-card.tsx'
import { GateCard } from './gate-card.tsx'
import type { PartProps } from './report-part.ts'
import { ScoreCard } from './score-card.tsx'

/** Three answers in two seconds: may it ship, how bad is it, and how much of it was looked at. */
export function Summary(props: PartProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,0.85fr)] border-y max-lg:grid-cols-1">
      <GateCard {...props} />
      <ScoreCard {...props} />
      <CoverageCard {...props} />
    </div>
  )
}
