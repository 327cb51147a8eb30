import { ERRORS, type ErrorKey } from '#contracts/errors.ts'
import type { Json } from './json-schema.ts'

/** What many endpoints refuse with: described once for each status. */
const COMMON: readonly ErrorKey[] = [
  'envelope.malformed',
  'session.signed_out',
  'permission.missing',
  'login.must_change',
  'licence.module',
  'request.too_large',
  'request.media_type',
  'input.empty',
  'input.invalid',
  'request.rate',
  'server.internal',
  'server.starting',
]
const statusesOf = (keys: readonly ErrorKey[]) =>
  [...new Set(keys.map((key) => ERRORS[key].status))].toSorted((a, b) => a - b)
const withStatus = (keys: readonly ErrorKey[], status: number) => keys.filter((key) => ERRORS[key].status === status)

/** The answers of these errors by status, each with the keys that it may hold. */
export function refusalsOf(keys: readonly ErrorKey[]): Json {
  return Object.fromEntries(
    statusesOf(keys).map((status) => {
      const own = withStatus(keys, status)
      const isCommon = own.every((key) => COMMON.includes(key))
      const all = isCommon ? { $ref: `#/components/responses/Refused${status}` } : refusal(status, own)
      return [String(status), all]
    }),
  )
}

/** The responses that refusalsOf refers to. */
export function commonRefusals(): Record<string, Json> {
  return Object.fromEntries(
    statusesOf(COMMON).map((status) => [`Refused${status}`, refusal(status, withStatus(COMMON, status))]),
  )
}

function refusal(status: number, keys: readonly ErrorKey[]): Json {
  return {
    description: keys.map((key) => `${ERRORS[key].code} ${key}`).join(', '),
    ...((status === 429 || status === 503) && {
      headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
    }),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Refusal' }, { type: 'object', properties: { key: { enum: keys } } }],
        },
      },
    },
  }
}
