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
  /** One for each batch that held pending events. */
  decisions: JournalPendingDecisions[]
}

/** reported_at of each (application, id) by the text `app id`. */
type StoredTimes = Map<string, number | null>

const eventKey = (tuple: EventTuple) => `${fieldOf(tuple, 'app')} ${fieldOf(tuple, 'id')}`
const isPending = (tuple: EventTuple) => (fieldOf(tuple, 'flags') & EVENT_FLAGS.pending) !== 0

/**
 * Decides the pending events of a block within the transaction that writes it (decision 16): one whose application and id are stored
 * already, or come earlier in the block, is a duplicate, or quarantined (id_conflict) where the first sending times differ. The whole
 * store is searched by the id's hash for those that the filter does not know to be new: a bound by reported_at would miss copies that came
 * without one. Events that do not fit into a row are quarantined. `compare`: each event may have been stored from the same entry before,
 * so all are looked up; decisions are made for pending ones only.
 */
export async function decidePending(
  connection: DuckDBConnection,
  block: readonly PositionedEntry[],
  ids: Pick<IdFilter, 'mayHold'>,
  now: number,
  compare = false,
): Promise<BlockResult> {
  const batches = block.flatMap(({ position, entry }) => (entry.kind === 'batch' ? [{ position, batch: entry }] : []))
  const isLookedUp = (tuple: EventTuple) => isPending(tuple) || (compare && typeof fieldOf(tuple, 'id') === 'string')
  const lookedUp = batches.flatMap(({ batch }) => batch.events.filter(isLookedUp))
  const held = lookedUp.filter((tuple) => ids.mayHold(String(fieldOf(tuple, 'id'))))
  const result: BlockResult = { rows: [], quarantined: [], decisions: [] }
  const known: StoredTimes | undefined = lookedUp.length > 0 ? await findStored(connection, held) : undefined
  for (const { position, batch } of batches) {
    const decision: JournalPendingDecisions = {
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
        if (isPending(tuple)) decision.quarantined.push({ index, reason: 'implausible' })
        result.quarantined.push(quarantinedEvent(tuple, batch.at, 'implausible', `cannot be stored: ${malformed}`))
      } else if (known && isLookedUp(tuple)) {
        const outcome = decide(tuple, batch, known, result)
        if (!isPending(tuple)) return
        if (outcome === 'id_conflict') decision.quarantined.push({ index, reason: outcome })
        else decision[outcome].push(index)
      } else {
        known?.set(eventKey(tuple), fieldOf(tuple, 'reportedAt'))
        result.rows.push(tuple)
      }
    })
    if (batch.quarantined) result.quarantined.push(...batch.quarantined)
    if (decision.accepted.length + decision.duplicates.length + decision.quarantined.length > 0)
      result.decisions.push(decision)
  }
  return result
}

function decide(
  tuple: EventTuple,
  batch: JournalBatch,
  known: StoredTimes,
  result: BlockResult,
): 'accepted' | 'duplicates' | 'id_conflict' {
  const reported = fieldOf(tuple, 'reportedAt')
  const earlier = known.get(eventKey(tuple))
  if (earlier === undefined) {
    known.set(eventKey(tuple), reported)
    result.rows.push(tuple)
    return 'accepted'
  }
  if (earlier === null || reported === null || earlier === reported) return 'duplicates'
  const note = `first sent ${new Date(earlier).toISOString()} according to the stored event, ${new Date(reported).toISOString()} according to this one`
  result.quarantined.push(quarantinedEvent(tuple, batch.at, 'id_conflict', note))
  return 'id_conflict'
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
