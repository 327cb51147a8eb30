import { ALERT_MEASURES, ALERT_WINDOWS, type Alert, isRunMeasure, RULE_WINDOWS } from '#domain/alerts.ts'
import type { StoredNotice } from '#domain/notifications.ts'
import type { Dimension } from '#domain/query.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import { type EnvironmentNotice, environmentLine } from './environment-message.ts'

export type AlertEvent = 'firing' | 'resolved' | 'notice' | 'test'

/** Names that the metadata store and the place table give to values; what they do not know stays as it is. */
export type NameOfKey = (field: Dimension, key: string, language: 'zh' | 'en') => string

/** What a webhook receives. `delivery` is the same at every attempt: receivers may drop repeats by it. */
export type WebhookBody = {
  event: AlertEvent
  delivery: string
  sent_at: number
  /** Path of the alert below the console's address. */
  path: string
  text: { zh: string; en: string }
  alert: Alert | null
  /** Of environment monitoring; then `alert` is null. */
  environment?: EnvironmentNotice
  /** Of what the owner of the channel is notified; then `alert` is null. */
  notice?: StoredNotice
}

/** What a message is about: an alert of a rule, one of environment monitoring, a notice, or nothing (a test). */
export type AlertSubject = { alert: Alert | null; environment?: EnvironmentNotice; notice?: StoredNotice }

export function webhookBody(
  event: AlertEvent,
  delivery: string,
  at: number,
  subject: AlertSubject,
  nameOf: NameOfKey,
): WebhookBody {
  return {
    event,
    delivery,
    sent_at: at,
    path: pathOf(subject),
    text: { zh: lineOf(event, subject, nameOf, 'zh'), en: lineOf(event, subject, nameOf, 'en') },
    ...subject,
  }
}

/** Path of the screen that shows it, below the console's address. */
export function pathOf({ alert, environment, notice }: AlertSubject): string {
  if (notice) return notice.path
  if (environment) return '/platform/environment'
  return alert ? `/awareness/alerts?alert=${alert.id}` : '/awareness/alerts'
}

/** One line: '严重告警：Hook 框架按省，广东：1 分钟内攻击次数 168（阈值 100）'. */
export function lineOf(
  event: AlertEvent,
  { alert, environment, notice }: AlertSubject,
  nameOf: NameOfKey,
  language: 'zh' | 'en',
): string {
  const zh = language === 'zh'
  if (notice) return [notice.title[language], notice.note[language]].filter(Boolean).join(zh ? '：' : ': ')
  if (environment && event !== 'test' && event !== 'notice') return environmentLine(event, environment, language)
  if (!alert) return zh ? '测试消息：告警通道可用' : 'Test message: this alert channel works'
  const what = alert.by
    ? `${alert.rule.name}${zh ? '，' : ', '}${nameOf(alert.by, alert.key, language)}`
    : alert.rule.name
  const level = LEVELS[alert.severity][language]
  const length = Object.values(ALERT_WINDOWS).find(({ ms }) => ms === alert.window_ms)
  const window = (isRunMeasure(alert.measure) ? RULE_WINDOWS.run : length)?.[language] ?? ''
  const measure = ALERT_MEASURES[alert.measure][language]
  const expected = Math.round(alert.expected * 10) / 10
  if (event === 'resolved')
    return zh
      ? `告警已恢复：${what}，共 ${alert.total}，峰值 ${alert.peak}`
      : `Alert over: ${what}; ${alert.total} in all, peak ${alert.peak}`
  const against =
    alert.usual === null
      ? zh
        ? `阈值 ${expected}`
        : `threshold ${expected}`
      : zh
        ? `平时 ${alert.usual}，阈值 ${expected}`
        : `usually ${alert.usual}, threshold ${expected}`
  return zh
    ? `${level}告警：${what}：${window}内${measure} ${alert.value}（${against}）`
    : `${level} alert: ${what}: ${measure} ${alert.value} in ${window} (${against})`
}
