import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Alert } from '#domain/alerts.ts'
import {
  type AlertQueue,
  EMPTY_QUEUE,
  FRESH_MS,
  receiveAlert,
  SHOWN_MS,
  showNext,
  tick,
  toggleStay,
} from './alert-queue.ts'

function alertWith(fields: Partial<Alert> & { id: string }): Alert {
  return {
    rule: { id: 'r', name: 'rule' },
    severity: 'critical',
    state: 'firing',
    measure: 'attacks',
    task: null,
    by: null,
    key: '',
    filters: [],
    window_ms: 60_000,
    condition: { kind: 'threshold', op: 'at_least', value: 1 },
    value: 1,
    expected: 1,
    usual: null,
    peak: 1,
    total: 1,
    from: 0,
    to: 60_000,
    raised_at: 0,
    resolved_at: null,
    acknowledged: null,
    silenced: false,
    late: false,
    version: 1,
    ...fields,
  }
}

test('[OBS-01] the wall jumps to a critical alert, and returns by itself after its time', () => {
  const turn = receiveAlert(EMPTY_QUEUE, alertWith({ id: 'a' }), 1000)
  expect(turn.current?.id).toBe('a')
  expect(tick(turn, 1000 + SHOWN_MS - 1).current?.id).toBe('a')
  const back = tick(turn, 1000 + SHOWN_MS)
  expect(back.current).toBeNull()
  // Sent again with other numbers: already announced.
  expect(receiveAlert(back, alertWith({ id: 'a', value: 9 }), 50_000).current).toBeNull()
})

test('[OBS-01] an alert of more than two minutes ago is not announced, however often the page is loaded; one that rose in level is', () => {
  const old = alertWith({ id: 'a', raised_at: 0 })
  expect(receiveAlert(EMPTY_QUEUE, old, FRESH_MS).current).toBeNull()
  expect(receiveAlert(EMPTY_QUEUE, old, FRESH_MS - 1).current?.id).toBe('a')
  const high = receiveAlert(EMPTY_QUEUE, alertWith({ id: 'b', severity: 'high' }), 0)
  const over = showNext(high, SHOWN_MS)
  expect(receiveAlert(over, alertWith({ id: 'b', severity: 'high' }), SHOWN_MS).current).toBeNull()
  const risen = receiveAlert(over, alertWith({ id: 'b', severity: 'critical' }), 10 * FRESH_MS)
  expect(risen.current?.id).toBe('b')
  expect(receiveAlert(showNext(risen, 0), alertWith({ id: 'b', severity: 'high' }), 0).current).toBeNull()
})

test('a pinned alert stays, an acknowledged one leaves, silenced, low and ended alerts are ignored', () => {
  const turn = receiveAlert(EMPTY_QUEUE, alertWith({ id: 'a' }), 0)
  const staying = toggleStay(turn, 0)
  expect(tick(staying, 10 * SHOWN_MS).current?.id).toBe('a')
  expect(tick(toggleStay(staying, 10 * SHOWN_MS), 11 * SHOWN_MS).current).toBeNull()
  expect(receiveAlert(staying, alertWith({ id: 'a', state: 'acknowledged' }), 1).current).toBeNull()
  expect(receiveAlert(staying, alertWith({ id: 'a', state: 'resolved', value: 7 }), 1).current?.value).toBe(7)
  for (const quiet of [{ silenced: true }, { severity: 'medium' as const }, { state: 'resolved' as const }])
    expect(receiveAlert(EMPTY_QUEUE, alertWith({ id: 'b', ...quiet }), 0).current).toBeNull()
})

test('each alert has one turn at most, one at a time, and memory stays bounded', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('hear' as const),
      id: fc.integer({ min: 0, max: 400 }).map(String),
      state: fc.constantFrom('firing' as const, 'resolved' as const, 'acknowledged' as const),
    }),
    fc.record({ do: fc.constantFrom('tick' as const, 'next' as const, 'stay' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      let turn: AlertQueue = EMPTY_QUEUE
      let now = 0
      const turns: string[] = []
      for (const one of steps) {
        now += 9000
        const before = turn.current?.id
        if (one.do === 'hear')
          turn = receiveAlert(turn, alertWith({ id: one.id, state: one.state, raised_at: now - 5000 }), now)
        else if (one.do === 'tick') turn = tick(turn, now)
        else if (one.do === 'next') turn = showNext(turn, now)
        else turn = toggleStay(turn, now)
        if (turn.current && turn.current.id !== before) turns.push(turn.current.id)
        expect(turn.waiting.length).toBeLessThanOrEqual(5)
        expect(turn.seen.length).toBeLessThanOrEqual(200)
        expect(turn.siblings.length).toBeLessThanOrEqual(200)
      }
      expect(new Set(turns).size).toBe(turns.length)
    }),
  )
})

test('[OBS-01] alerts of one rule that are raised together take one turn, waiting ones too', () => {
  const burst = (id: string, raised_at = 0) => alertWith({ id, by: 'app', key: id, raised_at })
  let turn: AlertQueue = EMPTY_QUEUE
  for (const id of ['a', 'b', 'c']) turn = receiveAlert(turn, burst(id), 1000)
  expect(turn.current?.id).toBe('a')
  expect(turn.siblings.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(turn.waiting).toEqual([])
  const other = (id: string) => alertWith({ id, by: 'city', key: id, rule: { id: 'farm', name: 'farm' } })
  for (const id of ['x', 'y']) turn = receiveAlert(turn, other(id), 1000)
  const next = showNext(turn, 1000 + SHOWN_MS)
  expect(next.current?.id).toBe('x')
  expect(next.siblings.map(({ id }) => id)).toEqual(['y'])
  expect(next.waiting).toEqual([])
})

test('[OBS-01] a sibling that rises is counted once, and one more severe than the alert shown has its own turn', () => {
  const burst = (id: string, severity: 'high' | 'critical') =>
    alertWith({ id, by: 'app', key: id, raised_at: 0, severity })
  const high = receiveAlert(receiveAlert(EMPTY_QUEUE, burst('a', 'high'), 1000), burst('b', 'high'), 1000)
  const risen = receiveAlert(high, burst('b', 'critical'), 2000)
  expect(risen.siblings.map(({ id }) => id)).toEqual(['b'])
  expect(risen.waiting.map(({ id }) => id)).toEqual(['b'])
  expect(showNext(risen, 1000 + SHOWN_MS).current?.id).toBe('b')
  const critical = receiveAlert(receiveAlert(EMPTY_QUEUE, burst('a', 'critical'), 1000), burst('b', 'high'), 1000)
  expect(receiveAlert(critical, burst('b', 'critical'), 2000).siblings).toHaveLength(1)
})
