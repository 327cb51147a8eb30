import { KEY_WARNING_DAYS, keyName } from '#domain/communication.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { notify } from '../../platform/notify.ts'
import { deleteEndedSessions } from './gateway/shared-sessions.ts'

const DAY_MS = 86_400_000
/** Days before the end at which a key is announced again. */
const STEPS = [1, 7, KEY_WARNING_DAYS]
/** What gateways counted is kept for so many days. */
const COUNT_DAYS = 92

/**
 * Announces keys that end soon and were not replaced to those who may replace them, once a step. Deletes counts and gateways that are long
 * over, and what the last gateway left: keys of ended sessions must not stay in the database while no gateway runs.
 */
export async function lookAfterKeys(meta: MetaStore, now: number): Promise<void> {
  const ending = await meta.db
    .selectFrom('communication_keys')
    .innerJoin('applications', 'applications.id', 'communication_keys.application_id')
    .select(['kid', 'application_id', 'expires_at', 'applications.name'])
    .where('closes_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + KEY_WARNING_DAYS * DAY_MS)
    .execute()
  for (const { kid, application_id, expires_at, name } of ending) {
    const days = Math.ceil((expires_at - now) / DAY_MS)
    const step = STEPS.find((one) => days <= one) ?? KEY_WARNING_DAYS
    const key = keyName(kid)
    await notify(
      meta,
      {
        to: { may: 'communication.protect', apps: [application_id] },
        kind: 'platform',
        key: `communication:${kid}:${step}`,
        state: step === 1 ? 'bad' : 'warn',
        title: {
          zh: `${name} 的通信密钥 ${key} 将在 ${days} 天后到期`,
          en: `Communication key ${key} of ${name} ends in ${days} ${days === 1 ? 'day' : 'days'}`,
        },
        note: {
          zh: '到期后网关拒绝用这把密钥的应用，请先轮换',
          en: 'Gateways then refuse apps that use it: replace it before',
        },
        path: '/protect/communication',
        facts: { key: kid, application: name, expires_at },
      },
      now,
    )
  }
  await meta.db
    .deleteFrom('communication_minutes')
    .where('minute', '<', now - COUNT_DAYS * DAY_MS)
    .execute()
  // One that was killed could not delete its own row.
  await meta.db
    .deleteFrom('communication_gateways')
    .where('seen_at', '<', now - DAY_MS)
    .execute()
  await deleteEndedSessions(meta, now)
}
