import { isAscii, isUtf8 } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { ProductError } from '#contracts/errors.ts'
import { checkJsonShape } from './json-shape.ts'

/** Inflated bytes for each compressed one; JSON of events reaches 10 to 60, a body made to block reaches 1000. */
const MOST_RATIO = 100
/** Small bodies of few repeated events may inflate further. */
const ALWAYS_INFLATED_BYTES = 64 * 1024
/** From this ratio on a body is scanned whatever a sample of it shows (json-shape.ts). */
const SCANNED_RATIO = 20

export type BodyForm = { lines: boolean; gzip: boolean }
export type BodyLimits = { bytes: number; inflatedBytes: number }

/** What the headers say about the body. Throws request.media_type for what the collector does not read. */
export function bodyForm(contentType: string | undefined, encoding: string | undefined): BodyForm {
  const [type, ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((one) => one.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  const lines = type === 'application/x-ndjson'
  if (!lines && type !== 'application/json') throw new ProductError('request.media_type')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new ProductError('request.media_type')
  const coding = (encoding ?? 'identity').toLowerCase()
  if (coding !== 'identity' && coding !== 'gzip') throw new ProductError('request.media_type')
  return { lines, gzip: coding === 'gzip' }
}

/**
 * The text of a batch. A compressed body is inflated up to its limit and MOST_RATIO; call this for one off the main thread. Bodies with
 * more events, values or levels than allowed are refused here, before anything is built from them. Throws request.too_large,
 * collect.unreadable.
 */
export function batchText(body: Buffer, form: BodyForm, limits: BodyLimits & { events: number }): string {
  const plain = form.gzip ? inflate(body, limits.inflatedBytes) : body
  checkJsonShape(plain, { lines: form.lines, events: limits.events }, plain.length > SCANNED_RATIO * body.length)
  return utf8(plain)
}

/** The text of a small body, inflated no further than the limit. Throws request.too_large, collect.unreadable. */
export function bodyText(body: Buffer, form: BodyForm, limits: BodyLimits): string {
  return utf8(form.gzip ? inflate(body, limits.inflatedBytes) : body)
}

function inflate(body: Buffer, limit: number): Buffer {
  const most = Math.min(limit, Math.max(ALWAYS_INFLATED_BYTES, MOST_RATIO * body.length))
  try {
    return gunzipSync(body, { maxOutputLength: most })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ProductError('request.too_large', {}, { limit: most })
    throw new ProductError('collect.unreadable', { detail: 'not a gzip stream' })
  }
}

function utf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1') // which copies, where UTF-8 would be decoded
  if (!isUtf8(bytes)) throw new ProductError('collect.unreadable', { detail: 'not UTF-8' })
  return bytes.toString('utf8')
}

/** The events of a batch, each still unchecked. Throws collect.unreadable: then nothing of it is taken. */
export function parseBatch(text: string, form: BodyForm): unknown[] {
  if (form.lines)
    return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, `line ${index + 1}: `)]))
  const value = parse(text, '')
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) {
    const { events, ...rest } = value as { events?: unknown }
    const other = Object.keys(rest)[0]
    if (other !== undefined)
      throw new ProductError('collect.unreadable', { detail: `unknown field beside events: ${other.slice(0, 40)}` })
    if (Array.isArray(events)) return events
  }
  throw new ProductError('collect.unreadable', {
    detail: 'expected an array of events, {"events": […]} or one event a line',
  })
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text around the mistake: plain characters of it are enough.
    const reason = (error as Error).message.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 120)
    throw new ProductError('collect.unreadable', { detail: where + reason })
  }
}
