import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorKey, errorText, ProductError } from '#contracts/errors.ts'
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
import { log } from '#runtime/log.ts'
import type { JournalWriter } from '#storage/journal/port.ts'
import { isStatementTimeout } from '#storage/postgres/is-statement-timeout.ts'
import { networkOf } from '../enrol/client-address.ts'
import type { IngestKey, IngestKeys } from '../enrol/ingest-keys.ts'
import type { DeviceRequest, Installs } from '../enrol/installs.ts'
import { eventCeilings } from '../enrol/rates.ts'
import type { PolicyAnswer } from '../policy/policy-answer.ts'
import type { BatchReaders } from '../read/batch-readers.ts'
import type { BatchBody, BatchFacts, ReadBatch } from '../read/read-batch.ts'
import { bodyForm, bodyText } from '../read/read-body.ts'
import { clockOffsetOf } from '../read/read-event.ts'
import type { BodyIntake, BodySender } from './body-intake.ts'
import { allowBrowsers } from './cors.ts'
import type { Counters } from './ingest-counters.ts'

const DAY_MS = 86_400_000
const ENROL_BYTES = 4096
/** A refused body up to this size is read and dropped, so that the connection can be reused. */
const DRAINED_BYTES = 64 * 1024
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
  accept(read: ReadBatch, facts: BatchFacts): Promise<CollectAnswer>
  intake: BodyIntake
  counters: Counters
  settings(): Settings
  now(): number
  /** Newest time that the clock has shown, this arrival included. */
  newest(arrival: number): number
  retentionDays(): number
  /** The client's address. */
  address(request: FastifyRequest): string
  logRequest(line: CollectLogLine): void
}

/** Errors of the HTTP library before a handler runs: an invalid media type, a malformed URL. */
function refusedBefore(error: unknown): ErrorKey | undefined {
  if (isStatementTimeout(error)) return 'server.query_timeout'
  const { code = '', statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'request.media_type'
  return code.startsWith('FST_') && statusCode < 500 ? 'envelope.malformed' : undefined
}

/** A proxy and this server may choose different Host headers of two (RFC 9112, section 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Who sends a batch. */
type Sender = { key: IngestKey; device?: DeviceRequest; importing: boolean }

/** The collector's routes: cheap checks first, plain HTTP statuses, JSON always. */
export function collectRoutes(deps: CollectDeps): (app: FastifyInstance) => Promise<void> {
  const { journal, keys, installs, settings, now, counters, intake, address } = deps
  const ceilings = eventCeilings(now)

  /** Refuses while nothing can be accepted. */
  function checkState(): void {
    if (!deps.ready()) throw new ProductError('server.starting', {}, { retry_after: 1 })
    if (journal.backlogBytes() >= deps.maxBacklogBytes) throw new ProductError('collect.busy', {}, { retry_after: 2 })
    if (journal.state() === 'down') throw new ProductError('collect.journal', {}, { retry_after: 5 })
  }
  async function identify(request: FastifyRequest, from: string): Promise<Sender> {
    const { authorization } = request.headers
    const wantsImport = request.headers[IMPORT_HEADER] === '1'
    if (authorization === undefined) {
      const device = await installs.begin(request.headers, settings(), networkOf(from))
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
  async function events(request: FastifyRequest, note: { app: number | null; size: number }): Promise<CollectAnswer> {
    checkState()
    const form = bodyForm(request.headers['content-type'], request.headers['content-encoding'])
    const from = address(request)
    const { key, device, importing } = await identify(request, from)
    note.app = key.app
    const limits = COLLECT_LIMITS[device ? 'device' : 'server']
    const sender: BodySender = device
      ? { kind: 'device', key: key.id, install: device.install.id, network: networkOf(from) }
      : { kind: 'server', key: key.id }
    const { bytes, release } = await intake.receive(request.raw, limits.bytes, sender)
    let accepted: { answer: Promise<CollectAnswer> }
    try {
      note.size = bytes.length
      if (device) installs.finish(device, { method: request.method, target: request.raw.url ?? '', body: bytes })
      accepted = await takeBody({ bytes, form, limits }, { key, importing, ...(device && { device }) }, from)
    } finally {
      // The journal has its own copy: the body's memory is free while the batch waits for the disk.
      release()
    }
    const answer = await accepted.answer
    keys.used(key)
    return { ...answer, server_time: now() }
  }
  /** The answer is wrapped so that awaiting the reading does not wait for the disk as well. */
  async function takeBody(
    body: BatchBody,
    { key, device, importing }: Sender,
    from: string,
  ): Promise<{ answer: Promise<CollectAnswer> }> {
    const arrival = now()
    const facts: BatchFacts = {
      app: key.app,
      site: key.site,
      arrival,
      newest: deps.newest(arrival),
      trusted: !device,
      importing,
      retainedFrom: arrival - deps.retentionDays() * DAY_MS,
      clockOffset: device ? clockOffsetOf(device.tstamp, arrival) : 0,
      address: from,
      enrolledDevice: device?.install.device ?? '',
    }
    const read = deps.read(body, facts)
    // No await between reading and appending where this thread read the body: its frame is valid until the next body is read.
    const answer = accept(read instanceof Promise ? await read : read)
    answer.catch(() => {}) // handled by the caller that awaits it
    return { answer }

    function accept(batch: ReadBatch): Promise<CollectAnswer> {
      const { app_ceiling, platform_ceiling } = settings()
      const wait = ceilings.take(key.app, batch.outcomes.length, { app: app_ceiling, platform: platform_ceiling })
      if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
      return deps.accept(batch, facts)
    }
  }

  async function enrol(request: FastifyRequest, note: { size: number }): Promise<EnrolAnswer> {
    const form = bodyForm(request.headers['content-type'], request.headers['content-encoding'])
    const from = address(request)
    const { bytes, release } = await intake.receive(request.raw, ENROL_BYTES, {
      kind: 'anonymous',
      network: networkOf(from),
    })
    let parsed: unknown
    try {
      note.size = bytes.length
      parsed = JSON.parse(bodyText(bytes, form, { bytes: ENROL_BYTES, inflatedBytes: ENROL_BYTES }))
    } catch (error) {
      if (error instanceof ProductError) throw error
      throw new ProductError('collect.unreadable', { detail: 'not JSON' })
    } finally {
      release()
    }
    const answer = await deps.enrol(parsed, from, settings().enrolments_per_hour)
    counters.totals.enrolled++
    return answer
  }

  /** One line a second and key at most: a full disk refuses every batch, and the counters say how many. */
  const loggedAt = new Map<string, number>()
  function logFailure(key: string, err: unknown, request: FastifyRequest): void {
    const time = performance.now()
    if (time - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < 1000) return
    loggedAt.set(key, time)
    log.warn({ err, key, request: request.id }, `${request.method} ${request.routeOptions.url ?? '?'} failed`)
  }
  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = error instanceof ProductError ? error : new ProductError(refusedBefore(error) ?? 'server.internal')
    counters.refused(known.key)
    const entry = ERRORS[known.key]
    if (entry.status >= 500) logFailure(known.key, error, request)
    const retry = known.extra['retry_after']
    if (typeof retry === 'number') reply.header('retry-after', String(Math.max(1, Math.ceil(retry))))
    // The rest of a large unread body would be transferred for nothing.
    const isSlow = known.key === 'collect.slow'
    if (!request.raw.complete && (isSlow || !(Number(request.headers['content-length']) <= DRAINED_BYTES)))
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

  /** A device that has the current policy (304) leaves no line in the network log. */
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
        scope.addHook('onRequest', async ({ raw }) => {
          if (hasTwoHosts(raw.rawHeaders)) throw new ProductError('envelope.malformed')
        })
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
