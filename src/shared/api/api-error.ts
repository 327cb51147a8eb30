import { type ErrorKey, errorKeyOf } from '#contracts/errors.ts'

/** Why a call did not give its answer. `message` is in the interface language and ready to show. */
export class ApiError extends Error {
  /** Number of contracts/errors.ts; 0 where the answer carried none (time-out, connection, a status of a proxy). */
  readonly code: number
  readonly key: ErrorKey | 'timeout' | 'connection' | 'illegal'
  /** HTTP status, 0 where there was no answer. */
  readonly status: number
  /** All fields of the refusal, such as `field`. */
  readonly fields: Readonly<Record<string, unknown>>
  constructor(key: ApiError['key'], message: string, status: number, fields: Record<string, unknown> = {}) {
    super(message)
    this.name = 'ApiError'
    this.key = key
    this.status = status
    this.fields = fields
    this.code = typeof fields['code'] === 'number' ? fields['code'] : 0
  }
}

/** The error of an answer whose body has a code. */
export function refusalOf(body: Record<string, unknown>, status: number): ApiError {
  const code = typeof body['code'] === 'number' ? body['code'] : 0
  return new ApiError(errorKeyOf(code) ?? 'connection', String(body['codemsg'] ?? ''), status, body)
}
