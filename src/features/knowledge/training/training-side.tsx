import { Download, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  COURSE_STATES,
  type CourseState,
  downloadCertificate,
  remindCourse,
  type TeamMember,
  trainingTeam,
  unassignCourse,
} from '#contracts/http/training.ts'
import { PAGES } from '#contracts/pages.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { pageAllowed, useAuthList, useMay } from '#src/shared/session/session-store.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import type { OpenCourse } from './course-rail.tsx'
import { trainingTexts } from './training-texts.ts'

const STATES = ['passed', 'started', 'new'] as const satisfies readonly CourseState[]
const MOST_SHOWN = 8

/** Beside a lesson: the certificate, the team for those who manage accounts, and the pages where the course is used. */
export function TrainingSide({ course }: { course: OpenCourse }) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const auth = useAuthList()
  const mayManage = useMay('user.manage')
  const pages = course.pages.filter((name) => pageAllowed(PAGES[name], auth))
  return (
    <aside className="text-13">
      <CertificateCard course={course} />
      {mayManage && <Team course={course} />}
      {pages.length > 0 && (
        <Part title={t('used')}>
          <ul>
            {pages.map((name) => (
              <li key={name} className="py-1">
                <Link to={PAGES[name].path} className="text-brand-text hover:underline">
                  {t('openPage', { page: PAGES[name][language] })}
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </aside>
  )
}

function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b px-5 py-4 last:border-b-0 max-lg:px-4">
      <div className="mb-1.5 flex items-baseline gap-2">
        <h2 className="flex-1 font-semibold">{title}</h2>
        {note}
      </div>
      {children}
    </section>
  )
}

function CertificateCard({ course }: { course: OpenCourse }) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const { certificate } = course
  return (
    <Part title={t('gain')}>
      <div
        className={`rounded border px-4 py-4 text-center [overflow-wrap:anywhere] ${certificate ? 'border-good' : 'border-dashed border-line-strong'}`}
      >
        <div className="text-16 font-semibold">{t('certificate')}</div>
        <div className="mt-1.5">{course.holder}</div>
        <div className="mt-1 text-12 text-muted">
          {t('holderLine', { title: course.title, minutes: course.minutes })}
        </div>
        {certificate ? (
          <>
            <div className="text-12 text-muted">
              {t('points', { score: certificate.score })} ·{' '}
              {t('until', { day: formatDateTime(certificate.expires_at, zone, 'day') })}
            </div>
            <div className="mt-1.5 flex justify-center">
              <CopyText value={certificate.number} />
            </div>
            <a
              className={`mt-3 ${buttonClass('plain')}`}
              href={downloadHref(downloadCertificate, { language, number: certificate.number })}
              download
            >
              <Icon of={Download} />
              {t('download')}
            </a>
          </>
        ) : (
          <div className="text-12 text-muted">
            {t('certificateNote')}
            <br />
            {t('certificateNeeds', { count: course.lessons })}
          </div>
        )}
      </div>
    </Part>
  )
}

function Team({ course }: { course: OpenCourse }) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const team = useEndpoint(trainingTeam, { query: { language, course: course.id } })
  const remind = useAction(remindCourse, {
    onSuccess: ({ notified }) =>
      notified > 0 ? toast.success(t('reminded', { count: notified })) : toast.info(t('remindedNone')),
  })
  if (team.error)
    return (
      <Part title={t('team')}>
        <ErrorState error={team.error} onRetry={() => void team.refetch()} />
      </Part>
    )
  if (!team.data)
    return (
      <Part title={t('team')}>
        <Skeleton lines={3} />
      </Part>
    )
  const { data, hardest } = team.data
  const open = data.filter(({ state }) => state !== 'passed')
  const canRemind = open.some(({ assigned_at }) => assigned_at !== null)
  return (
    <>
      <Part
        title={t('team')}
        note={data.length > 0 && <span className="text-12 text-muted">{t('people', { count: data.length })}</span>}
      >
        {data.length === 0 ? (
          <p className="text-12 text-muted">{t('teamNone')}</p>
        ) : (
          <dl className="space-y-1">
            {STATES.map((state) => (
              <Share
                key={state}
                label={COURSE_STATES[state][language]}
                count={data.filter((one) => one.state === state).length}
                of={data.length}
              />
            ))}
          </dl>
        )}
      </Part>
      {open.length > 0 && (
        <Part
          title={t('open')}
          note={
            canRemind && (
              <Button
                size="small"
                isDisabled={remind.isPending}
                onPress={() => remind.mutate({ body: { course: course.id } })}
              >
                {t('remind')}
              </Button>
            )
          }
        >
          <OpenMembers course={course.id} members={open} />
        </Part>
      )}
      {hardest.length > 0 && (
        <Part title={t('hardest')}>
          <ul>
            {hardest.map((one) => (
              <li key={`${one.lesson} ${one.question}`} className="flex items-baseline gap-2 py-1">
                <span className="line-clamp-2 min-w-0 flex-1">
                  {t('hardLine', { lesson: one.lesson, question: one.question, text: one.text })}
                </span>
                <span className="flex-none text-12 text-muted tabular-nums">
                  {t('wrongShare', { percent: Math.round(one.wrong * 100) })}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

function Share({ label, count, of }: { label: string; count: number; of: number }) {
  const t = useTexts(trainingTexts)
  const percent = Math.round((count / of) * 100)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_3rem] items-center gap-2">
      <dt className="relative h-6 rounded-small">
        <span
          aria-hidden
          className="absolute inset-y-0 left-0 rounded-small bg-selected"
          style={{ width: `${percent}%` }}
        />
        <span className="relative px-1.5 leading-6">{label}</span>
      </dt>
      <dd className="tabular-nums">{t('people', { count })}</dd>
      <dd className="text-right text-12 text-muted tabular-nums">{percent}%</dd>
    </div>
  )
}

function OpenMembers({ course, members }: { course: string; members: readonly TeamMember[] }) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const [now] = useState(Date.now)
  const [all, setAll] = useState(false)
  const take = useAction(unassignCourse, {
    refreshes: [trainingTeam],
    onSuccess: () => toast.success(t('unassigned')),
  })
  const shown = all ? members : members.slice(0, MOST_SHOWN)
  return (
    <>
      <ul>
        {shown.map(({ user, username, state, assigned_at, due_at }) => (
          <li key={user} className="flex items-center gap-2 py-1">
            <Avatar name={username} size={20} />
            <span className="min-w-0 flex-1">
              <span className="text-clip-line block" title={username}>
                {username}
              </span>
              <span className={`block text-12 ${due_at !== null && due_at < now ? 'text-bad-text' : 'text-muted'}`}>
                {COURSE_STATES[state][language]} ·{' '}
                {assigned_at === null
                  ? t('ownWill')
                  : due_at === null
                    ? t('assignedOn', { day: formatDateTime(assigned_at, zone, 'day', now) })
                    : t(due_at < now ? 'overdue' : 'due', { day: formatDateTime(due_at, zone, 'day', now) })}
              </span>
            </span>
            {assigned_at !== null && (
              <IconButton
                size="small"
                icon={X}
                label={t('unassign', { name: username })}
                isDisabled={take.isPending}
                onPress={() => take.mutate({ body: { course, users: [user] } })}
              />
            )}
          </li>
        ))}
      </ul>
      {members.length > shown.length && (
        <button type="button" className="py-1 text-brand-text hover:underline" onClick={() => setAll(true)}>
          {t('more', { count: members.length - shown.length })}
        </button>
      )}
    </>
  )
}
