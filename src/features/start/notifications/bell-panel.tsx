import { Download, Square } from 'lucide-react'
import { Link } from 'react-router-dom'
import { cancelJob, jobs } from '#contracts/http/jobs.ts'
import { notifications, readNotifications } from '#contracts/http/notifications.ts'
import type { Job } from '#contracts/jobs.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatPercent } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { translate, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { JOB_TONES, jobTexts } from '#src/shared/ui/job-texts.ts'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { BELL_QUERY, isWorking } from './bell-watch.tsx'
import { NotificationLine } from './notification-line.tsx'
import { notificationTexts } from './notification-texts.ts'

/** Jobs that ended this long ago are in the list of notifications alone. */
const RECENT_MS = 86_400_000

/** What the bell opens: work that goes on or has just ended, and the newest notifications. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
  const t = useTexts(notificationTexts)
  const work = useEndpoint(jobs).data?.data.filter(
    (job) => isWorking(job) || (job.ended_at ?? 0) > Date.now() - RECENT_MS,
  )
  const answer = useEndpoint(notifications, { query: BELL_QUERY })
  const read = useAction(readNotifications, { refreshes: [notifications] })
  const list = answer.data?.data
  return (
    <div className="max-h-[70vh] overflow-auto">
      {list && list.length > 0 && (
        <ul>
          {list.map((one) => {
            const open = () => {
              if (one.read_at === null) read.mutate({ body: { ids: [one.id], kind: '', read: true } })
              onClose()
            }
            const className = 'block px-4 hover:bg-hover'
            const to =
              one.to.startsWith('/api/') || one.to === '' ? `${PAGES.notifications.path}?open=${one.id}` : one.to
            return (
              <li key={one.id} className="border-b">
                <Link to={to} onClick={open} className={className}>
                  <NotificationLine one={one} />
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {answer.error && !list && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
      {work && work.length > 0 && (
        <>
          <h3 className="border-b bg-canvas px-4 py-1.5 text-12 text-muted">{t('work')}</h3>
          <ul>
            {work.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          </ul>
        </>
      )}
      {list?.length === 0 && work?.length === 0 && <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />}
      <div className="flex items-center justify-between gap-2 border-t px-4 py-2">
        <Link to={PAGES.notifications.path} onClick={onClose} className="text-brand-text hover:underline">
          {t('allPage')}
        </Link>
        {(answer.data?.unread ?? 0) > 0 && (
          <Button size="small" onPress={() => read.mutate({ body: { ids: [], kind: '', read: true } })}>
            {t('readAll')}
          </Button>
        )}
      </div>
    </div>
  )
}

function JobRow({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const cancel = useAction(cancelJob, { refreshes: [jobs] })
  const working = isWorking(job)
  return (
    <li className="border-b px-4 py-2.5 last:border-b-0">
      <div className="flex items-center gap-2">
        <span className="text-clip-line min-w-0 flex-1 font-semibold">{job.title}</span>
        <Chip tone={JOB_TONES[job.state]}>{t(job.state)}</Chip>
        {working && (
          <IconButton
            size="small"
            icon={Square}
            label={t('cancel')}
            onPress={() => cancel.mutate({ body: { id: job.id } })}
          />
        )}
      </div>
      {working && (
        <div className="my-1.5">
          <ProgressBar label={job.title} value={job.state === 'waiting' ? 0 : job.progress} />
        </div>
      )}
      <div className="flex items-center gap-2 text-12 text-muted">
        <span className="min-w-0 flex-1">{working ? workLine(job) : job.note || doneLine(job)}</span>
        {job.download && job.state === 'done' ? (
          <a href={job.download} className="inline-flex items-center gap-1 text-brand-text hover:underline">
            <Icon of={Download} size={14} />
            {t('download')}
          </a>
        ) : (
          <RelativeTime at={job.ended_at ?? job.created_at} />
        )}
      </div>
    </li>
  )
}

/** Stage, share, elapsed and, once it can be estimated, the time left. */
function workLine(job: Job): string {
  const parts = [job.note, job.progress !== null && job.state === 'running' ? formatPercent(job.progress, 0) : '']
  if (job.started_at !== null) {
    const elapsed = Date.now() - job.started_at
    parts.push(translate(jobTexts, 'elapsed', { time: formatDuration(elapsed) }))
    if (job.progress && job.progress > 0.05)
      parts.push(translate(jobTexts, 'left', { time: formatDuration((elapsed / job.progress) * (1 - job.progress)) }))
  }
  return parts.filter(Boolean).join(' · ')
}

function doneLine(job: Job): string {
  return [job.rows > 0 && translate(jobTexts, 'rows', { count: job.rows }), job.bytes > 0 && formatBytes(job.bytes)]
    .filter(Boolean)
    .join(' · ')
}
