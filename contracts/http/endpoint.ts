import type { z } from 'zod'
import type { ErrorKey } from '../errors.ts'
import type { PermissionItem } from '../permissions.ts'

/**
 * One record per endpoint: server mounts it, client calls it, OpenAPI describes it, tests walk over all of them.
 * Answers carry `code` and `codemsg` beside the fields of `response` (contracts/errors.ts, decision 2); `bare` answers carry neither.
 */
export type Endpoint<
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = {
  /** HEAD, PATCH and DELETE: resumable uploads alone, whose protocol (tus 1.0) has them. */
  method: 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
  /** Below the origin, with `:name` parameters. */
  path: `/${string}`
  summary: string
  /**
   * Who may call: `public` (signed with the `0.` prefix or not at all), `session` (anyone signed in), or one of these permission items.
   * noEmpower opens no endpoint.
   */
  access: 'public' | 'session' | readonly [PermissionItem, ...PermissionItem[]]
  query?: Q
  body?: B
  /** Body of another kind than JSON: a form whose text fields are `body`, or plain bytes; the handler reads it from `request.body`. */
  takes?: 'form' | 'bytes'
  response: R
  errors?: readonly ErrorKey[]
  /** is_login: sealed both ways whatever is_encrypt says. */
  enveloped?: true
  /** Answers without code and codemsg on success. */
  bare?: true
  /** Called by navigation of the browser: cookie and Sec-Fetch-Site instead of the signature headers (decision 5). */
  navigation?: true
  /** Also open to `Authorization: Bearer` of an access token (default true) or of a display token (default false). */
  tokens?: { access?: boolean; display?: boolean }
  /** A GET that changes something: logout alone (decision 5). */
  changes?: true
  /** Writes an audit entry; every POST does unless it says false (pure queries). */
  audit?: false
}

/** Keeps the literal types of one endpoint. */
export function endpoint<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  one: Endpoint<Q, B, R>,
): Endpoint<Q, B, R> {
  return one
}

/** Refuses every caller by HTTP status: a browser that navigates, and the protocol of resumable uploads, know nothing of codes. */
export function answersByStatus({
  navigation,
  takes,
  method,
}: Pick<Endpoint, 'navigation' | 'takes' | 'method'>): boolean {
  return navigation === true || takes === 'bytes' || (method !== 'GET' && method !== 'POST')
}

/**
 * Whether encrypted mode seals this call and its answer. Not what a browser sends by itself, not forms and bytes (resumable uploads and
 * key files), and of the reads before sign-in only is_login.
 */
export function isSealable({ method, navigation, takes, access, enveloped }: Endpoint): boolean {
  if (navigation || takes) return false
  return method === 'POST' || (method === 'GET' && (access !== 'public' || enveloped === true))
}

export type QueryOf<E> = E extends Endpoint<infer Q, z.ZodType, z.ZodType> ? z.infer<Q> : never
export type BodyOf<E> = E extends Endpoint<z.ZodType, infer B, z.ZodType> ? z.infer<B> : never
export type BodyInputOf<E> = E extends Endpoint<z.ZodType, infer B, z.ZodType> ? z.input<B> : never
export type ResponseOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer R> ? z.infer<R> : never
