import { expect, test } from 'vitest'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import type { ReplayPart } from './replay-part.ts'
import { createScrub, type Moment, momentOf } from './scrub.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
function partOf(from: number, to: number): ReplayPart {
  const seconds: ReplayPart['seconds'] = []
  const sample: ReplayPart['sample'] = []
  for (let at = from; at < to; at += 1000) {
    seconds.push([at, 0, 1, 0, 1, 0, 1])
    sample.push(eventRow(madeEvent({ receivedAt: at + 10, lon: 113, lat: 23, placeSource: 1 })))
  }
  return { from, to, seconds, sample, sampleOf: seconds.length * 2 }
}
const span = (at: number) => ({ from: Math.floor(at / MINUTE) * MINUTE, to: Math.floor(at / MINUTE) * MINUTE + MINUTE })
const settled = () => new Promise((done) => setTimeout(done, 5))

test('[OBS-01] a bar under the pointer is counted exactly, and at most 40 of its attacks are drawn', () => {
  const moment = momentOf(partOf(0, HOUR), span(5 * MINUTE))
  expect(moment.attacks).toBe(120)
  expect(moment.arcs).toHaveLength(40)
  for (const [, , , , , , at] of moment.arcs) expect(at >= 5 * MINUTE && at < 6 * MINUTE).toBe(true)
})

test('[OBS-01] drawing over the time line asks for each hour once and answers the newest wish; letting go ends it', async () => {
  const asked: [number, number][] = []
  const shown: (Moment | null)[] = []
  const fetchPart = async (from: number, to: number) => {
    asked.push([from, to])
    return partOf(from, to)
  }
  const scrub = createScrub(
    fetchPart,
    () => 2.5 * HOUR,
    (moment) => shown.push(moment),
  )
  scrub.want(span(HOUR + 5 * MINUTE))
  scrub.want(span(HOUR + 6 * MINUTE))
  scrub.want(span(HOUR + 7 * MINUTE))
  await settled()
  expect(shown.map((one) => one?.from)).toEqual([HOUR + 7 * MINUTE])
  scrub.want(span(HOUR + 8 * MINUTE))
  scrub.want(span(2 * HOUR + MINUTE))
  await settled()
  expect(asked).toEqual([
    [HOUR, 2 * HOUR],
    [2 * HOUR, 2.5 * HOUR],
  ])
  expect(shown.at(-1)?.from).toBe(2 * HOUR + MINUTE)
  scrub.want(null)
  expect(shown.at(-1)).toBeNull()
  scrub.close()
})

test('[OBS-01] a running bar of ten minutes is read once a minute, though its end lies ahead', async () => {
  let [asked, clock] = [0, HOUR + 2 * MINUTE]
  const shown: (Moment | null)[] = []
  const fetchPart = async (from: number, to: number) => {
    asked++
    return partOf(from, to)
  }
  const scrub = createScrub(
    fetchPart,
    () => clock,
    (moment) => shown.push(moment),
  )
  const running = { from: HOUR, to: HOUR + 10 * MINUTE }
  scrub.want(running)
  await settled()
  expect([asked, shown.at(-1)?.attacks]).toEqual([1, 240])
  scrub.want(null)
  clock += 2 * MINUTE
  scrub.want(running)
  await settled()
  expect([asked, shown.at(-1)?.attacks]).toEqual([2, 480])
  scrub.close()
})

test('[OBS-01] a bar that cannot be read says so, and the next movement asks again', async () => {
  let fails = true
  const shown: (Moment | null)[] = []
  const unreadable: boolean[] = []
  const fetchPart = async (from: number, to: number) => {
    if (fails) throw new Error('store down')
    return partOf(from, to)
  }
  const scrub = createScrub(
    fetchPart,
    () => 2 * HOUR,
    (moment, isUnreadable) => {
      shown.push(moment)
      unreadable.push(isUnreadable)
    },
  )
  scrub.want(span(HOUR))
  await settled()
  expect([shown, unreadable]).toEqual([[null], [true]])
  fails = false
  scrub.want(span(HOUR + MINUTE))
  await settled()
  expect([shown.at(-1)?.attacks, unreadable.at(-1)]).toEqual([120, false])
})
