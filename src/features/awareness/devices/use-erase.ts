import { erasePersonal } from '#contracts/http/erasures.ts'
import { jobs } from '#contracts/http/jobs.ts'
import { call } from '#src/shared/api/call.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { deviceTexts } from './device-texts.ts'

const POLL_MS = 1000

/** Asks (the beginning of the hash must be typed), deletes as a job, and says what went; `onDone` once nothing is left. */
export function useErase(onDone: () => void): (kind: 'device' | 'user', subject: string) => Promise<void> {
  const t = useTexts(deviceTexts)
  return async (kind, subject) => {
    const typed = subject.slice(0, 8)
    const sure = await confirm({
      title: t(kind === 'device' ? 'eraseDevice' : 'eraseUser'),
      text: t('eraseText', { subject: shortHash(kind, subject) }),
      action: t('eraseAction'),
      danger: true,
      typed,
    })
    if (!sure) return
    const { job } = await call(erasePersonal, { body: { kind, subject, confirm: typed } })
    const notice = toast.info(t('eraseRunning'), { ms: Number.POSITIVE_INFINITY })
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      const found = (await call(jobs, {}, { quiet: true })).data.find(({ id }) => id === job.id)
      // With a note the data is deleted, and what remains to be done takes its time.
      const isDeleted = found?.state === 'done' || (found?.state === 'running' && found.note !== '')
      if (!isDeleted && (found?.state === 'waiting' || found?.state === 'running')) continue
      toast.close(notice)
      if (isDeleted) toast.success(t('eraseDone', { count: found.rows }), { detail: found.note, ms: 10_000 })
      else toast.error(t('eraseFailed', { note: found?.note ?? '' }))
      onDone()
      return
    }
  }
}
