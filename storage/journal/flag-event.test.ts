import { describe, expect, test } from 'vitest'
import { EVENT_FLAGS, type EventTuple, fromTuple } from '#contracts/telemetry/stored-event.ts'
import { decodeBatch } from './decode-batch.ts'
import { batchEncoder, encodeBatch } from './encode-batch.ts'
import { flagEvent } from './flag-event.ts'

const event = (change: Partial<Record<number, string | number | null>> = {}): EventTuple =>
  Object.assign(
    ['e0000000-0000-4000-8000-000000000001', 3, 1, 0, 0, 0, 1, 1e12, 1e12, null, 'd'.repeat(32), null].concat([
      '1.0',
      'huawei',
      '14',
      'P70',
      'HUAWEI',
      'wifi',
      '1.4',
      'CN',
    ]),
    { 20: 0, 21: 0, 22: 0, 23: 0, 24: null, 25: null, 26: 0, 27: EVENT_FLAGS.trusted, 28: '10.0.0.1', 29: '', 30: '' },
    change,
  )

describe('[OBS-01] an event in a written batch', () => {
  test('is flagged where it lies; one that is stored as JSON is left alone and says so', () => {
    const long = event({ 29: 'x'.repeat(70_000) })
    const bytes = encodeBatch({ kind: 'batch', at: 5, events: [event(), long, event()] }, 0)
    expect([0, 1, 2].map((index) => flagEvent(bytes, index, EVENT_FLAGS.pending))).toEqual([true, false, true])
    expect(decodeBatch(bytes).events.map((one) => fromTuple(one).flags)).toEqual([12, 8, 12])
  })

  test('is written from one tuple for all, and two batches at once are reported as a mistake', () => {
    const tuple: EventTuple = []
    const encoder = batchEncoder(0, 3)
    for (const change of [{ 15: 'a' }, { 15: 'b', 9: 7 }, { 15: 'c', 28: '' }]) {
      Object.assign(tuple, event(change))
      encoder.add(tuple)
    }
    expect(() => encoder.add(tuple)).toThrow(/full/)
    const { events } = decodeBatch(encoder.end({ kind: 'batch', at: 5 }))
    expect(events.map((one) => [one[9], one[15], one[28]])).toEqual([
      [null, 'a', '10.0.0.1'],
      [7, 'b', '10.0.0.1'],
      [null, 'c', ''],
    ])
    const one = batchEncoder(0, 1)
    encodeBatch({ kind: 'batch', at: 5, events: [event()] }, 0)
    expect(() => one.end({ kind: 'batch', at: 5 })).toThrow(/another/)
  })
})
