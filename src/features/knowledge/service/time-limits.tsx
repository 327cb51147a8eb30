import type { ServiceRequest } from '#contracts/http/service.ts'
import { type LimitState, limitStates, SERVICE_URGENCIES } from '#domain/service-requests.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { serviceTexts } from './service-texts.ts'

const MINUTE_MS = 60_000

/** The limits of a request: the next one as a clock that runs down, then both in words; one that is missed says by how much. */
export function TimeLimits({ of: one, now }: { of: ServiceRequest; now: number }) {
  const t = useTexts(serviceTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const states = limitStates(one, now)
  const { reply, solve } = SERVICE_URGENCIES[one.urgency]
  // Both limits are counted from the same moment, save that the second one moves on while the requester is asked.
  const began = one.reply_due - reply
  const isMissed = [states.reply, states.solve].some((state) => state === 'missed' || state === 'late')
  const next = nextLimit(states)
  const due = next === 'reply' ? one.reply_due : one.solve_due
  const isLate = next !== undefined && states[next] === 'late'
  const line = (state: LimitState, done: number | null, until: number, limit: number) => {
    const time = formatDateTime(until, zone, 'minute', now)
    if (state === 'kept')
      return t('took', { took: span(Math.max(0, (done ?? began) - began)), limit: formatDuration(limit, language) })
    if (state === 'missed')
      return t('tookLate', { took: span((done ?? until) - began), over: span((done ?? until) - until) })
    if (state === 'late') return t('lateBy', { time, over: span(now - until) })
    if (state === 'paused') return t('restsAt')
    return state === 'ended' ? t('endedWithout') : t('dueBy', { time })
  }
  const span = (ms: number) => formatDuration(Math.max(MINUTE_MS, Math.floor(ms / MINUTE_MS) * MINUTE_MS), language)
  const tone = (state: LimitState) => (state === 'missed' || state === 'late' ? 'text-bad-text' : '')
  return (
    <section className="border-b px-5 py-4" aria-label={t('limits')}>
      <h2 className="mb-2 flex items-baseline justify-between font-semibold">
        {t('limits')}
        <span
          className={`text-12 font-normal ${isMissed ? 'text-bad-text' : one.state === 'closed' ? 'text-muted' : 'text-good-text'}`}
        >
          {t(isMissed ? 'missedOne' : one.state === 'closed' ? 'closedIn' : 'withinAll')}
        </span>
      </h2>
      {states.solve === 'paused' && <p className="mb-2 text-warn-text">{t('paused')}</p>}
      {next && (
        <>
          <p className="mb-1.5 flex flex-wrap items-baseline gap-x-2">
            <span className={`num text-28 ${isLate ? 'text-bad-text' : ''}`}>{clock(Math.abs(due - now))}</span>
            <span className="text-12 text-muted">
              {t(
                isLate
                  ? next === 'reply'
                    ? 'overReply'
                    : 'overSolve'
                  : next === 'reply'
                    ? 'untilReply'
                    : 'untilSolve',
              )}
            </span>
          </p>
          <ProgressBar
            label={t('limits')}
            value={isLate ? 1 : (now - began) / Math.max(1, due - began)}
            tone={isLate ? 'bad' : 'brand'}
          />
        </>
      )}
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact name={t('urgency')}>{SERVICE_URGENCIES[one.urgency][language]}</Fact>
        <Fact name={t('firstReply')}>
          <span className={tone(states.reply)}>{line(states.reply, one.first_reply_at, one.reply_due, reply)}</span>
        </Fact>
        <Fact name={t('solution')}>
          <span className={tone(states.solve)}>
            {line(states.solve, one.solved_at, one.solve_due, Math.max(solve, one.solve_due - began))}
          </span>
        </Fact>
      </dl>
    </section>
  )
}

/** The limit that is still to be met: the answer, then the solution. */
function nextLimit({ reply, solve }: Record<'reply' | 'solve', LimitState>): 'reply' | 'solve' | undefined {
  if (solve === 'late') return 'solve'
  if (reply === 'running' || reply === 'late') return 'reply'
  return solve === 'running' ? 'solve' : undefined
}

/** `3:55`: hours and minutes. */
function clock(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  return `${hours}:${String(minutes % 60).padStart(2, '0')}`
}
