import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { jobs } from '#contracts/http/jobs.ts'
import { notifications } from '#contracts/http/notifications.ts'
import type { Job } from '#contracts/jobs.ts'
import { endpointKey, useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { translate } from '#src/shared/i18n/texts.ts'
import { pageConnection } from '#src/shared/live/page-connection.ts'
import { jobTexts } from '#src/shared/ui/job-texts.ts'
import { toast } from '#src/shared/ui/toast.ts'

const WORKING_EVERY_MS = 2000
const IDLE_EVERY_MS = 20_000
/** What comes while the live connection is away is found so soon. */
const EVERY_MS = 60_000
/** What the bell asks for: the counts. */
export const BELL_QUERY = { kind: '', unread: '', cursor: '', limit: 8 } as const

/** Keeps the bell's numbers: unread notifications as they come, and work that runs or has ended since. Loaded after the shell. */
export default function BellWatch({
  onUnread,
  onWork,
  seenAt,
}: {
  onUnread: (count: number) => void
  onWork: (count: number) => void
  seenAt: number
}) {
  const client = useQueryClient()
  const unread = useEndpoint(notifications, { query: BELL_QUERY }, { refetchInterval: EVERY_MS }).data?.unread
  const list = useEndpoint(
    jobs,
    {},
    { refetchInterval: (query) => (query.state.data?.data.some(isWorking) ? WORKING_EVERY_MS : IDLE_EVERY_MS) },
  ).data?.data
  useEndNotices(list)
  useEffect(
    () =>
      pageConnection().onNotice(({ kind }) => {
        const changed = kind === 'notification' ? notifications : kind === 'job' ? jobs : undefined
        if (changed) void client.invalidateQueries({ queryKey: endpointKey(changed) })
      }),
    [client],
  )
  const work = list?.filter((job) => isWorking(job) || (job.ended_at ?? 0) > seenAt).length ?? 0
  useEffect(() => onWork(work), [work, onWork])
  useEffect(() => {
    if (unread !== undefined) onUnread(unread)
  }, [unread, onUnread])
  return null
}

export function isWorking(job: Job): boolean {
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
