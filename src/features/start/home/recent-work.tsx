import { Check, CircleDashed, Download, X } from 'lucide-react'
import { jobs } from '#contracts/http/jobs.ts'
import type { Job } from '#contracts/jobs.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { jobTexts } from '#src/shared/ui/job-texts.ts'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { homeTexts } from './home-texts.ts'

const SHOWN = 7

/** Own long work, newest first; the notification centre follows it everywhere. */
export function RecentWork() {
  const t = useTexts(homeTexts)
  const answer = useEndpoint(jobs)
  const list = answer.data?.data.slice(0, SHOWN)
  const running = answer.data?.data.filter((job) => job.state === 'running' || job.state === 'waiting').length ?? 0
  return (
    <Section
      plain
      title={t('work')}
      note={running > 0 && t('workNote', { count: running })}
      state={answer.isPending ? 'loading' : 'ready'}
      className="border-t"
    >
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : list?.length === 0 ? (
        <EmptyState kind="none" title={t('workNone')} hint={t('workNoneHint')} />
      ) : (
        <ul className="px-5 pb-2">
          {list?.map((job) => (
            <Row key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Row({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const working = job.state === 'running' || job.state === 'waiting'
  const facts =
    job.note ||
    [job.rows > 0 && t('rows', { count: job.rows }), job.bytes > 0 && formatBytes(job.bytes)]
      .filter(Boolean)
      .join(' · ')
  return (
    <li className="flex h-9 items-center gap-4 border-b last:border-b-0">
      <span className="text-clip-line min-w-0 flex-[2]">{job.title}</span>
      <span className="text-clip-line min-w-0 flex-[2] text-12 text-muted max-sm:hidden">{facts}</span>
      <span className="flex w-36 flex-none items-center gap-2">
        {working ? (
          <ProgressBar label={job.title} value={job.state === 'waiting' ? 0 : job.progress} />
        ) : (
          <>
            <Icon
              of={job.state === 'done' ? Check : job.state === 'failed' ? X : CircleDashed}
              className={
                job.state === 'done' ? 'text-good-text' : job.state === 'failed' ? 'text-bad-text' : 'text-muted'
              }
            />
            {t(job.state)}
          </>
        )}
      </span>
      <span className="w-24 flex-none text-right text-12 text-muted">
        {job.download && job.state === 'done' ? (
          <a href={job.download} className="inline-flex items-center gap-1 text-brand-text hover:underline">
            <Icon of={Download} size={14} />
            {t('download')}
          </a>
        ) : (
          <RelativeTime at={job.ended_at ?? job.created_at} />
        )}
      </span>
    </li>
  )
}
