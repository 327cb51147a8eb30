import { randomUUID } from 'node:crypto'
import type { Language } from '#contracts/errors.ts'
import type { Settings } from '#contracts/http/settings.ts'
import { SERVICE_STATES, type ServiceMove, type ServiceSide } from '#domain/service-requests.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { notify, type Recipients } from '../../platform/notify.ts'
import { platformName } from '../../platform/platform-info/own-texts.ts'
import { mailAddresses } from '../alerts/send-mail.ts'
import { type RequestRow, requestName } from './request-rows.ts'

/** Letters of a message in a notification. */
const EXCERPT = 120
/** Accounts that get a mail about one entry. */
const MOST_ADDRESSES = 20

const WORDS = {
  create: { zh: '提交了请求', en: 'submitted the request' },
  accept: { zh: '已受理', en: 'accepted it' },
  start: { zh: '开始处理', en: 'is working on it' },
  ask: { zh: '等您补充', en: 'needs something from you' },
  answer: { zh: '补充了内容', en: 'answered' },
  solve: { zh: '已解决，请确认', en: 'solved it, please confirm' },
  confirm: { zh: '确认已解决并关闭', en: 'confirmed the solution' },
  return: { zh: '退回：尚未解决', en: 'sent it back: not solved' },
  withdraw: { zh: '撤回了请求', en: 'withdrew the request' },
  close: { zh: '关闭了请求', en: 'closed the request' },
  reopen: { zh: '重新打开了请求', en: 'reopened the request' },
  message: { zh: '回复', en: 'wrote' },
} as const

export type SideDeps = {
  meta: MetaStore
  settings(): Settings
  now(): number
  config: { smtpUrl: string | undefined }
}
export type Said = {
  entry: number
  side: ServiceSide
  author: string
  text: string
  move: ServiceMove | 'create' | null
}

/** Whom the service side of a request is: accounts with service.answer that see its application, or everything where it is about none. */
export function serviceSideOf({ application_id }: Pick<RequestRow, 'application_id'>): Recipients {
  return { may: 'service.answer', apps: application_id === null ? null : [application_id] }
}

/** Notifies the other side of an entry, and mails it where the platform has a mail server: the author, or the service side. */
export async function tellOtherSide(deps: SideDeps, row: RequestRow, said: Said): Promise<void> {
  const { meta } = deps
  const now = deps.now()
  const name = requestName(row.id)
  const words = WORDS[said.move ?? 'message']
  const excerpt = said.text.replace(/\s+/g, ' ').slice(0, EXCERPT)
  const note = (language: Language) =>
    [`${said.author} ${words[language]}`, excerpt].filter(Boolean).join(language === 'zh' ? '：' : ': ')
  const toService = said.side === 'requester'
  const to: Recipients = toService ? serviceSideOf(row) : { users: row.author_id === null ? [] : [row.author_id] }
  const notified = await notify(
    meta,
    {
      to,
      kind: 'service',
      key: `service:${said.entry}`,
      state: said.move === 'ask' || said.move === 'return' ? 'warn' : said.move === 'solve' ? 'good' : 'info',
      title: { zh: `${name} ${row.subject}`, en: `${name} ${row.subject}` },
      note: { zh: note('zh'), en: note('en') },
      path: `/service?id=${row.id}`,
      facts: { request: row.id, state: row.state, urgency: row.urgency },
    },
    now,
  )
  if (deps.config.smtpUrl === undefined) return
  const outside = deps.settings().service_mail
  const addresses = toService && outside !== '' ? [outside] : await addressesOf(meta, notified)
  if (addresses.length === 0) return
  const { language } = row
  await meta.db
    .insertInto('service_mails')
    .values({
      id: randomUUID(),
      request_id: row.id,
      addresses,
      subject: `[${platformName(deps.settings(), language)}] ${name} ${row.subject}`,
      text: mailText(row, said, language),
      state: 'waiting',
      created_at: now,
      next_at: now,
      sent_at: null,
    })
    .execute()
}

function mailText(row: RequestRow, { author, text, move }: Said, language: Language): string {
  const zh = language === 'zh'
  const head = `${author} ${WORDS[move ?? 'message'][language]}`
  const state = `${zh ? '状态：' : 'State: '}${SERVICE_STATES[row.state][language]}`
  const foot = zh
    ? `附件与完整对话在平台的 /service?id=${row.id}。请在平台中回复，回复这封邮件不会进入平台。`
    : `Files and the whole conversation are on the platform: /service?id=${row.id}. Please answer there: an answer to this mail does not reach it.`
  return `${[head, text, state].filter(Boolean).join('\n\n')}\n\n${foot}\n`
}

/** Names of these accounts that are mail addresses. */
async function addressesOf({ db }: MetaStore, users: readonly number[]): Promise<string[]> {
  if (users.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('id', 'in', [...users])
    .orderBy('id')
    .execute()
  return rows.flatMap(({ username }) => mailAddresses(username) ?? []).slice(0, MOST_ADDRESSES)
}
