import { Link, useNavigate } from 'react-router-dom'
import { detectionTasks } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { LevelCounts } from '#src/features/detection/parts/finding-level.tsx'
import { GateMark } from '#src/features/detection/parts/gate-mark.tsx'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { isActive, TaskStateText } from '#src/features/detection/parts/task-state.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { homeTexts } from './home-texts.ts'

const SHOWN = 5
const [ACTIVE_MS, IDLE_MS] = [3000, 60_000]

/** The newest detections: whether each version may be released, its score and what prevents it. */
export function RecentDetections() {
  const t = useTexts(homeTexts)
  const navigate = useNavigate()
  const mayDetect = useMay('asset.detect')
  const answer = useEndpoint(
    detectionTasks,
    { query: { limit: SHOWN } },
    {
      refetchInterval: ({ state }) => (state.data?.data.some((one) => isActive(one.state)) ? ACTIVE_MS : IDLE_MS),
    },
  )
  const data = answer.data
  const running = data ? data.states.waiting + data.states.detecting : 0
  return (
    <Section
      plain
      title={t('detections')}
      note={running > 0 && t('detectionsNote', { count: running })}
      state={answer.isPending ? 'loading' : 'ready'}
      className="border-t"
      actions={
        <Link to={PAGES.detection_tasks.path} className="pr-2 text-12 text-brand-text hover:underline">
          {t('all')}
        </Link>
      }
    >
      {answer.error && !data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : data?.total === 0 ? (
        <EmptyState
          kind="none"
          title={t('detectionsNone')}
          hint={t('detectionsNoneHint')}
          action={mayDetect && <Button onPress={() => void navigate(PAGES.detection_new.path)}>{t('detect')}</Button>}
        />
      ) : (
        <ul className="px-5 pb-2">
          {data?.data.map((task) => (
            <li key={task.id} className="border-b last:border-b-0">
              <Link to={taskPath(task.id)} className="flex min-h-11 items-center gap-4 py-1 hover:bg-hover">
                <span className="flex min-w-0 flex-[2] items-center gap-3">
                  <AppIcon name={task.name} icon={task.icon} size={26} />
                  <span className="text-clip-line">
                    {task.name} {task.version}
                  </span>
                </span>
                <span className="w-36 flex-none">
                  {task.state === 'detected' ? <GateMark gate={task.gate} /> : <TaskStateText task={task} />}
                </span>
                <span className="w-10 flex-none text-right font-semibold tabular-nums">{task.score}</span>
                <span className="w-36 flex-none max-sm:hidden">
                  {task.counts && <LevelCounts counts={task.counts} />}
                </span>
                <span className="w-24 flex-none text-right text-12 text-muted max-sm:hidden">
                  <RelativeTime at={task.ended_at ?? task.created_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
