import { Bell, Download, Square } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { cancelJob, jobs } from '#contracts/http/jobs.ts'
import type { Job } from '#contracts/jobs.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes, formatPercent } from '#src/shared/format/number.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { translate, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { JOB_TONES, jobTexts } from '#src/shared/ui/job-texts.ts'
import { Popover } from '#src/shared/ui/popover.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { toast } from '#src/shared/ui/toast.ts'

const BellAlerts = lazy(() => import('#src/features/awareness/alerts/bell-alerts.tsx'))
const BellCount = lazy(() => import('#src/features/awareness/alerts/bell-count.tsx'))

const WORKING_EVERY_MS = 2000
const IDLE_EVERY_MS = 20_000
/** The count of alerts comes once the page is there: what it is made of is no part of the first load. */
const SETTLED_MS = 5000

/**
 * Unacknowledged alerts, counted on the bell, and long work of this account, which goes on when the page is left: a dot says
 * that some runs or has ended since.
 */
export function Notifications() {
  const t = useTexts(jobTexts)
  const [isOpen, setOpen] = useState(false)
  const [waiting, setWaiting] = useState(0)
  const mayAlerts = useMay('events.read')
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  const [seenAt, setSeenAt] = useState(() => Date.now())
  const answer = useEndpoint(
    jobs,
    {},
    {
      quiet: true,
      refetchInterval: (query) => (query.state.data?.data.some(isWorking) ? WORKING_EVERY_MS : IDLE_EVERY_MS),
    },
  )
  const list = answer.data?.data
  useEndNotices(list)
  const fresh = list?.filter((job) => isWorking(job) || (job.ended_at ?? 0) > seenAt).length ?? 0
  const label = [t('notices'), waiting > 0 && t('alerts', { count: waiting }), fresh > 0 && t('work', { count: fresh })]
  return (
    <>
      {mayAlerts && isSettled && (
        <Suspense>
          <BellCount onCount={setWaiting} />
        </Suspense>
      )}
      <Popover
        label={t('notices')}
        placement="bottom end"
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open)
          setSeenAt(Date.now())
          if (open) void answer.refetch()
        }}
        trigger={<IconButton label={label.filter(Boolean).join(' · ')} icon={Bell} badge={waiting} dot={fresh > 0} />}
      >
        <div className="w-[380px] max-w-full">
          <h2 className="border-b px-4 py-2.5 text-14 font-semibold">{t('notices')}</h2>
          <Suspense>
            <BellAlerts onOpen={() => setOpen(false)} />
          </Suspense>
          {list && list.length > 0 ? (
            <ul className="max-h-[60vh] overflow-auto">
              {list.map((job) => (
                <JobRow key={job.id} job={job} />
              ))}
            </ul>
          ) : (
            <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
          )}
        </div>
      </Popover>
    </>
  )
}

function isWorking(job: Job): boolean {
  return job.state === 'waiting' || job.state === 'running'
}

/** A toast for each job that ended while this page was open. */
function useEndNotices(list: readonly Job[] | undefined): void {
  const working = useRef(new Set<string>())
  useEffect(() => {
    if (!list) return
    for (const job of list) {
      if (isWorking(job)) {
        working.current.add(job.id)
        continue
      }
      if (!working.current.delete(job.id) || job.state === 'stopped') continue
      if (job.state === 'failed') toast.error(job.title, { detail: job.note || translate(jobTexts, 'failed') })
      else
        toast.success(job.title, {
          detail: translate(jobTexts, 'ready'),
          ms: 10_000,
          ...(job.download && {
            action: { label: translate(jobTexts, 'download'), onPress: () => location.assign(job.download as string) },
          }),
        })
    }
  }, [list])
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
