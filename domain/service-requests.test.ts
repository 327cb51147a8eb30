import { describe, expect, test } from 'vitest'
import {
  limitStates,
  limitsFrom,
  REOPEN_DAYS,
  SERVICE_MOVE_NAMES,
  SERVICE_MOVES,
  SERVICE_STATE_NAMES,
  SERVICE_URGENCY_NAMES,
  type ServiceMove,
  type ServiceState,
  type ServiceTimes,
  stateAfter,
} from './service-requests.ts'

const DAY_MS = 86_400_000
const NOW = 1_800_000_000_000
const at = (state: ServiceState, closed_at: number | null = null) => ({ state, closed_at })

describe('[SERV-01] the states of a service request', () => {
  test('the moves of each side in each state are exactly these', () => {
    const allowed = (['requester', 'service'] as const).flatMap((side) =>
      SERVICE_STATE_NAMES.flatMap((state) =>
        SERVICE_MOVE_NAMES.flatMap((move) => {
          const to = stateAfter(move, at(state, NOW - 1), side, NOW)
          return to ? [`${side} ${state} ${move} ${to}`] : []
        }),
      ),
    )
    expect(allowed).toEqual([
      'requester submitted withdraw closed',
      'requester accepted withdraw closed',
      'requester progress withdraw closed',
      'requester waiting answer progress',
      'requester waiting withdraw closed',
      'requester solved confirm closed',
      'requester solved return progress',
      'requester closed reopen submitted',
      'service submitted accept accepted',
      'service accepted start progress',
      'service accepted ask waiting',
      'service accepted solve solved',
      'service progress ask waiting',
      'service progress solve solved',
      'service waiting start progress',
      'service waiting solve solved',
      'service solved close closed',
      'service closed reopen submitted',
    ])
  })

  test('every state is reached from the first one, and the last one is reached from every state', () => {
    const reach = (start: ServiceState) => {
      const seen = new Set<ServiceState>([start])
      for (const state of seen)
        for (const move of SERVICE_MOVE_NAMES) {
          const { from, to } = SERVICE_MOVES[move]
          if ((from as readonly ServiceState[]).includes(state)) seen.add(to)
        }
      return seen
    }
    expect([...reach('submitted')].toSorted()).toEqual(SERVICE_STATE_NAMES.toSorted())
    for (const state of SERVICE_STATE_NAMES) expect(reach(state).has('closed'), state).toBe(true)
  })

  test('a request is reopened until the last millisecond of the thirtieth day', () => {
    const closed = NOW - REOPEN_DAYS * DAY_MS
    const reopen = (closed_at: number) =>
      stateAfter('reopen' satisfies ServiceMove, at('closed', closed_at), 'requester', NOW)
    expect([reopen(closed), reopen(closed - 1)]).toEqual(['submitted', undefined])
  })
})

describe('[SERV-01] time limits', () => {
  const times = (more: Partial<ServiceTimes> = {}): ServiceTimes => ({
    ...{ state: 'submitted', first_reply_at: null, solved_at: null, waiting_since: null },
    ...limitsFrom('urgent', NOW),
    ...more,
  })
  const HOUR_MS = 3_600_000

  test('a more urgent request has shorter limits, and the answer comes before the solution', () => {
    const all = SERVICE_URGENCY_NAMES.map((one) => limitsFrom(one, 0))
    for (const [index, { reply_due, solve_due }] of all.entries()) {
      expect(reply_due).toBeLessThan(solve_due)
      const next = all[index + 1]
      if (next) expect([reply_due < next.reply_due, solve_due < next.solve_due]).toEqual([true, true])
    }
  })

  test('a limit runs, is late, and then stays kept or missed', () => {
    expect(limitStates(times(), NOW + 30 * 60_000)).toEqual({ reply: 'running', solve: 'running' })
    expect(limitStates(times(), NOW + 30 * 60_000 + 1)).toEqual({ reply: 'late', solve: 'running' })
    const answered = times({ state: 'progress', first_reply_at: NOW + 60_000 })
    expect(limitStates(answered, NOW + 5 * HOUR_MS)).toEqual({ reply: 'kept', solve: 'late' })
    const solved = times({ state: 'solved', first_reply_at: NOW + HOUR_MS, solved_at: NOW + 3 * HOUR_MS })
    expect(limitStates(solved, NOW + 90 * HOUR_MS)).toEqual({ reply: 'missed', solve: 'kept' })
  })

  test('the solution limit rests while the requester is asked, unless it was over before', () => {
    const asked = (waiting_since: number) =>
      limitStates(times({ state: 'waiting', first_reply_at: NOW, waiting_since }), NOW + 50 * HOUR_MS).solve
    expect([asked(NOW + HOUR_MS), asked(NOW + 5 * HOUR_MS)]).toEqual(['paused', 'late'])
  })

  test('a request that is withdrawn unanswered has limits that ended, not missed ones', () => {
    expect(limitStates(times({ state: 'closed' }), NOW + 99 * HOUR_MS)).toEqual({ reply: 'ended', solve: 'ended' })
  })
})
