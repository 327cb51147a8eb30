import { describe, expect, test } from 'vitest'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { createStreamState } from './stream-state.ts'

const MINUTE = 60_000
const start = 1_700_000_000_000 - (1_700_000_000_000 % MINUTE)

describe('[RT-01] the stream of events', () => {
  test('counts what arrived in the minute of the clock, imported history apart', () => {
    let now = start + 1000
    const stream = createStreamState({ now: () => now, personal: false })
    for (const receivedAt of [now, now + 1, now + 2]) stream.count(madeEvent({ receivedAt }))
    stream.count(madeEvent({ receivedAt: now, flags: EVENT_FLAGS.imported }))
    expect(stream.frame()).toMatchObject({ rowsOf: 3, minuteCount: 3 })
    stream.count(madeEvent({ receivedAt: start + MINUTE }))
    now = start + MINUTE + 5
    expect(stream.frame()).toMatchObject({ rowsOf: 1, minuteCount: 1 })
    // A late event of the previous minute is a row but is not counted in this minute.
    stream.count(madeEvent({ receivedAt: start + MINUTE - 1 }))
    expect(stream.frame()).toMatchObject({ rowsOf: 1, minuteCount: 1 })
    now = start + 2 * MINUTE
    expect(stream.frame()).toMatchObject({ rows: [], rowsOf: 0, minuteCount: 0 })
    expect(stream.snapshot().rows).toHaveLength(5)
  })
})
