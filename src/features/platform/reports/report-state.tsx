import { CircleCheck, CircleDashed, CirclePause, CircleX, FileX, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { StoredReport } from '#contracts/http/reports/stored-reports.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { reportsTexts } from './reports-texts.ts'

const DAY_MS = 86_400_000
/** From so many days on the deletion is announced. */
const WARN_DAYS = 7

const LOOK: Record<StoredReport['state'], { icon: IconType; color: string }> = {
  waiting: { icon: CircleDashed, color: 'text-muted' },
  running: { icon: LoaderCircle, color: 'text-brand-text spin' },
  done: { icon: CircleCheck, color: 'text-good-text' },
  failed: { icon: CircleX, color: 'text-bad-text' },
  stopped: { icon: CirclePause, color: 'text-muted' },
}

export const isWorking = ({ state }: StoredReport) => state === 'waiting' || state === 'running'

/** The state of a report: while it is written its progress, of a failed one the reason, of one that ends soon the days left. */
export function ReportState({ report }: { report: StoredReport }) {
  const t = useTexts(reportsTexts)
  const { state, progress, note, expires_at, kind } = report
  if (state === 'running')
    return (
      <span className="flex w-32 flex-col gap-1">
        <span className="flex items-baseline justify-between text-12">
          <span>{t('running')}</span>
          {progress !== null && <span className="text-muted tabular-nums">{Math.round(progress * 100)}%</span>}
        </span>
        <ProgressBar value={progress} label={`${report.title} ${t('running')}`} />
      </span>
    )
  if (state === 'done' && !report.has_file)
    return <Mark icon={FileX} color="text-muted" text={t('gone')} title={note || undefined} />
  const days = expires_at === null ? Number.POSITIVE_INFINITY : Math.floor((expires_at - Date.now()) / DAY_MS)
  if (state === 'done' && days < WARN_DAYS && kind !== 'export')
    return (
      <Mark
        icon={TriangleAlert}
        color="text-warn-text"
        text={days < 1 ? t('endsToday') : t('endsIn', { count: days })}
      />
    )
  const text = state === 'failed' && note ? note : t(state)
  return <Mark {...LOOK[state]} text={text} title={note || undefined} />
}

function Mark({
  icon,
  color,
  text,
  title,
}: {
  icon: IconType
  color: string
  text: string
  title?: string | undefined
}) {
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={title}>
      <Icon of={icon} size={14} className={`flex-none ${color}`} />
      <span className="text-clip-line">{text}</span>
    </span>
  )
}
