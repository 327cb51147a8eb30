/** What an account is notified about, and when its mail digest is due. */

export const NOTIFICATION_KINDS = {
  job: { zh: '任务', en: 'Jobs' },
  detection: { zh: '检测', en: 'Detection' },
  alert: { zh: '告警', en: 'Alerts' },
  monitor: { zh: '新的盗版', en: 'New pirated copies' },
  licence: { zh: '授权', en: 'Licence' },
  update: { zh: '更新', en: 'Updates' },
  service: { zh: '安全服务', en: 'Security service' },
  platform: { zh: '平台', en: 'Platform' },
} as const
export type NotificationKind = keyof typeof NOTIFICATION_KINDS
export const NOTIFICATION_KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[]

/** The state mark of a line. */
export const NOTIFICATION_STATES = ['good', 'info', 'warn', 'bad'] as const
export type NotificationState = (typeof NOTIFICATION_STATES)[number]

/** What a channel may carry of what its owner is notified of. Alerts are not among them: their rules name the channels. */
export const CHANNEL_NOTICES = ['detection', 'job', 'monitor', 'licence', 'update', 'service', 'platform'] as const
export type ChannelNotice = (typeof CHANNEL_NOTICES)[number]

/** A notice as a webhook receives it. */
export type StoredNotice = {
  kind: NotificationKind
  state: NotificationState
  title: { zh: string; en: string }
  note: { zh: string; en: string }
  /** Path of the page that deals with it, below the address of the console, or ''. */
  path: string
  /** What a program reads: of a detection `task`, `gate`, `score`; of a job `job`, `of`, `state`. */
  facts: Readonly<Record<string, string | number | null>>
}

/** The newest so many of an account stay, for so many days. */
export const MOST_NOTIFICATIONS = 500
export const NOTIFICATION_DAYS = 90
/** Lines of one mail. */
export const DIGEST_LINES = 50

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * Whether a digest is due: the time of day (`minute`, of the account's zone) that came last lies after the one before was made. `offset`:
 * milliseconds that the zone is ahead of UTC at `now`. Epoch ms of that time of day, or undefined.
 */
export function digestDue(at: { now: number; offset: number; minute: number; last: number }): number | undefined {
  const local = at.now + at.offset
  const today = Math.floor(local / DAY_MS) * DAY_MS + at.minute * MINUTE_MS
  const due = (today <= local ? today : today - DAY_MS) - at.offset
  return due > at.last ? due : undefined
}
