import { STREAM_ROWS, type StreamFrame } from '#contracts/live/messages.ts'
import { eventRow } from '#contracts/telemetry/event-row.ts'
import { EVENT_FLAGS, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { truncateAddress } from '#domain/truncate-address.ts'

/** What a stream frame says beyond its envelope. */
export type StreamBody = Pick<StreamFrame, 'rows' | 'rowsOf' | 'minuteCount'>

/** Single events of one stream topic, by arrival; imported history is not news and stays out. */
export type StreamState = {
  count(event: StoredEvent): void
  /** `personal`: the network of the address and the modelled rest of the event. */
  frame(): StreamBody
  /** The newest rows so far, for a client that starts or has fallen behind. */
  snapshot(): StreamBody
}

export function createStreamState(options: { now(): number; personal: boolean }): StreamState {
  let fresh: StoredEvent[] = []
  let recent: StoredEvent[] = []
  let rowsOf = 0
  let minute = 0
  let minuteCount = 0

  function advance(at: number): void {
    const next = Math.floor(at / 60_000)
    if (next <= minute) return
    minute = next
    minuteCount = 0
  }
  const rows = (events: readonly StoredEvent[]) =>
    events
      .slice(-STREAM_ROWS)
      .reverse()
      .map((event) =>
        eventRow(
          options.personal
            ? { ...event, address: truncateAddress(event.address) }
            : { ...event, address: '', extra: '' },
        ),
      )

  return {
    count(event) {
      if ((event.flags & EVENT_FLAGS.imported) !== 0) return
      advance(event.receivedAt)
      if (Math.floor(event.receivedAt / 60_000) === minute) minuteCount++
      rowsOf++
      fresh.push(event)
      if (fresh.length > 4 * STREAM_ROWS) fresh = fresh.slice(-STREAM_ROWS)
    },
    frame() {
      advance(options.now())
      const frame = { rows: rows(fresh), rowsOf, minuteCount }
      recent = [...recent, ...fresh].slice(-STREAM_ROWS)
      fresh = []
      rowsOf = 0
      return frame
    },
    snapshot() {
      advance(options.now())
      return { rows: rows([...recent, ...fresh]), rowsOf: 0, minuteCount }
    },
  }
}
