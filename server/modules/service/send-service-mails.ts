import { sql } from 'kysely'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { readMailServer, sendMail } from '../alerts/send-mail.ts'
import { requestName } from './request-rows.ts'

/** How long after each failed attempt the next one follows; after the last it has failed. */
const RETRY_MS = [30_000, 120_000, 600_000, 1_800_000] as const
/** A process that takes a mail has this long for it; if it dies, another one takes the mail after that. */
const LEASE_MS = 120_000
const AT_ONCE = 4
const ANSWER_LENGTH = 300

export type ServiceMailDeps = {
  meta: MetaStore
  smtpUrl: string | undefined
  now(): number
  /** A certificate authority trusted in addition to the system's. */
  ca?: string
}

/** Sends the mails about service requests that are due, a few at a time; answers how many were tried. The attempt is counted before it is made. */
export async function sendServiceMails(deps: ServiceMailDeps): Promise<number> {
  const { db } = deps.meta
  const at = deps.now()
  const rows = await db
    .updateTable('service_mails')
    .set({ attempts: sql`attempts + 1`, next_at: at + LEASE_MS })
    .where('id', 'in', (where) =>
      where
        .selectFrom('service_mails')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', at)
        .orderBy('next_at')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  await Promise.all(
    rows.map(async ({ id, request_id, addresses, subject, text, attempts }) => {
      let problem = ''
      let answer = ''
      try {
        answer = await sendMail(readMailServer(deps.smtpUrl ?? ''), { to: addresses, subject, text, id }, deps.ca)
      } catch (error) {
        problem = (error as Error).message || String(error)
      }
      const now = deps.now()
      const wait = RETRY_MS[attempts - 1]
      const state = problem === '' ? 'sent' : wait === undefined ? 'failed' : 'waiting'
      if (state === 'failed') log.error({ request: requestName(request_id), problem }, 'service: a mail was not sent')
      await db
        .updateTable('service_mails')
        .set({
          state,
          answer: (problem || answer).slice(0, ANSWER_LENGTH),
          next_at: state === 'waiting' && wait !== undefined ? now + wait : null,
          sent_at: problem === '' ? now : null,
        })
        .where('id', '=', id)
        .execute()
    }),
  )
  return rows.length
}
