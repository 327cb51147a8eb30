import { DIGEST_LINES, digestDue, NOTIFICATION_KINDS } from '#domain/notifications.ts'
import { zoneOffset } from '#domain/time-range.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { mailAddresses, readMailServer, sendMail } from '../alerts/send-mail.ts'

export type DigestDeps = {
  meta: MetaStore
  smtpUrl: string | undefined
  now(): number
  /** Name of the product in the subject. */
  product: string
  /** A certificate authority trusted in addition to the system's. */
  ca?: string
}

/** Digests of one round; the rest follows in the next. */
const MOST = 200

/**
 * Mails each account whose digest is due what it has not read since the one before; nothing new, no mail. A mail that is not taken is
 * noted where the account sees it and tried again the next day, with what was in it. Answers how many were sent.
 */
export async function sendDigests({ meta, smtpUrl, now, product, ca }: DigestDeps): Promise<number> {
  const { db } = meta
  const rows = await db
    .selectFrom('notification_settings')
    .innerJoin('users', 'users.id', 'notification_settings.user_id')
    .selectAll('notification_settings')
    .select('users.username')
    .where('digest_minute', 'is not', null)
    .where('users.disabled', '=', false)
    .execute()
  let sent = 0
  let tried = 0
  for (const row of rows) {
    const { user_id, digest_minute: minute, zone, language, digest_until: last, username } = row
    if (minute === null) continue
    const time = now()
    const due = digestDue({ now: time, offset: zoneOffset(time, zone), minute, last })
    if (due === undefined) continue
    if (tried++ >= MOST) break
    const since = row.error === '' ? last : (row.sent_at ?? 0)
    const fresh = await db
      .selectFrom('notifications')
      .selectAll()
      .where('user_id', '=', user_id)
      .where('read_at', 'is', null)
      .where('created_at', '>', since)
      .where('created_at', '<=', due)
      .where('kind', 'in', row.mailed.length > 0 ? row.mailed : ['platform'])
      .orderBy('id', 'desc')
      .limit(DIGEST_LINES + 1)
      .execute()
    const done = (set: { error: string; sent_at?: number }) =>
      db
        .updateTable('notification_settings')
        .set({ digest_until: due, ...set })
        .where('user_id', '=', user_id)
        .execute()
    if (row.mailed.length === 0 || fresh.length === 0) {
      await done({ error: '' })
      continue
    }
    const zh = language === 'zh'
    const lines = fresh.slice(0, DIGEST_LINES).map(({ kind, title, note, path, created_at }) => {
      const at = zonedTime(created_at, zone).slice(0, 16).replace('T', ' ')
      const what = [title[language], note[language]].filter(Boolean).join(zh ? '，' : ', ')
      return `${at}  [${NOTIFICATION_KINDS[kind][language]}] ${what}${path ? `\n    ${path}` : ''}`
    })
    if (fresh.length > DIGEST_LINES)
      lines.push(zh ? '还有更多，请在通知中心查看。' : 'There are more in the notification centre.')
    const count = fresh.length > DIGEST_LINES ? `${DIGEST_LINES}+` : String(fresh.length)
    const subject = zh ? `[${product}] ${count} 条未读通知` : `[${product}] ${count} unread notifications`
    const foot = zh ? '在 /notifications 可以关闭此邮件。' : 'Switch this mail off at /notifications.'
    try {
      if (!smtpUrl) throw new Error('mail is not configured (APPWARDEN_SMTP_URL)')
      const to = mailAddresses(username)
      if (!to) throw new Error('the name of the account is no mail address')
      const text = `${lines.join('\n')}\n\n${foot}\n`
      await sendMail(readMailServer(smtpUrl), { to, subject, text, id: `digest-${user_id}-${due}` }, ca)
      sent++
      await done({ error: '', sent_at: due })
    } catch (error) {
      const { message } = error as Error
      log.warn({ user: user_id }, `mail digest: ${message}`)
      await done({ error: message.slice(0, 300) })
    }
  }
  return sent
}
