import { SIGNATURE_WARNING_DAYS } from '#contracts/http/reinforce-signatures.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { notify } from '../../platform/notify.ts'
import { UPLOAD_MS } from './reinforce-signatures-module.ts'

const DAY_MS = 86_400_000
const FIRST = Math.max(...SIGNATURE_WARNING_DAYS)

/** Announces signature files whose certificate ends soon, once a step, and deletes uploads that were not opened. */
export async function lookAfterSignatures(meta: MetaStore, now: number): Promise<void> {
  await meta.db
    .deleteFrom('signature_uploads')
    .where('created_at', '<', now - UPLOAD_MS)
    .execute()
  const ending = await meta.db
    .selectFrom('signature_files')
    .select(['id', 'name', 'not_after', 'application_id', 'owner_id'])
    .where('not_after', '>', now)
    .where('not_after', '<=', now + FIRST * DAY_MS)
    .execute()
  for (const { id, name, not_after, application_id, owner_id } of ending) {
    const days = Math.ceil((not_after - now) / DAY_MS)
    const step = SIGNATURE_WARNING_DAYS.findLast((one) => days <= one) ?? FIRST
    await notify(
      meta,
      {
        to:
          application_id === null
            ? { users: owner_id === null ? [] : [owner_id] }
            : { may: 'asset.harden', apps: [application_id] },
        kind: 'platform',
        key: `signature:${id}:${step}`,
        state: step <= 7 ? 'bad' : 'warn',
        title: {
          zh: `签名文件 ${name} 的证书将在 ${days} 天后到期`,
          en: `The certificate of signature file ${name} ends in ${days} ${days === 1 ? 'day' : 'days'}`,
        },
        note: {
          zh: '到期后部分应用市场拒绝用它签名的新版本',
          en: 'Some stores then refuse new versions that it signed',
        },
        path: '/reinforce/signatures',
        facts: { signature: name, not_after },
      },
      now,
    )
  }
}
