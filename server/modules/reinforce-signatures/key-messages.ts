import { z } from 'zod'
import { CertificateSchema } from '#contracts/http/assets.ts'
import { SIGNATURE_FORMATS, type SignatureFormat } from '#contracts/http/reinforce-signatures.ts'

/** What a key worker is asked; `size` bytes of a KeyQuestion as JSON come by its standard input, since arguments are public. */
export type KeyOrder = { task: 'look' | 'open'; size: number }
/** A key store and what opens it. */
export type SealedKey = { file: string; alias: string; store_password: string; key_password: string }
export type KeyQuestion = Pick<SealedKey, 'file'> & Partial<SealedKey>

const format = z.enum(Object.keys(SIGNATURE_FORMATS) as [SignatureFormat, ...SignatureFormat[]])
/** Why a key does not open: the keys of FormatError in engines/keystore, all others are `format`. */
export const KEY_REFUSALS = [
  'store-password',
  'key-password',
  'alias',
  'certificate',
  'algorithm',
  'limit',
  'format',
] as const

/** What it answers, one of these, as JSON that is checked. */
export const KeyAnswerSchema = z.union([
  z.strictObject({ format, aliases: z.array(z.string().max(1000)).max(1000).nullable() }),
  z.strictObject({ alias: z.string().max(1000), certificates: z.array(CertificateSchema).min(1).max(100) }),
  z.strictObject({ refused: z.enum(KEY_REFUSALS), detail: z.string().max(500) }),
])
export type KeyAnswer = z.infer<typeof KeyAnswerSchema>
