import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALERT_WINDOWS, type AlertWindow } from '#domain/alerts.ts'
import { CATCH_UP_MS, continues, dueWindows, endAtOrBefore, GRACE_MS, LATE_MS, runningEnd } from './windows.ts'

const window = fc.constantFrom(...(Object.keys(ALERT_WINDOWS) as AlertWindow[]))
const T = Date.UTC(2026, 10, 21, 6)

test('[OBS-01] however the clock ticks forward, every window is judged once in each pass, in order, and only once it is closed', () => {
  const ticks = fc.array(fc.integer({ min: 0, max: 20 * 60_000 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(
      window,
      fc.constantFrom(0, 1, 2),
      fc.integer({ min: 0, max: 60_000 }),
      ticks,
      (name, pass, shift, steps) => {
        const { step } = ALERT_WINDOWS[name]
        let closedTo = T + shift
        const start = endAtOrBefore(closedTo, name)
        let upto = start
        const judged: number[] = []
        for (const tick of steps) {
          closedTo += tick
          const due = dueWindows(name, pass, upto, closedTo)
          for (const end of due.ends) expect(end + GRACE_MS + (LATE_MS[pass] ?? 0)).toBeLessThanOrEqual(closedTo)
          judged.push(...due.ends)
          upto = due.upto
        }
        // Rounds that bring nothing new but what is left over.
        for (let left = dueWindows(name, pass, upto, closedTo); left.ends.length > 0; ) {
          judged.push(...left.ends)
          left = dueWindows(name, pass, left.upto, closedTo)
        }
        const newest = endAtOrBefore(closedTo - GRACE_MS - (LATE_MS[pass] ?? 0), name)
        const expected: number[] = []
        for (let end = start + step; end <= newest; end += step) expected.push(end)
        expect(judged).toEqual(expected)
      },
    ),
  )
})

test('a standstill of more than a day is caught up for a day and no more', () => {
  fc.assert(
    fc.property(window, fc.integer({ min: 2, max: 400 }), (name, days) => {
      const { step } = ALERT_WINDOWS[name]
      const closedTo = T + days * 86_400_000 + 30_000
      let upto = T
      const judged: number[] = []
      for (;;) {
        const due = dueWindows(name, 0, upto, closedTo)
        if (due.ends.length === 0) break
        judged.push(...due.ends)
        upto = due.upto
      }
      expect(judged.length).toBe(CATCH_UP_MS / step)
      expect(judged[0]).toBeGreaterThan(closedTo - CATCH_UP_MS - step - GRACE_MS)
    }),
  )
})

test('a clock that was ahead and is set back makes the passes go on from the present', () => {
  fc.assert(
    fc.property(window, fc.integer({ min: 1, max: 1000 }), (name, hours) => {
      const ahead = T + hours * 3_600_000
      const far = dueWindows(name, 0, T, ahead)
      const upto = Math.max(far.upto, endAtOrBefore(ahead, name))
      const back = dueWindows(name, 0, upto, T + 30_000)
      const { step } = ALERT_WINDOWS[name]
      if (upto - (T + 30_000) <= Math.max(180_000, 2 * step)) return
      expect(back.ends).toEqual([])
      expect(back.upto).toBeLessThanOrEqual(T + 30_000)
      expect(dueWindows(name, 0, back.upto, T + 30_000 + 2 * step).ends.length).toBeGreaterThan(0)
    }),
  )
})

test('the running window is the one that no pass has judged, and holds the present', () => {
  fc.assert(
    fc.property(window, fc.integer({ min: 0, max: 86_400_000 }), (name, shift) => {
      const { step, ms } = ALERT_WINDOWS[name]
      const at = T + shift
      const end = runningEnd(name, at)
      expect(end).toBeGreaterThan(at)
      expect(end - step).toBeLessThanOrEqual(at)
      expect(end - ms).toBeLessThanOrEqual(at)
      expect(end % step).toBe(0)
    }),
  )
})

test('breaches next to each other or within the cool-down are one alert, in whatever order they are seen', () => {
  const alert = { first_end: 1000, last_end: 2000 }
  expect(continues(alert, 2060, 60, 0)).toBe(true)
  expect(continues(alert, 2061, 60, 0)).toBe(false)
  expect(continues(alert, 2300, 60, 300)).toBe(true)
  expect(continues(alert, 700, 60, 300)).toBe(true)
  expect(continues(alert, 699, 60, 300)).toBe(false)
  expect(continues(alert, 1500, 60, 0)).toBe(true)
})
