import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** The privacy policy of an application as its owner gave it: privacy detection compares what code does with what it says. */

/** Characters of a policy. */
export const POLICY_LENGTH = { least: 100, most: 500_000 } as const
/** What its file is called, and what the file holds. */
export const POLICY_FILE = /\.(?:txt|md|markdown|html?)$/i

const appid = z.string().regex(/^\d{1,9}$/)
const PrivacyPolicySchema = z.object({
  /** File name, '' of pasted text. */
  name: z.string(),
  content: z.string(),
  /** Of the content. */
  sha256: z.string(),
  by: z.string(),
  updated_at: z.number(),
  rev: z.number(),
})
export type PrivacyPolicy = z.infer<typeof PrivacyPolicySchema>

export const privacyPolicy = endpoint({
  method: 'GET',
  path: '/api/compliance/policy/',
  summary: 'The privacy policy of an application, null where none was given',
  access: ['asset.detect_privacy'],
  query: z.object({ appid }),
  response: z.object({ data: PrivacyPolicySchema.nullable() }),
  errors: ['data.missing'],
})
export const savePrivacyPolicy = endpoint({
  method: 'POST',
  path: '/api/compliance/policy/save/',
  summary: 'Give or replace the privacy policy of an application: plain text, Markdown or HTML',
  access: ['asset.detect_privacy'],
  body: z.object({
    appid,
    name: z
      .string()
      .trim()
      .max(200)
      .refine((name) => name === '' || POLICY_FILE.test(name), 'txt, md, html')
      .default(''),
    content: z
      .string()
      .trim()
      .min(POLICY_LENGTH.least)
      .max(POLICY_LENGTH.most)
      .refine((text) => !text.includes('\0'), 'text'),
    /** Of the policy that is replaced: guards against another one in between. */
    rev: z.int().optional(),
  }),
  response: z.object({ data: PrivacyPolicySchema }),
  errors: ['data.missing', 'data.conflict'],
})
export const deletePrivacyPolicy = endpoint({
  method: 'POST',
  path: '/api/compliance/policy/delete/',
  summary: 'Take the privacy policy of an application away',
  access: ['asset.detect_privacy'],
  body: z.object({ appid }),
  response: z.object({}),
  errors: ['data.missing'],
})
