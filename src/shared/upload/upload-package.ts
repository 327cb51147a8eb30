import type { ApplicationType } from '#contracts/detection/kinds.ts'
import { createUpload, FORM_BYTES, uploadFile } from '#contracts/http/assets.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { utf8 } from '#engines/gm/bytes.ts'
import { ApiError } from '../api/api-error.ts'
import { randomBytes } from '../api/gm-browser.ts'
import { formBody } from './form-body.ts'
import { sendBytes } from './send-bytes.ts'

export type UploadedFile = ResponseOf<typeof uploadFile>['file_object']
export type UploadOptions = {
  appid?: string
  /** Make an application of it where none has its package name. */
  create?: boolean
  type?: ApplicationType
  /** Bytes that the server has, of the file's size. */
  onSent?: (bytes: number) => void
  /** Everything is there and the server reads it. */
  onChecking?: () => void
  signal?: AbortSignal
}

const [SMALLEST, LARGEST] = [256 * 1024, FORM_BYTES]
/** A chunk should take about this long: well below the time-out of a request. */
const CHUNK_MS = 4000
const ATTEMPTS = 5
const BUSY_MS = 1000

/**
 * Uploads a package: as one form up to 8 MiB, in resumable chunks above it. An upload that was cut off, even by a reload, goes on where
 * it stood when the same file is given again. Throws ApiError, or the reason of the signal.
 */
export async function uploadPackage(file: File, options: UploadOptions = {}): Promise<UploadedFile> {
  if (file.size <= FORM_BYTES) return uploadForm(file, options)
  const key = resumeKey(file)
  const path = await sendChunks(file, key, createUpload.path, options)
  options.onChecking?.()
  const done = await finish({ upload_id: path.split('/').at(-1) as string }, undefined, options)
  localStorage.removeItem(key)
  return done
}

async function uploadForm(file: File, options: UploadOptions): Promise<UploadedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return finish({}, { name: file.name, bytes }, options)
}

async function finish(
  fields: Record<string, string>,
  file: { name: string; bytes: Uint8Array } | undefined,
  options: UploadOptions,
): Promise<UploadedFile> {
  const all = {
    ...fields,
    ...(options.appid && { appid: options.appid }),
    ...(options.create && { create: 'application' }),
    ...(options.type && { type: options.type }),
  }
  const { contentType, bytes } = formBody(all, file, randomBytes(12))
  for (;;) {
    try {
      const { body } = await sendBytes({
        method: 'POST',
        target: uploadFile.path,
        headers: { 'content-type': contentType },
        body: bytes,
        signal: options.signal,
        ...(file && {
          onSent: (sent: number) => {
            options.onSent?.(Math.min(sent, file.bytes.length))
            if (sent >= bytes.length) options.onChecking?.()
          },
        }),
      })
      return body['file_object'] as UploadedFile
    } catch (error) {
      // The server still reads it: asked again until it has.
      if (!(error instanceof ApiError && error.key === 'asset.busy')) throw error
      await pause(BUSY_MS, options.signal)
    }
  }
}

/**
 * Sends a file for one answer of the server, always in chunks; answers the upload's id. It is not resumed: `cancel` forgets what the server
 * has of it.
 */
export async function uploadOnce(
  file: File,
  options: Pick<UploadOptions, 'onSent' | 'signal'>,
): Promise<{ id: string; cancel: () => void }> {
  let path: string | undefined
  // Without a signal: the one of the upload was aborted.
  const cancel = () => {
    if (path) void sendBytes({ method: 'DELETE', target: path, headers: TUS }).catch(() => undefined) // it expires by itself
  }
  try {
    path = await begin(file, createUpload.path, options.signal)
    await sendChunks(file, undefined, createUpload.path, options, path)
    return { id: path.split('/').at(-1) as string, cancel }
  } catch (error) {
    cancel()
    throw error
  }
}

/**
 * Uploads a file in resumable chunks; `target`: path of the endpoint that creates them (tus). Answers the id of the complete upload, which
 * is kept for the file until `forgetUpload`.
 */
export async function uploadChunks(
  file: File,
  target: string,
  options: Pick<UploadOptions, 'onSent' | 'signal'>,
): Promise<string> {
  const path = await sendChunks(file, `${target}${resumeKey(file)}`, target, options)
  return path.split('/').at(-1) as string
}

export function forgetUpload(file: File, target: string): void {
  localStorage.removeItem(`${target}${resumeKey(file)}`)
}

/** Sends what the server does not have yet; answers the upload's path. Without `key` it is not remembered. */
async function sendChunks(
  file: File,
  key: string | undefined,
  target: string,
  options: UploadOptions,
  begun: string | null = null,
): Promise<string> {
  let path = key === undefined ? begun : localStorage.getItem(key)
  let offset = path === null ? 0 : await offsetOf(path, options.signal).catch(() => undefined)
  if (path === null || offset === undefined) {
    path = await begin(file, target, options.signal)
    if (key !== undefined) localStorage.setItem(key, path)
    offset = 0
  }
  let size = LARGEST / 2
  let failures = 0
  while (offset < file.size) {
    const from: number = offset
    const bytes = new Uint8Array(await file.slice(from, from + size).arrayBuffer())
    const started = performance.now()
    try {
      await sendBytes({
        method: 'PATCH',
        target: path,
        headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
        body: bytes,
        onSent: (sent) => options.onSent?.(from + sent),
        signal: options.signal,
      })
      offset = from + bytes.length
      failures = 0
      const share = CHUNK_MS / Math.max(50, performance.now() - started)
      size = Math.round(Math.min(LARGEST, Math.max(SMALLEST, size * Math.min(2, Math.max(0.25, share)))))
    } catch (error) {
      if (options.signal?.aborted || !passes(error) || ++failures >= ATTEMPTS) throw error
      size = Math.max(SMALLEST, Math.round(size / 2))
      await pause(500 * 2 ** failures, options.signal)
      // What of the chunk arrived, the server knows.
      offset = await offsetOf(path, options.signal).catch(() => from)
    }
    options.onSent?.(offset)
  }
  return path
}

const TUS = { 'tus-resumable': '1.0.0' }

async function begin(file: File, target: string, signal: AbortSignal | undefined): Promise<string> {
  const name = btoa(String.fromCharCode(...utf8(file.name)))
  const headers = { ...TUS, 'upload-length': String(file.size), 'upload-metadata': `filename ${name}` }
  const { header } = await sendBytes({ method: 'POST', target, headers, signal })
  return header('location') ?? ''
}

async function offsetOf(path: string, signal: AbortSignal | undefined): Promise<number> {
  const { header } = await sendBytes({ method: 'HEAD', target: path, headers: TUS, signal })
  return Number(header('upload-offset'))
}

/** Gives an unfinished upload up; the server forgets it. */
export async function dropUpload(file: File): Promise<void> {
  const key = resumeKey(file)
  const path = localStorage.getItem(key)
  localStorage.removeItem(key)
  if (path) await sendBytes({ method: 'DELETE', target: path, headers: TUS }).catch(() => undefined) // it expires by itself
}

/** Whether trying again may help: no answer, another offset, an overloaded server. */
function passes(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 429 || error.status >= 500 || error.key === 'asset.offset')
  )
}

function resumeKey({ name, size, lastModified }: File): string {
  return `upload:${name}:${size}:${lastModified}`
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((over, failed) => {
    const timer = setTimeout(over, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      failed(signal.reason)
    })
  })
}
