import { Check, Pause, X } from 'lucide-react'
import { type Deployment, ROLL_OUT_STAGES } from '#contracts/http/policies.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { stopOf } from '#src/shared/protection/stop-of.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deploymentTexts } from './deployment-texts.ts'

/** What makes a share reached. */
const REACHED = ['deploy', 'grow', 'roll_back']

/** Style of the current share of the roll-out, and of those it has passed. */
const BRAND = 'bg-brand-fill text-brand-on'
const MARKS = {
  stopped: { word: 'stageStopped', icon: X, dot: 'bg-bad-fill text-bad-on', tone: 'font-semibold text-bad-text' },
  paused: { word: 'stagePaused', icon: Pause, dot: BRAND, tone: 'text-warn-text' },
  now: { word: 'stageNow', icon: undefined, dot: BRAND, tone: '' },
  done: { word: undefined, icon: Check, dot: BRAND, tone: '' },
} as const

/** The shares that the deployment went and will go through, with when and by whom. */
export function StageLine({ deployment }: { deployment: Deployment }) {
  const t = useTexts(deploymentTexts)
  const zone = usePlatform((state) => state.zone)
  const { percent, state, changes } = deployment
  const shares = [...new Set<number>([...ROLL_OUT_STAGES, ...changes.map((one) => one.percent)])]
    // It may have begun beyond the first usual ones.
    .filter((share) => share >= Math.min(...changes.map((one) => one.percent), percent))
    .sort((a, b) => a - b)
  return (
    <Section plain title={t('stages')}>
      <ol className="grid px-5 pb-3" style={{ gridTemplateColumns: `repeat(${shares.length}, minmax(0, 1fr))` }}>
        {shares.map((share, index) => {
          const change = changes.find((one) => one.percent === share && REACHED.includes(one.what))
          const reached = share <= percent
          const here = share === percent && share < 100
          const mark = MARKS[here ? (stopOf(deployment) ? 'stopped' : state === 'paused' ? 'paused' : 'now') : 'done']
          const word = here && mark.word ? t(mark.word) : reached ? t('stageDone') : t('stageWaits')
          return (
            <li key={share} className="relative min-w-0 text-12" title={change?.by}>
              {index < shares.length - 1 && (
                <span
                  aria-hidden
                  className={`absolute top-[7px] right-0 left-3.5 h-0.5 ${share < percent ? 'bg-brand' : 'bg-line'}`}
                />
              )}
              <span
                aria-hidden
                className={`relative flex size-3.5 items-center justify-center rounded-full ${reached ? mark.dot : 'border-2 border-line-strong bg-surface'}`}
              >
                {reached && mark.icon && (share < percent || here) && <Icon of={mark.icon} size={12} />}
              </span>
              <span className="mt-1 block text-14 font-semibold">{share}%</span>
              <span className="text-clip-line block text-muted">
                {change ? formatDateTime(change.at, zone, 'minute', Date.now()) : ' '}
              </span>
              <span className={`block ${share === percent ? mark.tone : 'text-muted'}`}>{word}</span>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
