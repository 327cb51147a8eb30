import { createHash, randomBytes } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { liveTicket, replay } from '#contracts/http/observatory.ts'
import { ARC_SAMPLE } from '#contracts/live/messages.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { mayReveal, redactRow, refuseAddress } from '../../query/personal.ts'
import { refuseOnWall, rowFor } from '../../query/wall-access.ts'

const TICKET_MS = 30_000
const HOUR_MS = 3_600_000
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
    // A session hears when its permissions change, whatever they are; a token has nothing to hear but events.
    if (caller.kind !== 'session' && !caller.auth.includes('events.read'))
      throw new ProductError('permission.missing', { permission: 'events.read' })
    const ticket = randomBytes(32).toString('base64url')
    const subject = { ...subjectOf(caller), until: await expiryOf(deps, caller) }
    const row = { id: ticketId(ticket), subject: JSON.stringify(subject), expires_at: deps.now() + TICKET_MS }
    await deps.meta.db.insertInto('live_tickets').values(row).execute()
    return { ticket }
  })

  mount(replay, async ({ body, caller }) => {
    const length = body.to - body.from
    if (length <= 0 || length > REPLAY_MAX_MS) throw new ProductError('input.invalid', { detail: 'from, to' })
    refuseAddress(caller, body.filters)
    refuseOnWall(caller, body.filters)
    const perSecond = Math.min(ARC_SAMPLE, Math.max(1, Math.floor(REPLAY_ROWS / Math.ceil(length / 1000))))
    const { seconds, sample, sampleOf } = await deps.store.replay(
      body.filters,
      caller.scope,
      { from: body.from, to: body.to },
      deps.settings().zone,
      perSecond,
    )
    return {
      data: {
        from: body.from,
        to: body.to,
        seconds,
        sample: sample.map((row) => rowFor(caller, redactRow(row))),
        sampleOf,
      },
    }
  })
}

function subjectOf(caller: Caller): Omit<LiveSubject, 'until'> {
  return {
    kind: caller.kind === 'anonymous' ? 'session' : caller.kind,
    id: caller.credential,
    userId: caller.userId,
    scope: { apps: caller.scope.apps === 'all' ? 'all' : [...caller.scope.apps] },
    personal: mayReveal(caller),
    auth: caller.auth,
  }
}

/** When the caller's session, token or account expires at the latest (epoch ms): the relay closes the socket then. */
async function expiryOf({ meta: { db }, settings }: ServerDeps, caller: Caller): Promise<number | null> {
  const [account, credential] = await Promise.all([
    db.selectFrom('users').select('expires_at').where('id', '=', caller.userId).executeTakeFirst(),
    caller.kind === 'session'
      ? db
          .selectFrom('sessions')
          .select('created_at')
          .where('id', '=', caller.credential)
          .executeTakeFirst()
          .then((row) => row && row.created_at + settings().absolute_hours * HOUR_MS)
      : db
          .selectFrom(caller.kind === 'display' ? 'display_tokens' : 'access_tokens')
          .select('expires_at')
          .where('id', '=', caller.credential)
          .executeTakeFirst()
          .then((row) => row?.expires_at),
  ])
  const limits = [account?.expires_at, credential].filter((one) => typeof one === 'number')
  return limits.length > 0 ? Math.min(...limits) : null
}
