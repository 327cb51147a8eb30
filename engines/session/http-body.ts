import { concat, readUint, uint, utf8 } from '../gm/bytes.ts'

/**
 * What the plaintext of a message is where messages travel over HTTP: the media type, for a request the query, and the body, so that
 * access logs show neither (sdk/session/protocol.md, HTTP).
 */
export type SealedRequestBody = {
  /** '' for none. */
  contentType: string
  /** Without the question mark; '' for none. */
  query: string
  body: Uint8Array
}
export type SealedResponseBody = { contentType: string; body: Uint8Array }

/** Paths, headers and media type of the HTTP binding. */
export const SESSION_HTTP = {
  /** POST: a hello for an answer. */
  handshakePath: '/.well-known/appwarden-session',
  /** Of a body that is a message, a hello or an answer. */
  mediaType: 'application/vnd.appwarden.session',
  /** A message whose own body is empty may be in this header instead, as base64url without padding. */
  messageHeader: 'aw-message',
  /** Which SDK sent a hello, as `name/version`, for statistics. It is no evidence. */
  sdkHeader: 'aw-sdk',
} as const

/** Throws RangeError for a media type or query that is too long or has other characters than ASCII, spaces and line ends included. */
export function encodeRequestBody({ contentType, query, body }: SealedRequestBody): Uint8Array {
  return concat(counted(contentType, MEDIA_TYPE), counted(query, QUERY), body)
}

/** Undefined for anything that encodeRequestBody does not write. */
export function decodeRequestBody(plaintext: Uint8Array): SealedRequestBody | undefined {
  const first = readCounted(plaintext, 0, MEDIA_TYPE)
  const second = first && readCounted(plaintext, first.end, QUERY)
  if (!second) return undefined
  return { contentType: first.text, query: second.text, body: plaintext.subarray(second.end) }
}

/** Throws RangeError as encodeRequestBody. */
export function encodeResponseBody({ contentType, body }: SealedResponseBody): Uint8Array {
  return concat(counted(contentType, MEDIA_TYPE), body)
}

/** Undefined for anything that encodeResponseBody does not write. */
export function decodeResponseBody(plaintext: Uint8Array): SealedResponseBody | undefined {
  const first = readCounted(plaintext, 0, MEDIA_TYPE)
  return first && { contentType: first.text, body: plaintext.subarray(first.end) }
}

/** ASCII alone, since they become a header and a request line of the server behind: a query has neither space nor hash. */
const MEDIA_TYPE = /^[ -~]*$/
const QUERY = /^[!"$-~]*$/

function counted(text: string, allowed: RegExp): Uint8Array {
  const bytes = utf8(text)
  if (bytes.length > 0xffff || !allowed.test(text)) throw new RangeError('session: media type or query')
  return concat(uint(bytes.length, 2), bytes)
}

function readCounted(bytes: Uint8Array, at: number, allowed: RegExp): { text: string; end: number } | undefined {
  if (bytes.length < at + 2) return undefined
  const end = at + 2 + readUint(bytes.subarray(at, at + 2))
  if (bytes.length < end) return undefined
  let text = ''
  for (const byte of bytes.subarray(at + 2, end)) text += String.fromCharCode(byte)
  return allowed.test(text) ? { text, end } : undefined
}
