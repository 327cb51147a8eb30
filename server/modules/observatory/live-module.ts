import { createHash, randomBytes } from 'node:crypto'
import { liveTicket } from '#contracts/http/statistics.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { mayReveal } from '../statistics/personal.ts'

const TICKET_MS = 30_000

/** Row of a ticket: SHA-256 of its text, hex, so that the database holds nothing that opens a socket. */
function ticketId(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}

/** One-use tickets for the socket; the relay deletes the row when it takes one. */
export const liveModule: Module = (mount, deps) => {
  mount(liveTicket, async ({ caller }) => {
    const ticket = randomBytes(32).toString('base64url')
    const row = { id: ticketId(ticket), subject: JSON.stringify(subjectOf(caller)), expires_at: deps.now() + TICKET_MS }
    await deps.meta.db.insertInto('live_tickets').values(row).execute()
    return { ticket }
  })
}

function subjectOf(caller: Caller): LiveSubject {
  return {
    kind: caller.kind === 'display' ? 'display' : 'session',
    id: caller.credential,
    userId: caller.userId,
    scope: { apps: caller.scope.apps === 'all' ? 'all' : [...caller.scope.apps] },
    personal: mayReveal(caller),
  }
}
