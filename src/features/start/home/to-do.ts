import type { Application } from '#contracts/http/applications.ts'
import type { PolicySummary } from '#contracts/http/policies.ts'
import type { Job } from '#contracts/jobs.ts'
import { PAGES } from '#contracts/pages.ts'
import { ALERT_MEASURES, type Alert } from '#domain/alerts.ts'
import type { TopAnswer } from '#domain/query.ts'
import type { Level } from '#domain/vocabulary.ts'
import { againstText, alertTitle, lastWindowText } from '#src/shared/alerts/alert-words.ts'
import { formatExact } from '#src/shared/format/number.ts'
import type { Language } from '#src/shared/i18n/texts.ts'
import { stopOf } from '#src/shared/protection/stop-of.ts'
import type { NameOf } from '#src/shared/query/value-names.ts'

/** One thing that waits for somebody: how urgent, what, why, since when, and the one verb that deals with it. */
export type ToDo = {
  id: string
  state: { kind: 'level'; level: Level } | { kind: 'failed' | 'stopped' | 'quiet' | 'expires' }
  title: string
  why: string
  /** null: it has lasted all along. */
  at: number | null
  verb: 'acknowledge' | 'connect' | 'dismiss' | 'renew' | 'review'
  /** Where the title leads, and the verb unless it acts on the spot. */
  to: string | null
  alert?: string
  job?: string
}

const DAY = 86_400_000
const SOON_DAYS = 14
const FAILED_DAYS = 3
const URGENCY: Record<Level, number> = { critical: 0, high: 1, medium: 3, low: 5, info: 6 }
const RANK = { stopped: 1, failed: 2, quiet: 4, expires: 4 } as const

export type ToDoWords = {
  quietWhy: (last: number) => string
  never: string
  stopped: (name: string, version: number) => string
  stoppedWhy: (percent: number) => string
  expires: (name: string, days: number) => string
  expiresWhy: string
}

/** Everything that waits, the most urgent first and then the newest. */
export function toDoList(
  found: {
    alerts: readonly Alert[]
    jobs: readonly Job[]
    /** Jobs whose failure the viewer has taken note of. */
    dismissed: readonly string[]
    applications: readonly Application[]
    /** Events of the last 24 hours by application, against the 24 before; undefined where they are not known. */
    reported: TopAnswer | undefined
    policies: readonly Pick<PolicySummary, 'id' | 'name' | 'live'>[]
    tokens: readonly { id: string; name: string; expires_at: number; revoked_at: number | null }[]
  },
  context: { now: number; language: Language; nameOf: NameOf; words: ToDoWords },
): ToDo[] {
  const { now, language, nameOf, words } = context
  const list: ToDo[] = []
  for (const alert of found.alerts) {
    const { what, value } = alertTitle(alert, nameOf)
    const figure = `${ALERT_MEASURES[alert.measure][language]} ${formatExact(alert.value)}`
    const newest = lastWindowText(alert, language)
    const why =
      language === 'zh'
        ? `${newest} ${figure}，${againstText(alert)}`
        : `${figure} in the ${newest}, ${againstText(alert)}`
    list.push({
      id: `alert ${alert.id}`,
      state: { kind: 'level', level: alert.severity },
      title: [what, value].filter(Boolean).join(language === 'zh' ? '，' : ', '),
      why,
      at: alert.raised_at,
      verb: 'acknowledge',
      to: `${PAGES.alerts.path}?alert=${alert.id}`,
      alert: alert.id,
    })
  }
  for (const policy of found.policies)
    for (const deployment of policy.live) {
      const stop = stopOf(deployment)
      if (!stop) continue
      list.push({
        id: `stopped ${deployment.id}`,
        state: { kind: 'stopped' },
        title: words.stopped(policy.name, deployment.version),
        why: words.stoppedWhy(stop.percent),
        at: stop.at,
        verb: 'review',
        to: `${PAGES.policies.path}?policy=${policy.id}`,
      })
    }
  for (const job of found.jobs)
    if (job.state === 'failed' && !found.dismissed.includes(job.id) && now - (job.ended_at ?? 0) < FAILED_DAYS * DAY)
      list.push({
        id: `job ${job.id}`,
        state: { kind: 'failed' },
        title: job.title,
        why: job.note,
        at: job.ended_at ?? job.created_at,
        verb: 'dismiss',
        to: null,
        job: job.id,
      })
  if (found.reported)
    for (const application of found.applications) {
      const group = found.reported.groups.find(({ key }) => key === application.id)
      if ((group?.row.events ?? 0) > 0) continue
      const before = group?.previous?.events ?? 0
      list.push({
        id: `quiet ${application.id}`,
        state: { kind: 'quiet' },
        title: application.name,
        why: before > 0 ? words.quietWhy(before) : words.never,
        at: null,
        verb: 'connect',
        to: `${PAGES.construction.path}?appid=${application.id}`,
      })
    }
  for (const token of found.tokens) {
    const days = Math.ceil((token.expires_at - now) / DAY)
    if (token.revoked_at !== null || days < 0 || days > SOON_DAYS) continue
    list.push({
      id: `token ${token.id}`,
      state: { kind: 'expires' },
      title: words.expires(token.name, days),
      why: words.expiresWhy,
      at: token.expires_at,
      verb: 'renew',
      to: `${PAGES.settings.path}?tab=tokens`,
    })
  }
  const rank = ({ state }: ToDo) => (state.kind === 'level' ? URGENCY[state.level] : RANK[state.kind])
  return list.sort((a, b) => rank(a) - rank(b) || (b.at ?? 0) - (a.at ?? 0))
}
