import { CircleX, OctagonPause, TimerReset, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { acknowledgeAlert, alerts } from '#contracts/http/alerts.ts'
import { jobs } from '#contracts/http/jobs.ts'
import { policyList } from '#contracts/http/policies.ts'
import { accessTokens } from '#contracts/http/tokens.ts'
import { PAGES } from '#contracts/pages.ts'
import type { TopAnswer } from '#domain/query.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { homeTexts } from './home-texts.ts'
import { type ToDo, toDoList } from './to-do.ts'

const SHOWN = 7
const DISMISSED = 'dismissedJobs'
const ICONS = { failed: CircleX, stopped: OctagonPause, quiet: WifiOff, expires: TimerReset } as const
const TONES = {
  failed: 'text-bad-text',
  stopped: 'text-bad-text',
  quiet: 'text-warn-text',
  expires: 'text-warn-text',
} as const

/** What waits for somebody today, each with one verb. */
export function ToDoSection({ reported }: { reported: TopAnswer | undefined }) {
  const t = useTexts(homeTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const applications = useApplications((state) => state.list) ?? []
  const maySee = useMay('events.read')
  const mayAcknowledge = useMay('alert.acknowledge')
  const mayTokens = useMay('token.create')
  const waiting = useEndpoint(
    alerts,
    { query: { state: 'unacknowledged', limit: 50 } },
    { enabled: maySee && mayAcknowledge, refetchInterval: 30_000 },
  )
  const work = useEndpoint(jobs)
  const mayDeploy = useMay('policy.deploy')
  const policies = useEndpoint(policyList, { query: {} }, { enabled: mayDeploy, refetchInterval: 30_000 })
  const tokens = useEndpoint(accessTokens, {}, { enabled: mayTokens })
  const [dismissed, setDismissed] = useState(readDismissed)
  const list = toDoList(
    {
      alerts: waiting.data?.data ?? [],
      jobs: work.data?.data ?? [],
      dismissed,
      applications: maySee ? applications.filter(({ manageable }) => manageable) : [],
      reported,
      policies: policies.data?.data ?? [],
      tokens: tokens.data?.data ?? [],
    },
    {
      now: Date.now(),
      language,
      nameOf,
      words: {
        quietWhy: (count) => t('quietWhy', { count }),
        never: t('never'),
        stopped: (name, version) => t('stopped', { name, version }),
        stoppedWhy: (percent) => t('stoppedWhy', { percent }),
        expires: (name, days) => t('expires', { name, days }),
        expiresWhy: t('expiresWhy'),
      },
    },
  )
  const rest = list.length - SHOWN
  return (
    <Section
      plain
      title={t('toDo')}
      note={list.length > 0 && t('toDoNote', { count: list.length })}
      state={waiting.isLoading ? 'loading' : 'ready'}
      actions={
        maySee && (
          <Link to={PAGES.alerts.path} className="pr-2 text-12 text-brand-text hover:underline">
            {t('toDoAll')}
          </Link>
        )
      }
    >
      {waiting.error && !waiting.data ? (
        <ErrorState error={waiting.error} onRetry={() => void waiting.refetch()} />
      ) : list.length === 0 ? (
        <EmptyState kind="none" title={t('toDoNone')} hint={t('toDoNoneHint')} />
      ) : (
        <ul className="px-5 pb-2">
          {list.slice(0, SHOWN).map((one) => (
            <Row key={one.id} one={one} dismiss={(id) => setDismissed(saveDismissed(id))} />
          ))}
          {rest > 0 && <li className="py-1.5 text-12 text-muted">{t('toDoMore', { count: rest })}</li>}
        </ul>
      )}
    </Section>
  )
}

function Row({ one, dismiss }: { one: ToDo; dismiss: (job: string) => void }) {
  const t = useTexts(homeTexts)
  const navigate = useNavigate()
  const acknowledge = useAction(acknowledgeAlert, { refreshes: [alerts] })
  const act = () => {
    if (one.alert)
      acknowledge.mutate(
        { body: { id: one.alert, note: '' } },
        { onSuccess: () => toast.success(`${t('verb_acknowledge')} ${one.title}`) },
      )
    else if (one.job) dismiss(one.job)
    else if (one.to) void navigate(one.to)
  }
  const { state } = one
  return (
    <li className="flex min-h-11 items-center gap-3 border-b py-1 last:border-b-0">
      <span className="flex w-16 flex-none items-center gap-1.5">
        {state.kind === 'level' ? (
          <LevelMark level={state.level} />
        ) : (
          <>
            <Icon of={ICONS[state.kind]} size={14} className={TONES[state.kind]} />
            {t(`state_${state.kind}`)}
          </>
        )}
      </span>
      <span className="min-w-0 flex-1">
        {one.to ? (
          <Link to={one.to} className="text-clip-line block font-semibold hover:underline">
            {one.title}
          </Link>
        ) : (
          <span className="text-clip-line block font-semibold">{one.title}</span>
        )}
        <span className="text-clip-line block text-12 text-muted">{one.why}</span>
      </span>
      <span className="flex-none text-12 text-muted max-sm:hidden">
        {one.at !== null && <RelativeTime at={one.at} />}
      </span>
      <Button
        size="small"
        variant="quiet"
        className="text-brand-text!"
        isDisabled={acknowledge.isPending}
        onPress={act}
      >
        {t(`verb_${one.verb}`)}
      </Button>
    </li>
  )
}

function readDismissed(): readonly string[] {
  return (localStorage.getItem(DISMISSED) ?? '').split(',').filter(Boolean)
}

function saveDismissed(job: string): readonly string[] {
  const all = [...readDismissed().slice(-49), job]
  localStorage.setItem(DISMISSED, all.join(','))
  return all
}
