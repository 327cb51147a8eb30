import type { Kysely, Updateable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { ATTACHMENT_LIMITS } from '#contracts/http/service.ts'
import {
  limitsFrom,
  SERVICE_URGENCIES,
  type ServiceMove,
  type ServiceSide,
  type ServiceState,
  type ServiceUrgency,
} from '#domain/service-requests.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { RequestRow } from './request-rows.ts'

type Db = Kysely<Database>
/** Entries of one conversation. */
const MOST_ENTRIES = 500

type NewEntry = {
  request: number
  at: number
  user: { id: number; name: string }
  side: ServiceSide
  text: string
  move: ServiceMove | 'create' | null
  state: ServiceState
  urgency: ServiceUrgency | null
  /** Uploads of this account that were not sent. */
  attachments: readonly string[]
}

/** Adds an entry with its files; answers its number. Throws data.missing for a file that is not the account's or was sent, quota.reached. */
export async function writeEntry(tx: Db, entry: NewEntry): Promise<number> {
  const { request, at, user, side, text, move, state, urgency } = entry
  const { count } = await tx
    .selectFrom('service_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('request_id', '=', request)
    .executeTakeFirstOrThrow()
  // A state can always be changed: what is long is the talk.
  if (Number(count) >= MOST_ENTRIES && move === null)
    throw new ProductError('quota.reached', { detail: String(MOST_ENTRIES) })
  const { id } = await tx
    .insertInto('service_entries')
    .values({ request_id: request, at, by_user: user.id, author: user.name, side, text, move, state, urgency })
    .returning('id')
    .executeTakeFirstOrThrow()
  const wanted = [...new Set(entry.attachments)]
  if (wanted.length === 0) return id
  const taken = await tx
    .updateTable('service_attachments')
    .set({ request_id: request, entry_id: id })
    .where('id', 'in', wanted)
    .where('request_id', 'is', null)
    .where('by_user', '=', user.id)
    .returning('id')
    .execute()
  if (taken.length !== wanted.length) throw new ProductError('data.missing')
  const { files } = await tx
    .selectFrom('service_attachments')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where('request_id', '=', request)
    .executeTakeFirstOrThrow()
  if (Number(files) > ATTACHMENT_LIMITS.request)
    throw new ProductError('quota.reached', { detail: String(ATTACHMENT_LIMITS.request) })
  return id
}

/** What a move changes in the row beside its state. */
export function changesOf(
  row: RequestRow,
  move: ServiceMove,
  { now, handler, urgency }: { now: number; handler: string | null; urgency: ServiceUrgency | undefined },
): Updateable<Database['service_requests']> {
  const changes: Updateable<Database['service_requests']> = {}
  if (handler !== null && row.handler === '') changes.handler = handler
  // The time in which the requester was asked, or looked at a solution, is not the service side's.
  const restedSince = row.waiting_since ?? (move === 'return' ? row.solved_at : null)
  if (restedSince !== null) changes.solve_due = row.solve_due + Math.max(0, now - restedSince)
  changes.waiting_since = move === 'ask' ? now : null
  if (move === 'solve') changes.solved_at = now
  if (move === 'return') changes.solved_at = null
  if (move === 'confirm' || move === 'withdraw' || move === 'close') changes.closed_at = now
  if (move === 'reopen')
    Object.assign(changes, limitsFrom(row.urgency, now), { closed_at: null, solved_at: null, first_reply_at: null })
  if (move === 'accept' && urgency !== undefined && urgency !== row.urgency) {
    const began = row.reply_due - SERVICE_URGENCIES[row.urgency].reply
    Object.assign(changes, limitsFrom(urgency, began), { urgency })
  }
  return changes
}
