import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { timedSignal } from './timed-signal.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a signal with a time aborts after it, also when garbage was collected before, and when it is nested', async () => {
  const outer = timedSignal(new AbortController().signal, 60_000)
  const reasons: string[] = []
  for (let at = 0; at < 50; at++) {
    const signal = timedSignal(outer, 200)
    signal.addEventListener('abort', () => reasons.push((signal.reason as Error).name))
  }
  for (let round = 0; round < 3; round++) {
    await sleep(10)
    collectGarbage()
  }
  await sleep(400)
  expect(reasons).toEqual(Array.from({ length: 50 }, () => 'TimeoutError'))
  expect(outer.aborted).toBe(false)
})

test('a signal with a time aborts with the signal it was made of', () => {
  const stop = new AbortController()
  const signal = timedSignal(stop.signal, 60_000)
  stop.abort()
  expect(signal.aborted).toBe(true)
})

test('a signal without any time has ended already', () => {
  expect(timedSignal(new AbortController().signal, 0).aborted).toBe(true)
})
