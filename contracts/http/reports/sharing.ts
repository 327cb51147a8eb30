import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { REPORT_ITEMS } from './make-report.ts'

/**
 * Reports that leave the platform: share links for people without an account, and mail. A link is a random token, which only its answer and
 * the link contain; the store has its SHA-256. The token is after the `#` of the link, so no server or proxy logs it.
 */

const id = z.uuid()
const token = z.string().max(100)
const password = z.string().max(64).default('')

export const SHARE_LIMITS = { hours: 720, links: 20, wrongPasswords: 10 } as const
export const MAIL_LIMITS = { bytes: 20_000_000, addresses: 20, waiting: 20 } as const

export const ReportShareSchema = z.object({
  id: z.string(),
  /** Name of the account that made it. */
  by: z.string(),
  created_at: z.number(),
  expires_at: z.number(),
  has_password: z.boolean(),
  /** Downloads so far. */
  opens: z.number(),
  last_opened_at: z.number().nullable(),
  state: z.enum(['open', 'expired', 'revoked']),
})
export type ReportShare = z.infer<typeof ReportShareSchema>

export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const
export const ReportMailSchema = z.object({
  id: z.string(),
  by: z.string(),
  addresses: z.array(z.string()),
  state: z.enum(MAIL_STATES),
  attempts: z.number(),
  /** What the mail server said last; '' before the first attempt. */
  answer: z.string(),
  created_at: z.number(),
  /** Of the next attempt; null where it has ended. */
  next_at: z.number().nullable(),
  sent_at: z.number().nullable(),
})
export type ReportMail = z.infer<typeof ReportMailSchema>

export const reportDeliveries = endpoint({
  method: 'GET',
  path: '/api/reports/deliveries/',
  summary: 'Share links and mails of a report, newest first; `mail` says whether a mail server is configured',
  access: REPORT_ITEMS,
  query: z.object({ id }),
  response: z.object({ shares: z.array(ReportShareSchema), mails: z.array(ReportMailSchema), mail: z.boolean() }),
  errors: ['data.missing'],
})

export const shareReport = endpoint({
  method: 'POST',
  path: '/api/reports/share/',
  summary: 'Make a link to the file of a finished report, for an hour to 30 days, with or without a password',
  access: REPORT_ITEMS,
  body: z.object({ id, hours: z.int().min(1).max(SHARE_LIMITS.hours), password }),
  response: z.object({
    data: ReportShareSchema,
    /** Goes behind the # of the address of sharedPage. Answered once. */
    token: z.string(),
  }),
  errors: ['data.missing', 'report.share_password', 'quota.reached'],
})

export const revokeShare = endpoint({
  method: 'POST',
  path: '/api/reports/unshare/',
  summary: 'End a share link',
  access: REPORT_ITEMS,
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const mailReport = endpoint({
  method: 'POST',
  path: '/api/reports/mail/',
  summary: 'Send the file of a finished report to mail addresses; with the id of a failed mail, try that one again',
  access: REPORT_ITEMS,
  body: z.object({ id, addresses: z.string().max(4000).default(''), retry: z.uuid().optional() }),
  response: z.object({ data: ReportMailSchema }),
  errors: ['data.missing', 'report.mail_addresses', 'report.mail_server', 'report.mail_size', 'quota.reached'],
})

// ------------------------------------------------------------------------------------------------------ without an account

export const sharedPage = endpoint({
  method: 'GET',
  path: '/api/reports/shared/',
  summary: 'The page of share links: it reads the token behind the # and asks for what follows; the same for everybody',
  access: 'public',
  navigation: true,
  bare: true,
  response: z.unknown(),
})

const SHARED_ERRORS = [
  'report.link_invalid',
  'report.link_expired',
  'report.link_gone',
  'report.link_locked',
  'request.rate',
] as const

export const sharedReport = endpoint({
  method: 'POST',
  path: '/api/reports/shared-report/',
  summary: 'What a share link leads to; the link counts no access',
  access: 'public',
  audit: false,
  body: z.object({ token }),
  response: z.object({
    data: z.object({
      title: z.string(),
      format: z.string(),
      bytes: z.number(),
      expires_at: z.number(),
      has_password: z.boolean(),
    }),
  }),
  errors: SHARED_ERRORS,
})

export const sharedFile = endpoint({
  method: 'POST',
  path: '/api/reports/shared-file/',
  summary: 'The file that a share link leads to; counted, and an audit entry',
  access: 'public',
  bare: true,
  body: z.object({ token, password }),
  response: z.unknown(),
  errors: [...SHARED_ERRORS, 'report.link_password'],
})
