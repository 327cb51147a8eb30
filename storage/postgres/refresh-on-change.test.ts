import { describe, expect, test } from 'vitest'
import { refreshOnChange } from './refresh-on-change.ts'

/** The line to the database: notifications of changes and of a reconnect. */
function makeLine() {
  let onPayload: (payload: unknown) => void = () => {}
  let onBack: () => void = () => {}
  const listen = async (_channel: string, payload: typeof onPayload, back: () => void = () => {}) => {
    onPayload = payload
    onBack = back
    return () => {
      onPayload = () => {}
    }
  }
  return { listen, tell: (payload: unknown) => onPayload(payload), isBack: () => onBack() }
}
const settle = () => new Promise((wake) => setImmediate(wake))

describe('refreshOnChange', () => {
  test('reads at once, after each relevant change notice, and after a reconnect', async () => {
    const line = makeLine()
    let reads = 0
    const kept = await refreshOnChange(line, async () => void reads++, { changes: ['sites', 'applications'] })
    expect(reads).toBe(1)
    for (const payload of [{ what: 'settings' }, {}, null, 'sites']) line.tell(payload)
    await settle()
    expect(reads).toBe(1)
    line.tell({ what: 'sites' })
    await settle()
    expect(reads).toBe(2)
    line.isBack()
    await settle()
    expect(reads).toBe(3)
    kept.close()
    line.tell({ what: 'sites' })
    await settle()
    expect(reads).toBe(3)
  })

  test('refresh() resolves with the state stored at the time of the call, also when several callers refresh at once', async () => {
    const line = makeLine()
    let stored = 0
    let held = -1
    let reads = 0
    const waits: (() => void)[] = []
    const read = async () => {
      reads++
      const found = stored
      if (reads > 1) await new Promise<void>((wake) => waits.push(wake))
      held = found
    }
    const kept = await refreshOnChange(line, read, { changes: ['sites'] })
    const first = kept.refresh()
    stored = 1
    const later = [kept.refresh(), kept.refresh()]
    line.tell({ what: 'sites' })
    expect(kept.isReading()).toBe(true)
    waits.shift()?.()
    await settle()
    expect(held).toBe(0)
    waits.shift()?.()
    await Promise.all([first, ...later])
    expect({ held, reads, reading: kept.isReading() }).toEqual({ held: 1, reads: 3, reading: false })
  })

  test('a failed read rejects refresh() and keeps the previous state', async () => {
    const line = makeLine()
    let fails = false
    let held = 0
    const kept = await refreshOnChange(
      line,
      async () => {
        if (fails) throw new Error('the database is away')
        held++
      },
      { changes: ['sites'] },
    )
    fails = true
    await expect(kept.refresh()).rejects.toThrow('the database is away')
    line.tell({ what: 'sites' })
    await settle()
    expect(held).toBe(1)
    fails = false
    await kept.refresh()
    expect(held).toBe(2)
  })
  test('a notice whose read fails is read again by itself, and no longer after close()', async () => {
    const line = makeLine()
    let [stored, held, reads, fails] = [0, 0, 0, false]
    const read = async () => {
      reads++
      if (fails) throw new Error('the database is away')
      held = stored
    }
    const kept = await refreshOnChange(line, read, { changes: ['sites'] })
    ;[stored, fails] = [1, true]
    line.tell({ what: 'sites' })
    await settle()
    fails = false
    await expect.poll(() => held, { timeout: 5000 }).toBe(1)
    fails = true
    line.tell({ what: 'sites' })
    await settle()
    kept.close()
    const before = reads
    await new Promise((wake) => setTimeout(wake, 2500))
    expect(reads).toBe(before)
  })
})
