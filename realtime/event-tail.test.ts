import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EVENT_FLAGS, type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { followTail } from './event-tail.ts'

let folder = ''
let journal: DiskJournal
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-tail-'))
  journal = await openJournal(folder, { maxBacklogBytes: 1e9 })
})
afterEach(async () => {
  await journal.close()
  rmSync(folder, { recursive: true, force: true })
})
const append = (events: StoredEvent[], imported = false) =>
  journal.append({ kind: 'batch', at: 1, events: events.map(toTuple), ...(imported && { import: true }) })

test('[RT-01] an event can be opened while it is durable but not stored; pending events and other applications’ events cannot', async () => {
  const tail = followTail(journal)
  const [first, second, pending] = [madeEvent(), madeEvent(), madeEvent({ flags: EVENT_FLAGS.pending })]
  const { position } = await append([first, pending])
  await append([second])
  expect(tail.event(first.app, first.id)).toMatchObject({ id: first.id, type: 'risk' })
  expect(tail.event(first.app + 1, first.id)).toBeUndefined()
  expect(tail.event(pending.app, pending.id)).toBeUndefined()
  tail.release(position + 1)
  expect(tail.event(first.app, first.id)).toBeUndefined()
  expect(tail.event(second.app, second.id)).toMatchObject({ id: second.id })
  tail.close()
})

test('[RT-01] imported history is not kept', async () => {
  const tail = followTail(journal)
  const live = madeEvent()
  const { position } = await append([live])
  const history = Array.from({ length: 500 }, () => madeEvent({ extra: JSON.stringify({ detail: 'x'.repeat(500) }) }))
  for (let round = 0; round < 4; round++) await append(history, true)
  expect(tail.event(1, history[0]?.id ?? '')).toBeUndefined()
  expect(tail.event(live.app, live.id)).toMatchObject({ id: live.id })
  tail.release(position + 1)
  expect(tail.event(live.app, live.id)).toBeUndefined()
  tail.close()
})

test('[RT-01] memory of stored events is reused without corrupting events kept later', async () => {
  const tail = followTail(journal)
  const large = () =>
    Array.from({ length: 200 }, () => madeEvent({ extra: JSON.stringify({ detail: 'y'.repeat(1500) }) }))
  for (let round = 0; round < 4; round++) {
    const kept = large()
    const { position } = await append(kept)
    tail.release(position)
    for (const one of kept.slice(-2)) expect(tail.event(one.app, one.id)?.id).toBe(one.id)
  }
  tail.close()
})
