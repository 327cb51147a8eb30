import { expect, test } from 'vitest'
import { checkJsonShape } from './json-shape.ts'

const limits = { lines: false, events: 1000 }
const check =
  (text: string, change: Partial<typeof limits> = {}, random?: () => number) =>
  () =>
    checkJsonShape(Buffer.from(text), { ...limits, ...change }, random === undefined, random)
const event = (n: number) => `{"event_id":"e${n}","type":"start","device_id":"d,[{\\"","x_pad":"${'p'.repeat(40)}"}`
const events = (count: number) => Array.from({ length: count }, (_, n) => event(n))

test('[OBS-01] counts events of arrays, of {"events": […]} and of lines before they are parsed', () => {
  for (const [count, isRefused] of [
    [1000, false],
    [1001, true],
  ] as const) {
    const list = events(count)
    for (const run of [
      check(`[${list.join(',')}]`),
      check(`{"events":[${list.join(',')}]}`),
      check(`${list.join('\n\n')}\n`, { lines: true }),
    ]) {
      if (isRefused) expect(run).toThrow(expect.objectContaining({ key: 'request.too_large' }))
      else expect(run).not.toThrow()
    }
  }
})

test('[OBS-01] refuses more than 64 levels and more values than events can have', () => {
  const pad = `"${'p'.repeat(20_000)}"`
  expect(check(`[${pad},${'['.repeat(63)}${']'.repeat(63)}]`)).not.toThrow()
  expect(check(`[${pad},${'['.repeat(64)}${']'.repeat(64)}]`)).toThrow(/nested deeper/)
  expect(check(`[{"x":[${'1,'.repeat(256_001)}1]}]`)).toThrow(/more than 256000 values/)
})

test('[OBS-01] bodies of brackets are found by a sample, bodies of events are not scanned', () => {
  const brackets = '['.repeat(100_000)
  expect(check(brackets, {}, Math.random)).toThrow(/nested deeper/)
  expect(check(`[${'{},'.repeat(100_000)}{}]`, {}, Math.random)).toThrow()
  // 1001 events pass the sample: the reader counts them after parsing.
  expect(check(`[${events(1001).join(',')}]`, {}, Math.random)).not.toThrow()
})
