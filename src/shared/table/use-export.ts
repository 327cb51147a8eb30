import { useCallback } from 'react'
import { jobs } from '#contracts/http/jobs.ts'
import type { ExportFormat, Job } from '#contracts/jobs.ts'
import type { PartInput, Query } from '#domain/query.ts'
import { call } from '../api/call.ts'
import { formatBytes } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { errorMessage } from '../ui/error-state.tsx'
import { toast } from '../ui/toast.ts'
import { tableTexts } from './table-texts.ts'

const POLL_MS = 1000

/** Asks the server for the job that writes the file. */
export type StartExport = (file: { format: ExportFormat; title: string }) => Promise<{ job: Job }>

/** Starts the export of everything behind a part of a query. Its contract comes with the first export: it knows the lists of many pages. */
export const exportOf =
  (query: Query, part: PartInput): StartExport =>
  async (file) => {
    const { exportEvents } = await import('#contracts/http/exports.ts')
    return call(exportEvents, { body: { query: { ...query, compare: 'none' }, part, ...file } }, { quiet: true })
  }

/**
 * Starts an export as a job and follows it with a notice: rows so far, then the file. The job goes on when the page is left; its file
 * stays under the notifications.
 */
export function useExport(): (start: StartExport, title: string, format?: ExportFormat) => void {
  const t = useTexts(tableTexts)
  return useCallback(
    (start, title, format = 'csv') => {
      const follow = async () => {
        const { job } = await start({ format, title })
        let notice = toast.info(t('exporting', { title }), { ms: Number.POSITIVE_INFINITY })
        const finished = await untilEnd(job.id, (rows) => {
          toast.close(notice)
          notice = toast.info(t('exporting', { title }), {
            ms: Number.POSITIVE_INFINITY,
            detail: t('exportProgress', { count: rows }),
          })
        })
        toast.close(notice)
        if (finished.state === 'done' && finished.download) {
          const download = finished.download
          toast.success(t('exportDone', { title }), {
            ms: 30_000,
            detail: t('exportRows', { count: finished.rows, bytes: formatBytes(finished.bytes) }),
            action: { label: t('download'), onPress: () => location.assign(download) },
          })
        } else if (finished.state === 'stopped') toast.info(t('exportStopped'))
        else toast.error(t('exportFailed'), { detail: finished.note })
      }
      follow().catch((error: unknown) => toast.error(t('exportFailed'), { detail: errorMessage(error) }))
    },
    [t],
  )
}

/** Asks until the job has ended. Throws when it is gone or the server no longer answers. */
async function untilEnd(id: string, onRows: (rows: number) => void): Promise<Job> {
  for (let reported = 0; ; ) {
    const { data } = await call(jobs, {}, { quiet: true })
    const job = data.find((one) => one.id === id)
    if (!job) throw new Error(id)
    if (job.state !== 'waiting' && job.state !== 'running') return job
    if (job.rows !== reported) onRows(job.rows)
    reported = job.rows
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
