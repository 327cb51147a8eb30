import { ERRORS, type ErrorKey, errorText, type Language, ProductError } from '#contracts/errors.ts'
import { isStatementTimeout } from '#storage/postgres/is-statement-timeout.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'

export type ErrorAnswer = {
  status: number
  body: { code: number; codemsg: string; key: ErrorKey } & Record<string, unknown>
  headers: Record<string, string>
}

/**
 * The one place where an error becomes an answer (decision 1): the console gets HTTP 200 with the code when the product says no, and
 * the protocol's own status when the protocol does; callers with a token always get the natural status.
 */
export function errorAnswer(error: unknown, caller: { bearer: boolean; language: Language }): ErrorAnswer {
  const known = asProductError(error)
  const entry = ERRORS[known.key]
  const protocol = 'protocol' in entry
  const status = protocol || caller.bearer ? entry.status : 200
  const headers: Record<string, string> = {}
  const retry = known.extra['retry_after']
  if ((status === 429 || status === 503) && typeof retry === 'number')
    headers['retry-after'] = String(Math.max(1, Math.ceil(retry)))
  return {
    status,
    headers,
    body: {
      ...known.extra,
      code: entry.code,
      codemsg: errorText(known.key, caller.language, known.params),
      key: known.key,
    },
  }
}

/** Fastify's own refusals (size, media type) get our keys; everything unknown is an internal error without detail. */
export function asProductError(error: unknown): ProductError {
  if (error instanceof ProductError) return error
  const code = (error as { code?: string } | null)?.code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ProductError('request.too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ProductError('request.media_type')
  if (isDatabaseUnavailable(error)) return new ProductError('server.starting', {}, { retry_after: 2 })
  if (isStatementTimeout(error)) return new ProductError('server.query_timeout')
  const status = (error as { statusCode?: number } | null)?.statusCode
  if (code?.startsWith('FST_') && status && status < 500) return new ProductError('envelope.malformed')
  return new ProductError('server.internal')
}

/** The language of a request: the console sends the interface language; zh where nothing is said. */
export function languageOf(header: string | undefined): Language {
  return /^\s*en\b/i.test(header ?? '') ? 'en' : 'zh'
}
