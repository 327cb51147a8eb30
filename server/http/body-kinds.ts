import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { boundaryOf, readMultipart } from './read-multipart.ts'

/** A file that came in a form, spooled to disk; it goes when the call has been answered. */
export type FormFile = { name: string; path: string; size: number }
export type Form = { fields: Record<string, string>; file: FormFile | undefined; drop(): Promise<void> }

/** What a form has besides its file. */
export const FORM_ROOM = 64 * 1024
const FIELDS = 20
const FIELD_BYTES = 4096
const FORM = 'multipart/form-data'
const BYTES = 'application/offset+octet-stream'

/**
 * Teaches the application the two kinds of bodies that are not JSON. A signed body is needed whole, so it stays below the route's
 * limit; one that comes with an access token is not signed, and a form of that kind streams.
 */
export function addBodyKinds(app: FastifyInstance): void {
  app.addContentTypeParser(FORM, (request, payload, done) => {
    if (request.headers.authorization) return done(null, payload)
    whole(request, payload as unknown as Readable).then(
      (body) => done(null, body),
      (error: Error) => done(error),
    )
  })
  app.addContentTypeParser(BYTES, (request, payload, done) => {
    whole(request, payload as unknown as Readable).then(
      (body) => done(null, body),
      (error: Error) => done(error),
    )
  })
}

async function whole(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const most = request.routeOptions.bodyLimit
  // Who names nobody is refused before a megabyte of his is kept.
  if (!request.headers.cookie && !request.headers.authorization) throw new ProductError('session.signed_out')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of payload as AsyncIterable<Buffer>) {
    size += part.length
    if (size > most) throw new ProductError('request.too_large')
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

/** Refuses a body of a kind that the endpoint does not take. */
export function checkKind(endpoint: Endpoint, request: FastifyRequest): void {
  const kind = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const wrong =
    endpoint.takes === 'form' ? kind !== FORM : endpoint.takes ? kind === FORM : kind === FORM || kind === BYTES
  if (wrong) throw new ProductError('request.media_type')
}

/** Reads a form: text fields, and one file at most, which is spooled below `folder`. */
export async function readForm(request: FastifyRequest, folder: string, most: number): Promise<Form> {
  const boundary = boundaryOf(request.headers['content-type'])
  if (!boundary) throw new ProductError('envelope.malformed')
  const body = request.body as Buffer | Readable
  // A refused form must not take its connection along: the answer goes out on it.
  const source: AsyncIterable<Buffer> = Buffer.isBuffer(body) ? only(body) : body.iterator({ destroyOnReturn: false })
  const fields: Record<string, string> = Object.create(null)
  let file: FormFile | undefined
  const drop = async () => {
    if (file) await rm(file.path, { force: true })
  }
  try {
    for await (const part of readMultipart(source, boundary)) {
      if (part.fileName !== undefined) {
        if (file) throw new ProductError('input.invalid', { detail: 'one file' })
        file = { name: part.fileName, path: join(folder, `form-${randomUUID()}`), size: 0 }
        await mkdir(folder, { recursive: true, mode: 0o700 })
        file.size = await spool(part.bytes, file.path, most)
      } else {
        if (part.name in fields || Object.keys(fields).length >= FIELDS) throw new ProductError('envelope.malformed')
        fields[part.name] = await textOf(part.bytes)
      }
    }
    return { fields, file, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

async function* only(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}

async function spool(bytes: AsyncIterable<Buffer>, path: string, most: number): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > most) throw new ProductError('asset.too_large')
      for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
    }
  } finally {
    await handle.close()
  }
  return size
}

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of bytes) {
    size += part.length
    if (size > FIELD_BYTES) throw new ProductError('envelope.malformed')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
