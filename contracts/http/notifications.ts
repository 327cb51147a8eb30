import { z } from 'zod'
import { NOTIFICATION_KIND_NAMES, NOTIFICATION_STATES, type NotificationKind } from '#domain/notifications.ts'
import { endpoint } from './endpoint.ts'

/** The notification centre: what an account was notified, what it has read, and which kinds reach it how. */

const KindSchema = z.enum(NOTIFICATION_KIND_NAMES as [NotificationKind, ...NotificationKind[]])
const TextSchema = z.object({ zh: z.string(), en: z.string() })

export const NotificationSchema = z.object({
  id: z.string(),
  kind: KindSchema,
  state: z.enum(NOTIFICATION_STATES),
  title: TextSchema,
  note: TextSchema,
  /** Path of the page that deals with it, or ''. */
  to: z.string(),
  created_at: z.number(),
  read_at: z.number().nullable(),
})
export type Notification = z.infer<typeof NotificationSchema>

export const notifications = endpoint({
  method: 'GET',
  path: '/api/notifications/',
  summary: 'Own notifications, newest first, with the number of unread ones by kind',
  access: 'session',
  query: z.object({
    kind: z.union([z.literal(''), KindSchema]).default(''),
    unread: z.enum(['', 'yes']).default(''),
    cursor: z
      .string()
      .regex(/^\d{0,15}$/)
      .default(''),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  response: z.object({
    data: z.array(NotificationSchema),
    next_cursor: z.string().optional(),
    unread: z.number(),
    /** Of each kind that has any: all and unread. */
    kinds: z.array(z.object({ kind: KindSchema, all: z.number(), unread: z.number() })),
  }),
})

const ids = z.array(z.string().regex(/^\d{1,15}$/)).max(100)

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/read/',
  summary: 'Mark own notifications as read or unread: those named, or (none named) all of a kind or of all kinds',
  access: 'session',
  body: z.object({ ids: ids.default([]), kind: z.union([z.literal(''), KindSchema]).default(''), read: z.boolean() }),
  response: z.object({ changed: z.number(), unread: z.number() }),
})

export const deleteNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/delete/',
  summary: 'Delete own notifications: those named, or (none named) all that are read',
  access: 'session',
  body: z.object({ ids: ids.default([]) }),
  response: z.object({ deleted: z.number() }),
})

const SettingsSchema = z.object({
  /** Kinds that are not stored for this account at all. */
  muted: z.array(KindSchema).max(20),
  /** Kinds that the mail digest lists. */
  mailed: z.array(KindSchema).max(20),
  /** Minutes after midnight at which the digest is sent, of `zone`; null: no mail. */
  digest_minute: z.number().int().min(0).max(1439).nullable(),
  /** IANA name. */
  zone: z.string().max(60),
})
export type NotificationSettings = z.infer<typeof SettingsSchema>

export const notificationSettings = endpoint({
  method: 'GET',
  path: '/api/notifications/settings/',
  summary: 'Own choice of kinds and of the mail digest, and how the last digest went',
  access: 'session',
  response: z.object({
    data: SettingsSchema,
    /** Where the digest goes: the account's name is a mail address. */
    address: z.string(),
    /** The platform has a mail server. */
    mail: z.boolean(),
    last: z.object({ sent_at: z.number().nullable(), error: z.string() }),
  }),
})

export const saveNotificationSettings = endpoint({
  method: 'POST',
  path: '/api/notifications/settings/save/',
  summary: 'Choose which kinds reach this account, and its daily mail digest',
  access: 'session',
  body: SettingsSchema,
  response: z.object({ data: SettingsSchema }),
  errors: ['notification.zone'],
})
