import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import { type DetectionTask, detectionTasks } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { ScoreDelta } from '#src/features/detection/parts/score-delta.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { compareTexts } from './compare-texts.ts'
import { pairsOf } from './pairs-of.ts'

/** Detections that pairs are looked for in. */
const LOOKED_AT = 100
const SHOWN = 12

/** Pairs that are worth comparing: each version's newest result with that of the version before. */
export function RecentPairs() {
  const t = useTexts(compareTexts)
  const answer = useEndpoint(detectionTasks, { query: { state: 'detected', limit: LOOKED_AT } })
  if (!answer.data) return <Skeleton lines={6} height="40px" className="border-t py-4" />
  const pairs = pairsOf<DetectionTask>(answer.data.data).slice(0, SHOWN)
  if (pairs.length === 0) return <EmptyState kind="none" title={t('chooseTwo')} hint={t('chooseTwoHint')} />
  return (
    <section aria-label={t('recent')}>
      <h2 className="border-t pt-4 pb-2 text-14 font-semibold">{t('recent')}</h2>
      <p className="pb-2 text-12 text-muted">{t('chooseTwoHint')}</p>
      <ul className="grid grid-cols-2 gap-x-8 max-lg:grid-cols-1">
        {pairs.map(({ before, after }) => (
          <li key={`${before.id} ${after.id}`}>
            <Link
              to={`${PAGES.compare.path}?before=${before.id}&after=${after.id}`}
              className="flex min-h-12 items-center gap-3 border-b px-2 hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="text-clip-line block font-semibold">{after.name}</span>
                <span className="flex items-center gap-1.5 text-12 text-muted">
                  {before.version}
                  <Icon of={ArrowRight} size={12} />
                  {after.version}
                </span>
              </span>
              <span className="flex items-baseline gap-2 tabular-nums">
                {after.score}
                {after.score !== null && before.score !== null && (
                  <ScoreDelta now={after.score} before={before.score} />
                )}
              </span>
              <span className="w-24 text-right text-12 text-muted">
                <RelativeTime at={after.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
