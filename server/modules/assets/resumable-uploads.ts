import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import type { Mount } from '../../http/module.ts'
import type { Upload, uploadStore } from './upload-store.ts'

/** The endpoints of one kind of resumable uploads. */
type ResumableEndpoints = Record<'create' | 'state' | 'append' | 'drop', Endpoint>

/** tus 1.0 (creation, termination, expiration). `check` refuses an upload by its name and length before it begins. */
export function mountResumable(
  mount: Mount,
  endpoints: ResumableEndpoints,
  uploads: ReturnType<typeof uploadStore>,
  check: (upload: { name: string; length: number }) => void,
): void {
  mount(endpoints.create, async ({ request, reply, caller }) => {
    const length = headerNumber(request, 'upload-length')
    const name = metadata(request)['filename'] ?? ''
    if (length === undefined || length === 0 || name === '')
      throw new ProductError('input.invalid', { detail: 'Upload-Length, Upload-Metadata' })
    check({ name, length })
    const upload = await uploads.create({ userId: caller.userId, name, length })
    answer(reply, upload).status(201).header('location', `${endpoints.create.path}${upload.id}`)
    return ''
  })

  mount(endpoints.state, async ({ request, reply, caller }) => {
    const upload = await uploads.find(idOf(request), caller.userId)
    answer(reply, upload).header('upload-length', upload.length).header('cache-control', 'no-store')
    return ''
  })

  mount(endpoints.append, async ({ request, reply, caller }) => {
    const upload = await uploads.find(idOf(request), caller.userId)
    const offset = headerNumber(request, 'upload-offset')
    // Other types are refused, so that no body of another protocol becomes part of a package (tus 1.0, PATCH).
    if (!(request.body instanceof Uint8Array) || request.headers['content-type'] !== 'application/offset+octet-stream')
      throw new ProductError('request.media_type')
    if (offset === undefined) throw new ProductError('input.invalid', { detail: 'Upload-Offset' })
    const next = await uploads.append(upload, offset, request.body)
    answer(reply, next).status(204)
    return ''
  })

  mount(endpoints.drop, async ({ request, reply, caller }) => {
    const upload = await uploads.find(idOf(request), caller.userId)
    await uploads.drop(upload.id)
    reply.status(204).header('tus-resumable', '1.0.0')
    return ''
  })
}

function answer(reply: FastifyReply, upload: Upload): FastifyReply {
  return reply
    .header('tus-resumable', '1.0.0')
    .header('tus-extension', 'creation,expiration,termination')
    .header('upload-offset', upload.offset)
    .header('upload-expires', new Date(upload.expiresAt).toUTCString())
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id
}

function headerNumber(request: FastifyRequest, name: string): number | undefined {
  const text = request.headers[name]
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Upload-Metadata: names with base64 values, by commas. */
function metadata(request: FastifyRequest): Record<string, string> {
  const header = request.headers['upload-metadata']
  if (typeof header !== 'string') return {}
  return Object.fromEntries(
    header.split(',').map((pair) => {
      const [name = '', value = ''] = pair.trim().split(' ')
      return [name, Buffer.from(value, 'base64').toString('utf8')]
    }),
  )
}
