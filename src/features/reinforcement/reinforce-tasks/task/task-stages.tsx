import { Circle, CircleCheck, CirclePause, CircleX, LoaderCircle } from 'lucide-react'
import { REINFORCE_STAGES, type ReinforceTask } from '#contracts/http/reinforce-tasks.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { pageTexts } from './page-texts.ts'
import { type BegunStage, stageRows } from './stage-rows.ts'

const LAST_LOOKS: Partial<Record<ReinforceTask['state'], { icon: IconType; color: string }>> = {
  failed: { icon: CircleX, color: 'text-bad-text' },
  stopped: { icon: CirclePause, color: 'text-muted' },
}

/** The stages in order: done with their time, the one that runs or where it ended, and what is still to come. */
export function TaskStages({
  task: { kind, state },
  stages,
  end,
}: {
  task: ReinforceTask
  stages: readonly BegunStage[]
  /** Epoch ms: when the task ended, or now. */
  end: number | null
}) {
  const t = useTexts(pageTexts)
  const language = useLanguage()
  const isRunning = state === 'reinforcing'
  const rows = stageRows(kind, stages, end, state === 'success')
  return (
    <ol aria-label={t('stages')} className="relative">
      {rows.map((row, index) => {
        const isCurrent = row.state === 'last' && isRunning
        const { icon, color } =
          row.state === 'done'
            ? { icon: CircleCheck, color: 'text-good-text' }
            : row.state === 'next'
              ? { icon: Circle, color: 'text-faint' }
              : (LAST_LOOKS[state] ?? { icon: LoaderCircle, color: 'spin text-brand-text' })
        return (
          <li
            key={row.stage}
            aria-current={isCurrent ? 'step' : undefined}
            className={`relative flex h-9 items-center gap-3 px-5 ${row.state === 'next' ? 'text-muted' : ''} ${isCurrent ? 'bg-selected font-semibold shadow-[inset_2px_0_var(--brand)]' : ''}`}
          >
            {index < rows.length - 1 && (
              <span aria-hidden className="absolute top-[26px] left-[26.5px] h-5 w-px bg-line-strong" />
            )}
            <Icon of={icon} size={14} className={color} />
            <span className="min-w-0 flex-1">{REINFORCE_STAGES[row.stage][language]}</span>
            <span className={`text-12 tabular-nums ${isCurrent ? '' : 'font-normal text-muted'}`}>
              {row.ms === null ? '' : stageTime(row.ms, language)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Stages of small packages take less than a second. */
function stageTime(ms: number, language: 'zh' | 'en'): string {
  if (ms >= 60_000) return formatDuration(ms, language)
  return `${(ms / 1000).toFixed(1)} ${language === 'zh' ? '秒' : 's'}`
}
