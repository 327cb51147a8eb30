import { createHash, randomBytes } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { liveTicket, replay } from '#contracts/http/observatory.ts'
import { ARC_SAMPLE } from '#contracts/live/messages.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { mayReveal, redactRow, refuseAddress } from '../../query/personal.ts'

const TICKET_MS = 30_000
const REPLAY_MAX_MS = 3_600_000
/** Most sampled rows in one replay answer. */
const REPLAY_ROWS = 8000

/** Row of a ticket: SHA-256 of its text, hex, so that the database holds nothing that opens a socket. */
function ticketId(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}

/** Replay of past windows, and one-use tickets for the socket; the relay deletes a ticket's row when it takes one. */
export const observatoryModule: Module = (mount, deps) => {
  mount(liveTicket, async ({ caller }) => {
    const ticket = randomBytes(32).toString('base64url')
    const row = { id: ticketId(ticket), subject: JSON.stringify(subjectOf(caller)), expires_at: deps.now() + TICKET_MS }
    await deps.meta.db.insertInto('live_tickets').values(row).execute()
    return { ticket }
  })

  mount(replay, async ({ body, caller }) => {
    const length = body.to - body.from
    if (length <= 0 || length > REPLAY_MAX_MS) throw new ProductError('input.invalid', { detail: 'from, to' })
    refuseAddress(caller, body.filters)
    const perSecond = Math.min(ARC_SAMPLE, Math.max(1, Math.floor(REPLAY_ROWS / Math.ceil(length / 1000))))
    const { seconds, sample, sampleOf } = await deps.store.replay(
      body.filters,
      caller.scope,
      { from: body.from, to: body.to },
      deps.settings().zone,
      perSecond,
    )
    return {
      data: { from: body.from, to: body.to, seconds, sample: sample.map(redactRow), sampleOf },
    }
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
