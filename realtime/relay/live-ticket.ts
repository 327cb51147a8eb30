import { createHash } from 'node:crypto'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'

/** Redeems a one-use ticket and deletes its row in any case. Undefined for an unknown, used or expired ticket. */
export async function takeTicket(meta: MetaStore, ticket: unknown, now: number): Promise<LiveSubject | undefined> {
  if (typeof ticket !== 'string' || ticket === '' || ticket.length > 200) return undefined
  const id = createHash('sha256').update(ticket).digest('hex')
  const row = await meta.db
    .deleteFrom('live_tickets')
    .where('id', '=', id)
    .returning(['subject', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > now ? row.subject : undefined
}
