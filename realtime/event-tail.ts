import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, fromTuple } from '#contracts/telemetry/stored-event.ts'
import type { EventRow } from '#domain/query.ts'
import { isLiveBatch, mayHoldId } from '#storage/journal/decode-batch.ts'
import { decodeEntry } from '#storage/journal/entry-codec.ts'
import type { JournalWriter } from '#storage/journal/port.ts'

/** Maximum batches kept: the flusher is normally less than a second behind. */
const MAX_BATCHES = 20_000
const BLOCK_BYTES = 1024 * 1024
/** Maximum free blocks kept for reuse. */
const SPARE_BLOCKS = 16

export type EventTail = {
  event(app: number, id: string): EventRow | undefined
  release(position: number): void
  close(): void
}

/** Memory for payloads, reused once none of them is kept. */
type Block = { memory: Buffer; used: number; kept: number }

/**
 * What is durable but may not be stored yet, so that every event a screen shows can be opened at once (decision 15). No screen shows imported
 * history before it is stored, and a day of it is 60 MB and more on its way there: it is not kept.
 */
export function followTail(journal: JournalWriter): EventTail {
  let waiting: { position: number; payload: Buffer; block: Block }[] = []
  let block = newBlock(BLOCK_BYTES)
  const spare: Block[] = []

  function copyIn(payload: Buffer): Buffer {
    if (block.used + payload.length > block.memory.length)
      block =
        (payload.length <= BLOCK_BYTES ? spare.pop() : undefined) ?? newBlock(Math.max(BLOCK_BYTES, payload.length))
    const at = block.used
    block.memory.set(payload, at)
    block.used += payload.length
    block.kept++
    return block.memory.subarray(at, block.used)
  }
  function drop(count: number): void {
    for (const { block: one } of waiting.slice(0, count)) {
      if (--one.kept > 0) continue
      one.used = 0
      if (one !== block && one.memory.length === BLOCK_BYTES && spare.length < SPARE_BLOCKS) spare.push(one)
    }
    waiting = waiting.slice(count)
  }

  const unfollow = journal.follow(({ position, payload }) => {
    if (!isLiveBatch(payload)) return
    waiting.push({ position, payload: copyIn(payload), block })
    if (waiting.length > MAX_BATCHES) drop(MAX_BATCHES / 2)
  })
  return {
    event(app, id) {
      for (const { payload } of waiting.toReversed()) {
        if (!mayHoldId(payload, id)) continue
        const entry = decodeEntry(payload)
        if (entry.kind !== 'batch') continue
        const tuple = entry.events.find(([eventId, owner]) => eventId === id && owner === app)
        const event = tuple && fromTuple(tuple)
        if (event && !(event.flags & EVENT_FLAGS.pending)) return eventRow(event)
      }
      return undefined
    },
    release(position) {
      const first = waiting.findIndex((one) => one.position >= position)
      drop(first < 0 ? waiting.length : first)
    },
    close: unfollow,
  }
}

function newBlock(size: number): Block {
  return { memory: Buffer.allocUnsafeSlow(size), used: 0, kept: 0 }
}
