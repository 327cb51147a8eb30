import { describe, expect, test } from 'vitest'
import { collectorBed, MINUTE } from '#tests/support/collector-bed.ts'

const { bed, open, attack, post } = collectorBed()
const HOUR = 60 * MINUTE

describe('[OBS-01] a system clock that is set back', () => {
  test('events that carry the time from before are taken, and counted once', async () => {
    const sent = attack()
    expect((await post([sent])).body).toMatchObject({ accepted: 1 })
    const unanswered = attack()
    bed.clock -= HOUR
    expect((await post([unanswered])).body).toMatchObject({ accepted: 1, rejected: [] })
    expect((await post([sent, unanswered])).body).toMatchObject({ accepted: 0, pending: 0, duplicates: 2 })
    const beyond = attack({ reported_at: bed.clock + HOUR + 6 * MINUTE })
    expect((await post([beyond])).body.rejected).toHaveLength(1)
    bed.clock += HOUR
  })

  test('an hour that comes twice: what may have been sent in the first one is left to the store', async () => {
    const [first, second] = [attack(), attack()]
    bed.clock += HOUR
    await post([attack()]) // memory forgets what is older than its window
    bed.clock -= HOUR
    expect((await post([first, second])).body).toMatchObject({ accepted: 0, pending: 2 })
    expect((await post([first])).body).toMatchObject({ duplicates: 1 })
    bed.clock += HOUR
  })

  test('a restart after the clock was set right remembers what arrived meanwhile, in the segment before too', async () => {
    bed.clock += HOUR
    const before = attack()
    await post([before])
    const during = attack()
    const early = attack({ reported_at: bed.clock - 1000 })
    bed.clock -= HOUR
    expect((await post([during])).body).toMatchObject({ accepted: 1 })
    // Another segment begins while the clock is wrong.
    await bed.collector.journal.dropBefore(bed.collector.journal.durable())
    await post([early])
    await bed.collector.close()
    bed.clock += HOUR + MINUTE
    bed.collector = await open('journal')
    await bed.collector.ingest.ready
    expect((await post([before, during, early])).body).toMatchObject({ accepted: 0, duplicates: 3 })
  })
})
