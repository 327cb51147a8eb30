import type { DuckDBConnection } from '@duckdb/node-api'
import {
  EVENT_FLAGS,
  type EventTuple,
  type JournalBatch,
  type JournalPendingDecisions,
  type QuarantinedEvent,
} from '#contracts/telemetry/stored-event.ts'
import type { PositionedEntry } from '../../journal/port.ts'
import { eventHash, fieldOf } from '../duckdb/event-table.ts'
import type { IdFilter } from '../duckdb/id-filter.ts'
import { malformedField } from './well-formed.ts'

/** What a block of journal entries writes. */
export type BlockResult = {
  rows: EventTuple[]
  quarantined: QuarantinedEvent[]
  /** One a batch that held pending events. */
  verdicts: JournalPendingDecisions[]
}

/** reported_at of each (application, id) by the text `app id`. */
type StoredTimes = Map<string, number | null>

const eventKey = (tuple: EventTuple) => `${fieldOf(tuple, 'app')} ${fieldOf(tuple, 'id')}`
const isPending = (tuple: EventTuple) => (fieldOf(tuple, 'flags') & EVENT_FLAGS.pending) !== 0

/**
 * Decides the pending events of a block within the transaction that writes it (decision 16): one whose application and id are stored
 * already, or stand earlier in the block, is a duplicate, or quarantined (id_conflict) where both name another first sending time.
 * The whole store is searched by the id's hash for those that the filter does not know to be new: a bound by reported_at would miss
 * copies that came without one. Events that no row can hold are quarantined.
 */
export async function decidePending(
  connection: DuckDBConnection,
  block: readonly PositionedEntry[],
  ids: Pick<IdFilter, 'mayHold'>,
  now: number,
): Promise<BlockResult> {
  const batches = block.flatMap(({ position, entry }) => (entry.kind === 'batch' ? [{ position, batch: entry }] : []))
  const pending = batches.flatMap(({ batch }) => batch.events.filter(isPending))
  const held = pending.filter((tuple) => ids.mayHold(String(fieldOf(tuple, 'id'))))
  const decided: BlockResult = { rows: [], quarantined: [], verdicts: [] }
  const known: StoredTimes | undefined = pending.length > 0 ? await findStored(connection, held) : undefined
  for (const { position, batch } of batches) {
    const verdict: JournalPendingDecisions = {
      kind: 'verdicts',
      at: now,
      position,
      accepted: [],
      duplicates: [],
      quarantined: [],
    }
    batch.events.forEach((tuple, index) => {
      const malformed = malformedField(tuple)
      if (malformed) {
        if (isPending(tuple)) verdict.quarantined.push({ index, reason: 'implausible' })
        decided.quarantined.push(quarantinedEvent(tuple, batch.at, 'implausible', `cannot be stored: ${malformed}`))
      } else if (known && isPending(tuple)) decide(tuple, index, batch, known, verdict, decided)
      else {
        known?.set(eventKey(tuple), fieldOf(tuple, 'reportedAt'))
        decided.rows.push(tuple)
      }
    })
    if (batch.quarantined) decided.quarantined.push(...batch.quarantined)
    if (verdict.accepted.length + verdict.duplicates.length + verdict.quarantined.length > 0)
      decided.verdicts.push(verdict)
  }
  return decided
}

function decide(
  tuple: EventTuple,
  index: number,
  batch: JournalBatch,
  known: StoredTimes,
  verdict: JournalPendingDecisions,
  decided: BlockResult,
): void {
  const reported = fieldOf(tuple, 'reportedAt')
  const earlier = known.get(eventKey(tuple))
  if (earlier === undefined) {
    known.set(eventKey(tuple), reported)
    verdict.accepted.push(index)
    decided.rows.push(tuple)
  } else if (earlier === null || reported === null || earlier === reported) {
    verdict.duplicates.push(index)
  } else {
    verdict.quarantined.push({ index, reason: 'id_conflict' })
    const note = `first sent ${new Date(earlier).toISOString()} according to the stored event, ${new Date(reported).toISOString()} according to this one`
    decided.quarantined.push(quarantinedEvent(tuple, batch.at, 'id_conflict', note))
  }
}

function quarantinedEvent(
  tuple: EventTuple,
  receivedAt: number,
  reason: QuarantinedEvent['reason'],
  note: string,
): QuarantinedEvent {
  const app = Number(fieldOf(tuple, 'app'))
  return {
    receivedAt,
    app: Number.isInteger(app) && app >= 0 && app <= 0xffff_ffff ? app : 0,
    reason,
    eventId: String(fieldOf(tuple, 'id') ?? ''),
    device: String(fieldOf(tuple, 'device') ?? ''),
    note,
    raw: JSON.stringify(tuple).slice(0, 2000),
  }
}

async function findStored(connection: DuckDBConnection, pending: readonly EventTuple[]): Promise<StoredTimes> {
  if (pending.length === 0) return new Map()
  const wanted = new Set(pending.map(eventKey))
  const hashes = [...new Set(pending.map((tuple) => eventHash(fieldOf(tuple, 'id'))))]
  const reader = await connection.runAndReadAll(
    `SELECT app, CAST(id AS VARCHAR), reported FROM events WHERE eh IN (${hashes.join(', ')})`,
  )
  const known: StoredTimes = new Map()
  for (const [app, id, reported] of reader.getRowsJS()) {
    const name = `${app} ${id}`
    if (wanted.has(name)) known.set(name, reported === null ? null : Number(reported))
  }
  return known
}
