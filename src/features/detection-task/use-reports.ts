import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  createReport,
  type Report,
  type ReportFormat,
  type ReportReader,
  taskReports,
} from '#contracts/http/reports.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey, useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { reportMenuTexts } from './report-menu-texts.ts'

const POLL_MS = 1000
const isLive = ({ job }: Report) => job.state === 'waiting' || job.state === 'running'

/** Reports of a task: which are there or being made, in the language of the screen. One asked for here is fetched as soon as it is done. */
export function useReports(id: string) {
  const t = useTexts(reportMenuTexts)
  const language = useLanguage()
  const may = useMay('detect.report')
  const client = useQueryClient()
  const input = { query: { id } }
  const { data } = useEndpoint(taskReports, input, {
    enabled: may,
    refetchInterval: (query) => (query.state.data?.data.some(isLive) ? POLL_MS : false),
  })
  const reports = data?.data ?? []
  /** Jobs that this page waits for. */
  const awaited = useRef(new Set<string>())
  useEffect(() => {
    for (const { job } of data?.data ?? []) {
      if (job.state === 'waiting' || job.state === 'running' || !awaited.current.delete(job.id)) continue
      if (job.state === 'done' && job.download) location.assign(job.download)
      else if (job.state === 'failed') toast.error(t('failed'), { detail: job.note })
    }
  }, [data, t])

  const make = async (format: ReportFormat, reader: ReportReader) => {
    try {
      const made = await call(createReport, { body: { id, format, reader, language } }, { quiet: true })
      awaited.current.add(made.data.job.id)
    } catch (error) {
      toast.error(t('failed'), { detail: errorMessage(error) })
    }
    await client.invalidateQueries({ queryKey: endpointKey(taskReports, input) })
  }

  const making = (format: ReportFormat) => reports.some((one) => one.format === format && isLive(one))
  return { may, make: (format: ReportFormat, reader: ReportReader) => void make(format, reader), making }
}
