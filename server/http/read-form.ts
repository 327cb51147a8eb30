import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { ProductError } from '#contracts/errors.ts'

/** A file that came in a form, written to disk; it is deleted when the call has been answered. */
export type FormFile = { name: string; path: string; size: number }
export type Form = { fields: Record<string, string>; file: FormFile | undefined; drop(): Promise<void> }

const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 4096,
  fields: 20,
  files: 1,
  parts: 22,
  headerPairs: 20,
  headerSize: 8192,
}
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const malformed = () => new ProductError('envelope.malformed')

/**
 * Reads a multipart/form-data body (RFC 7578): text fields, and one file at most, which is written below `folder`. `maxFile` in bytes.
 * Throws envelope.malformed, input.invalid (a second file), asset.too_large. A refused body is left unread, its stream intact.
 */
export async function readForm(
  body: Buffer | Readable,
  contentType: string | undefined,
  folder: string,
  maxFile: number,
): Promise<Form> {
  const parser = openParser(contentType, maxFile)
  const fields: Record<string, string> = Object.create(null)
  let file: FormFile | undefined
  let stream: BusboyFileStream | undefined
  let written: Promise<void> = Promise.resolve()
  const drop = async () => {
    if (file) await rm(file.path, { force: true })
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('error', () => reject(malformed()))
      parser.on('finish', resolve)
      for (const event of ['partsLimit', 'fieldsLimit'] as const) parser.on(event, () => reject(malformed()))
      parser.on('filesLimit', () => reject(new ProductError('input.invalid', { detail: 'one file' })))
      parser.on('field', (name: string, value: string, nameCut: boolean, valueCut: boolean) => {
        if (!name || nameCut || valueCut || name in fields || FORBIDDEN.has(name)) reject(malformed())
        else fields[name] = value
      })
      parser.on('file', (_field: string, source: BusboyFileStream, name: string | undefined) => {
        const part: FormFile = {
          name: (name ?? '').replaceAll('%22', '"'),
          path: join(folder, `form-${randomUUID()}`),
          size: 0,
        }
        ;[file, stream] = [part, source]
        source.on('error', () => reject(malformed()))
        source.on('limit', () => reject(new ProductError('asset.too_large')))
        written = writeFile(source, part)
        written.catch(reject)
      })
      if (Buffer.isBuffer(body)) parser.end(body)
      else {
        body.once('error', reject)
        body.once('close', () => body.readableEnded || reject(malformed()))
        body.pipe(parser)
      }
    })
    await written
    return { fields, file, drop }
  } catch (error) {
    if (!Buffer.isBuffer(body)) body.unpipe(parser)
    stream?.destroy()
    await written.catch(() => {}) // the error that is thrown below came first
    await drop()
    throw error
  }
}

function openParser(contentType: string | undefined, fileSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType ?? '' },
      limits: { ...LIMITS, fileSize },
      preservePath: true,
      isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    })
  } catch {
    throw malformed()
  }
}

async function writeFile(source: AsyncIterable<Buffer>, file: FormFile): Promise<void> {
  const handle = await open(file.path, 'wx', 0o600)
  try {
    for await (const chunk of source) {
      file.size += chunk.length
      for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
    }
  } finally {
    await handle.close()
  }
}
