import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GUARD, type GuardSide, judgeRollOut } from './roll-out-guard.ts'

const side = (more: Partial<GuardSide> = {}): GuardSide => ({
  devices: 100,
  starts: 2000,
  failures: 10,
  stopped: 4,
  ...more,
})

test('[CONF-02] a roll-out is not judged before both sides are large enough, nor once everybody is reached', () => {
  const bad = side({ failures: 900, stopped: 100 })
  expect(judgeRollOut(bad, side(), 50)).toEqual({ verdict: 'stop', reasons: ['failures', 'stopped'] })
  expect(judgeRollOut({ ...bad, devices: GUARD.devices - 1 }, side(), 50).verdict).toBe('few')
  expect(judgeRollOut({ ...bad, starts: GUARD.starts - 1 }, side(), 50).verdict).toBe('few')
  expect(judgeRollOut(bad, side({ devices: 0, starts: 0, failures: 0, stopped: 0 }), 50).verdict).toBe('few')
  expect(judgeRollOut(bad, side(), 100)).toEqual({ verdict: 'alone', reasons: [] })
})

test('[CONF-02] each reason stops alone, and only beyond factor, difference and chance', () => {
  expect(judgeRollOut(side({ failures: 50 }), side(), 10).reasons).toEqual(['failures'])
  expect(judgeRollOut(side({ stopped: 30 }), side(), 10).reasons).toEqual(['stopped'])
  expect(judgeRollOut(side(), side(), 10).verdict).toBe('fine')
  // Twice as often, but rare: 4 in 2,000 more are no reason.
  expect(judgeRollOut(side({ failures: 8 }), side({ failures: 4 }), 10).verdict).toBe('fine')
  // Much more than usual, of few starts: chance does that.
  const [few, others] = [side({ starts: 200, failures: 3 }), side({ starts: 200, failures: 1 })]
  expect(judgeRollOut(few, others, 10).verdict).toBe('fine')
  expect(judgeRollOut(side({ failures: 0, stopped: 0 }), side({ failures: 900, stopped: 90 }), 10).verdict).toBe('fine')
})

test('[CONF-02] more trouble on the new version never takes a stop back; two alike sides never stop', () => {
  const count = (max: number) => fc.integer({ min: 0, max })
  const any = fc.record({ devices: count(5000), starts: count(100_000), failures: count(5000), stopped: count(300) })
  fc.assert(
    fc.property(any, any, count(1000), count(100), (next, others, failures, stopped) => {
      const before = judgeRollOut(next, others, 10)
      if (before.verdict !== 'stop') return
      const [reason] = before.reasons
      const more =
        reason === 'failures'
          ? { ...next, failures: next.failures + failures }
          : { ...next, stopped: Math.min(next.devices, next.stopped + stopped) }
      expect(judgeRollOut(more, others, 10).reasons).toContain(reason)
    }),
  )
  fc.assert(
    fc.property(any, (one) => {
      expect(judgeRollOut(one, one, 10).verdict).not.toBe('stop')
    }),
  )
})
