import { isAscii, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { ProductError } from '#contracts/errors.ts'
import type { BodyPool } from './body-pool.ts'

/** Announced bodies from here on may be read in another thread: the way there and back costs what reading a few events does. */
const APART_BYTES = 16 * 1024

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
 * The body as sent; a large one lies in memory of the pool, to be given back. Throws request.too_large as soon as more than `limit`
 * bytes are announced or come.
 */
export function readBody(request: IncomingMessage, limit: number, pool: BodyPool): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.reject(new ProductError('request.too_large', {}, { limit }))
  return new Promise((resolve, reject) => {
    const place = announced >= APART_BYTES ? pool.acquire(announced) : undefined
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      if (size + chunk.length > limit) {
        request.pause()
        reject(new ProductError('request.too_large', {}, { limit }))
      } else if (place) place.set(chunk, size)
      else chunks.push(chunk)
      size += chunk.length
    })
    request.on('end', () =>
      resolve(place ?? (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size))),
    )
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new ProductError('collect.unreadable', { detail: 'the connection ended' }))
    })
  })
}

/** The text of a body, inflated no further than the limit. Throws request.too_large, collect.unreadable. */
export function bodyText(body: Buffer, form: BodyForm, limits: BodyLimits): string {
  if (!form.gzip) return utf8(body)
  let plain: Buffer
  try {
    plain = gunzipSync(body, { maxOutputLength: limits.inflatedBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ProductError('request.too_large', {}, { limit: limits.inflatedBytes })
    throw new ProductError('collect.unreadable', { detail: 'not a gzip stream' })
  }
  return utf8(plain)
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
