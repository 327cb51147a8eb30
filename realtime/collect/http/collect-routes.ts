import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, errorText, ProductError } from '#contracts/errors.ts'
import type { Settings } from '#contracts/http/settings.ts'
import { COLLECT_POLICY_PATH } from '#contracts/telemetry/policy.ts'
import {
  COLLECT_ENROL_PATH,
  COLLECT_EVENTS_PATH,
  COLLECT_LIMITS,
  type CollectAnswer,
  type EnrolAnswer,
  IMPORT_HEADER,
} from '#contracts/telemetry/wire.ts'
import type { JournalWriter } from '#storage/journal/port.ts'
import type { IngestKey, IngestKeys } from '../enrol/ingest-keys.ts'
import type { DeviceRequest, Installs } from '../enrol/installs.ts'
import { eventCeilings } from '../enrol/rates.ts'
import type { PolicyAnswer } from '../policy/policy-answer.ts'
import type { BatchReaders } from '../read/batch-readers.ts'
import { bodyPool } from '../read/body-pool.ts'
import {
  type BatchBody,
  type BatchFacts,
  parseSentEvents,
  pseudonymizedCopy,
  type ReadBatch,
  type ReadingTools,
  type SentEvent,
} from '../read/read-batch.ts'
import { bodyForm, bodyText, readBody } from '../read/read-body.ts'
import { clockOffsetOf } from '../read/read-event.ts'
import type { PseudonymizedCopyOf } from './accept-batch.ts'
import { allowBrowsers } from './cors.ts'
import type { Counters } from './ingest-counters.ts'

const DAY_MS = 86_400_000
const ENROL_BYTES = 4096
/** A refused body up to here is read and dropped, so that the connection can go on. */
const DRAINED_BYTES = 64 * 1024
/** Bodies in memory at once, as announced or at most allowed; more are asked to come back. */
const OPEN_BODY_BYTES = 128 * 1024 * 1024

export type CollectLogLine = {
  at: number
  applicationId: number | null
  address: string
  status: number
  size: number
  milliseconds: number
  method: string
  path: string
}

export type CollectDeps = {
  ready(): boolean
  journal: JournalWriter
  maxBacklogBytes: number
  keys: IngestKeys
  installs: Installs
  enrol(body: unknown, address: string, perHour: number): Promise<EnrolAnswer>
  policy(request: FastifyRequest): Promise<PolicyAnswer>
  read: BatchReaders['read']
  accept(read: ReadBatch, facts: BatchFacts, resent: PseudonymizedCopyOf): Promise<CollectAnswer>
  tools: ReadingTools
  counters: Counters
  settings(): Settings
  now(): number
  retentionDays(): number
  addressOf(socket: string, forwardedFor: string | undefined): string
  logRequest(line: CollectLogLine): void
}

/** What the HTTP library refuses before a handler is asked: a type that is none, a broken address. */
function refusedBefore(error: unknown): 'request.media_type' | 'envelope.malformed' | undefined {
  const { code = '', statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'request.media_type'
  return code.startsWith('FST_') && statusCode < 500 ? 'envelope.malformed' : undefined
}

/** Who sends a batch, before and after its body was read. */
type Sender = { key: IngestKey; device?: DeviceRequest; importing: boolean }

/** The collector's routes: cheap checks first, plain HTTP statuses, JSON always. */
export function collectRoutes(deps: CollectDeps): (app: FastifyInstance) => Promise<void> {
  const { journal, keys, installs, settings, now, counters } = deps
  const ceilings = eventCeilings(now)
  const pool = bodyPool()
  let openBytes = 0

  function address(request: FastifyRequest): string {
    const forwarded = request.headers['x-forwarded-for']
    return deps.addressOf(
      request.socket.remoteAddress ?? '',
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    )
  }
  /** Whether anything can be taken at all. */
  function checkState(): void {
    if (!deps.ready()) throw new ProductError('server.starting', {}, { retry_after: 1 })
    if (journal.backlogBytes() >= deps.maxBacklogBytes) throw new ProductError('collect.busy', {}, { retry_after: 2 })
    if (journal.state() === 'down') throw new ProductError('collect.journal', {}, { retry_after: 5 })
  }
  async function identify(request: FastifyRequest): Promise<Sender> {
    const { authorization } = request.headers
    const wantsImport = request.headers[IMPORT_HEADER] === '1'
    if (authorization === undefined) {
      const device = await installs.begin(request.headers, settings())
      if (wantsImport) throw new ProductError('permission.missing', { permission: 'import' })
      return { key: device.ingestKey, device, importing: false }
    }
    const key = /^Bearer aw_sk_[A-Za-z0-9_-]{43}$/.test(authorization)
      ? await keys.byText(authorization.slice(7))
      : undefined
    if (key?.kind !== 'server') throw new ProductError('collect.key')
    if (wantsImport && !key.scopes.includes('import'))
      throw new ProductError('permission.missing', { permission: 'import' })
    return { key, importing: wantsImport || !key.scopes.includes('events') }
  }
  /** Reads the body while the sum of open bodies is bounded. */
  async function body<T>(request: FastifyRequest, limit: number, use: (bytes: Buffer) => Promise<T>): Promise<T> {
    const announced = Number(request.headers['content-length'] ?? limit)
    const reserved = Math.min(Number.isFinite(announced) ? announced : limit, limit)
    if (openBytes + reserved > OPEN_BODY_BYTES) throw new ProductError('collect.busy', {}, { retry_after: 1 })
    openBytes += reserved
    let bytes: Buffer | undefined
    try {
      bytes = await readBody(request.raw, limit, pool)
      return await use(bytes)
    } finally {
      openBytes -= reserved
      if (bytes) pool.release(bytes)
    }
  }

  async function events(request: FastifyRequest, note: { app: number | null; size: number }): Promise<CollectAnswer> {
    checkState()
    const form = bodyForm(request.headers['content-type'], request.headers['content-encoding'])
    const sender = await identify(request)
    const { key, device } = sender
    note.app = key.app
    const limits = COLLECT_LIMITS[device ? 'device' : 'server']
    const answer = await body(request, limits.bytes, async (bytes) => {
      note.size = bytes.length
      if (device) installs.finish(device, { method: request.method, target: request.raw.url ?? '', body: bytes })
      return takeBody({ bytes, form, limits }, sender, address(request))
    })
    keys.used(key)
    return { ...answer, server_time: now() }
  }
  function takeBody(body: BatchBody, { key, device, importing }: Sender, from: string): Promise<CollectAnswer> {
    const arrival = now()
    const facts: BatchFacts = {
      app: key.app,
      site: key.site,
      arrival,
      trusted: !device,
      importing,
      retainedFrom: arrival - deps.retentionDays() * DAY_MS,
      clockOffset: device ? clockOffsetOf(device.tstamp, arrival) : 0,
      address: from,
      enrolledDevice: device?.install.device ?? '',
    }
    const read = deps.read(body, facts)
    return read instanceof Promise ? read.then(take) : take(read)

    /** In one go: what was read is in the journal's hands before anything else is read. */
    function take(batch: ReadBatch): Promise<CollectAnswer> {
      const { app_ceiling, platform_ceiling } = settings()
      const wait = ceilings.take(key.app, batch.outcomes.length, { app: app_ceiling, platform: platform_ceiling })
      if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
      return deps.accept(batch, facts, (index) =>
        pseudonymizedCopy(parseSentEvents(body)[index] as SentEvent, deps.tools),
      )
    }
  }

  async function enrol(request: FastifyRequest, note: { size: number }): Promise<EnrolAnswer> {
    const form = bodyForm(request.headers['content-type'], request.headers['content-encoding'])
    return body(request, ENROL_BYTES, async (bytes) => {
      note.size = bytes.length
      const text = bodyText(bytes, form, { bytes: ENROL_BYTES, inflatedBytes: ENROL_BYTES })
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        throw new ProductError('collect.unreadable', { detail: 'not JSON' })
      }
      const answer = await deps.enrol(parsed, address(request), settings().enrolments_per_hour)
      counters.totals.enrolled++
      return answer
    })
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = error instanceof ProductError ? error : new ProductError(refusedBefore(error) ?? 'server.internal')
    if (known.key === 'server.internal') request.log.error(error)
    counters.refused(known.key)
    const entry = ERRORS[known.key]
    const retry = known.extra['retry_after']
    if (typeof retry === 'number') reply.header('retry-after', String(Math.max(1, Math.ceil(retry))))
    // The rest of a large body that was not read would have to be carried in for nothing.
    if (!request.raw.complete && !(Number(request.headers['content-length']) <= DRAINED_BYTES))
      reply.header('connection', 'close')
    const language = /^\s*zh\b/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en'
    const text = errorText(known.key, language, known.params)
    return reply
      .code(entry.status)
      .send({ ...known.extra, code: entry.code, codemsg: text, key: known.key, server_time: now() })
  }

  type Note = { app: number | null; size: number }
  function logLine(request: FastifyRequest, reply: FastifyReply, at: number, note: Note): void {
    deps.logRequest({
      at,
      applicationId: note.app,
      address: address(request),
      status: reply.statusCode,
      size: note.size,
      milliseconds: now() - at,
      method: request.method,
      path: request.raw.url?.split('?', 1)[0] ?? '',
    })
  }
  function handler(status: number, work: (request: FastifyRequest, note: Note) => Promise<object>) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const at = now()
      const note: Note = { app: null, size: 0 }
      try {
        const answer = await work(request, note)
        reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(answer))
      } catch (error) {
        refuse(error, request, reply)
      }
      logLine(request, reply, at, note)
      return reply
    }
  }

  /** A device that has its policy already leaves no line in the network log: it was told nothing. */
  async function policy(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const at = now()
    let app: number | null = null
    try {
      const answer = await deps.policy(request)
      app = answer.app
      reply.code(answer.status).headers(answer.headers)
      if (answer.status === 304) return reply.send()
      reply.type('application/json; charset=utf-8').send(answer.body)
    } catch (error) {
      refuse(error, request, reply)
    }
    logLine(request, reply, at, { app, size: 0 })
    return reply
  }

  return async (app) => {
    await app.register(
      async (scope) => {
        // Bodies are read by the handlers, after the header checks and within the sender's own limits.
        scope.removeAllContentTypeParsers()
        allowBrowsers(scope)
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
        scope.setErrorHandler((error, request, reply) => refuse(error, request, reply))
        scope.setNotFoundHandler((request, reply) => refuse(new ProductError('request.unknown_path'), request, reply))
        const answers = [
          ['POST', COLLECT_EVENTS_PATH, handler(202, events)],
          ['POST', COLLECT_ENROL_PATH, handler(201, enrol)],
          ['GET', COLLECT_POLICY_PATH, policy],
        ] as const
        for (const [method, path, answer] of answers) {
          const url = path.replace(/^\/collect/, '')
          scope.route({ method, url, handler: answer })
          scope.route({
            method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => one !== method),
            url,
            handler: (request, reply) => refuse(new ProductError('request.method'), request, reply),
          })
        }
      },
      { prefix: '/collect' },
    )
  }
}
