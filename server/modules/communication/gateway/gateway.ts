import type { IncomingMessage, ServerResponse } from 'node:http'
import { OUTCOMES_NOT_REFUSED } from '#domain/communication.ts'
import { fromBase64url, toBase64url } from '#engines/gm/bytes.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { answerHandshake } from '#engines/session/handshake.ts'
import { decodeRequestBody, encodeResponseBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { MESSAGE_OVERHEAD, openRequest, sealResponse, sessionIdOf } from '#engines/session/message.ts'
import { type RefusalReason, refusalAnswer, SessionRefusal } from '#engines/session/refusal.ts'
import { claimSequence } from '#engines/session/replay-window.ts'
import { log } from '#runtime/log.ts'
import type { ByteBudget } from '../../../http/byte-budget.ts'
import { makeRateLimit, type RateLimit } from '../../../http/rate-limit.ts'
import type { GatewayKeys } from './gateway-keys.ts'
import type { MinuteCounts } from './minute-counts.ts'
import { BodyFault, readWholeBody } from './read-whole-body.ts'
import type { SharedSession, SharedSessions } from './shared-sessions.ts'
import { isTraceSigned, TRACE_HEADER, type Trace, type TraceStage, writeTrace } from './trace.ts'
import { forwardedHeaders, type Upstream, UpstreamError, type UpstreamFault } from './upstream.ts'
import type { UsedNumbers } from './used-numbers.ts'

/** Answered by the gateway itself, for load balancers. */
export const GATEWAY_HEALTH_PATH = '/.well-known/appwarden-gateway'
/** What the server behind learns of an opened request. Of a client these names are removed. */
const KEY_HEADER = 'aw-key'
const APPLICATION_HEADER = 'aw-application'
const NOTHING = new Uint8Array(0)
const UPSTREAM_ANSWERS: Readonly<Record<UpstreamFault, [status: number, word: string]>> = {
  away: [502, 'upstream'],
  too_large: [502, 'upstream'],
  slow: [504, 'upstream_slow'],
  busy: [503, 'busy'],
}
/** Longer than any hello: what is a little off is refused as malformed, like every other change of bytes. */
const MOST_HELLO_BYTES = 4096
/** Lines of refusals; an attack must not fill the disk. */
const LOG_LINES = { burst: 200, perSecond: 20 }
const SDK = /^[\w.@-]{1,32}\/[\w.+-]{1,24}$/

/** Refusals of the gateway itself, beside those of the protocol. */
export type GatewayRefusal = RefusalReason | 'rate' | 'too_large' | 'busy' | 'slow'

export type GatewayDeps = {
  keys: GatewayKeys
  sessions: SharedSessions
  used: UsedNumbers
  upstream: Upstream
  counts: Pick<MinuteCounts, 'add'>
  /** Refusals that are evidence of an attack. */
  report(refused: { reason: RefusalReason; applicationId: number; kid: number; address: string; sdk: string }): void
  limits: {
    maxBodyBytes: number
    budget: ByteBudget
    handshakes: RateLimit
    addresses: RateLimit
    sessions: RateLimit
    /** ms for a body to arrive. */
    bodyMs: number
  }
  /** Given at the start of the gateway; undefined: the policy of the console. */
  policy?: 'observe' | 'enforce' | undefined
  traceSecret: Buffer
  addressOf(request: IncomingMessage): string
  now(): number
  random(length: number): Uint8Array
}

export type GatewayStatus = {
  inFlight: number
  messages: number
  handshakes: number
  refused: Record<string, number>
  plainPassed: number
  upstreamFaults: Record<string, number>
  /** Seconds that the gateway itself spent on accepted messages. */
  ownSeconds: number
}

export type Gateway = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  status(): GatewayStatus
}

type Outcome = { outcome: string; applicationId: number; kid: number; sdk: string; micros: number }

/** Opens sealed requests, sends them to the server behind, and seals its answers (sdk/session/protocol.md). */
export function makeGateway(deps: GatewayDeps): Gateway {
  const { keys, sessions, used, upstream, limits, now, random } = deps
  const status: GatewayStatus = {
    ...{ inFlight: 0, messages: 0, handshakes: 0, plainPassed: 0, ownSeconds: 0 },
    refused: {},
    upstreamFaults: {},
  }
  const policy = () => deps.policy ?? keys.policy()
  const seconds = () => Math.floor(now() / 1000)
  const logLines = makeRateLimit(now, LOG_LINES)

  /** What one request went through; its refusal counts for what is known of it so far. */
  class Passage {
    readonly stages: TraceStage[] = []
    readonly about = { applicationId: 0, kid: 0, sdk: '' }
    isTraced = false
    private readonly began = performance.now()
    private waited = 0
    /** Bytes of bodies that are reserved until the answer is sent. */
    held = 0
    take = (bytes: number): boolean => {
      if (!limits.budget.take(bytes)) return false
      this.held += bytes
      return true
    }
    letGo(): void {
      limits.budget.release(this.held)
      this.held = 0
    }
    /** Time of the stage is that of the gateway itself, unless it waits for others. */
    async stage<T>(stage: TraceStage['stage'], bytes: number, work: () => T | Promise<T>): Promise<T> {
      const at = performance.now()
      try {
        return await work()
      } finally {
        const took = performance.now() - at
        if (stage === 'upstream') this.waited += took
        this.stages.push({ stage, micros: Math.round(took * 1000), bytes })
      }
    }
    ownMicros(): number {
      return (performance.now() - this.began - this.waited) * 1000
    }
    know(session: SharedSession): void {
      Object.assign(this.about, {
        applicationId: session.applicationId,
        kid: session.session.keyId,
        sdk: session.sdk,
      })
    }
  }

  function count(passage: Passage, outcome: string): void {
    const one: Outcome = { outcome, ...passage.about, micros: passage.ownMicros() }
    if (OUTCOMES_NOT_REFUSED.includes(outcome)) {
      if (outcome === 'accepted') {
        status.messages++
        status.ownSeconds += one.micros / 1e6
      } else if (outcome === 'handshake') status.handshakes++
      else status.plainPassed++
    } else status.refused[outcome] = (status.refused[outcome] ?? 0) + 1
    // What the console's live test breaks is no attack and no use.
    if (!passage.isTraced) deps.counts.add(one)
  }

  function answer(
    response: ServerResponse,
    passage: Passage,
    one: { outcome: string; status: number; headers?: [string, string][]; body: Uint8Array | string },
  ): void {
    count(passage, one.outcome)
    if (response.headersSent || response.destroyed) return
    const body = typeof one.body === 'string' ? Buffer.from(one.body) : one.body
    const trace: Trace = { outcome: one.outcome, stages: passage.stages, policy: policy() }
    const isBodiless = response.req.method === 'HEAD' || one.status === 204 || one.status === 304
    response.writeHead(
      one.status,
      [
        ...(one.headers ?? []),
        ...(isBodiless ? [] : [['content-length', String(body.length)]]),
        ...(passage.isTraced ? [[TRACE_HEADER, writeTrace(trace)]] : []),
        ...(response.req.complete ? [] : [['connection', 'close']]),
      ].flat(),
    )
    response.end(isBodiless ? undefined : body)
  }

  const JSON_TYPE: [string, string] = ['content-type', 'application/json']
  const NO_STORE: [string, string] = ['cache-control', 'no-store']

  function refuse(request: IncomingMessage, response: ServerResponse, passage: Passage, reason: GatewayRefusal): void {
    const address = deps.addressOf(request)
    const { applicationId, kid, sdk } = passage.about
    if (logLines.take('') === 0)
      log.info({ reason, address, application: applicationId, key: kid }, 'gateway: a message is refused')
    const headers: [string, string][] = [JSON_TYPE, NO_STORE]
    if (reason === 'rate' || reason === 'busy') headers.push(['retry-after', '1'])
    const own: Partial<Record<GatewayRefusal, [number, string]>> = {
      rate: [429, '{"error":"rate"}'],
      busy: [503, '{"error":"busy"}'],
      too_large: [413, '{"error":"too_large"}'],
      slow: [408, '{"error":"slow"}'],
    }
    const ownAnswer = own[reason]
    if (ownAnswer) {
      const [status, body] = ownAnswer
      answer(response, passage, { outcome: reason, status, headers, body })
      return
    }
    const refusal = new SessionRefusal(reason as RefusalReason)
    if (!passage.isTraced) deps.report({ reason: refusal.reason, applicationId, kid, address, sdk })
    answer(response, passage, { outcome: reason, headers, ...refusalAnswer(refusal.code, seconds()) })
  }

  async function handshake(request: IncomingMessage, response: ServerResponse, passage: Passage, hello: Uint8Array) {
    const sdkHeader = String(request.headers[SESSION_HTTP.sdkHeader] ?? '')
    const sdk = SDK.test(sdkHeader) ? sdkHeader : ''
    passage.about.sdk = sdk
    const { answer: body } = await passage.stage('handshake', hello.length, async () => {
      const made = await answerHandshake(
        gmNode,
        hello,
        (kid) => {
          const key = keys.find(kid)
          if (typeof key === 'object') Object.assign(passage.about, { applicationId: key.applicationId, kid })
          return typeof key === 'object' ? key : key === 'key_unknown' ? undefined : key
        },
        { now: seconds(), random, claimHello: sessions.claimHello },
      )
      await sessions.add(made.session, { applicationId: passage.about.applicationId, sdk })
      return made
    })
    answer(response, passage, {
      outcome: 'handshake',
      status: 200,
      headers: [['content-type', SESSION_HTTP.mediaType], NO_STORE],
      body,
    })
  }

  async function message(request: IncomingMessage, response: ServerResponse, passage: Passage, bytes: Uint8Array) {
    const method = request.method ?? ''
    const path = request.url ?? ''
    if (path.includes('?')) throw new SessionRefusal('malformed')
    const found = await passage.stage('find', bytes.length, () => sessions.find(sessionIdOf(bytes)))
    if (!found) throw new SessionRefusal('session_unknown')
    passage.know(found)
    // The sessions of a key that has ended go on to their own end, so that a rotation fails no request.
    const key = keys.find(found.session.keyId)
    if (key === 'key_unknown' || key === 'key_revoked') throw new SessionRefusal(key)
    if (limits.sessions.take(String(found.number)) > 0) return refuse(request, response, passage, 'rate')
    // The opened copy is in memory as long as the sealed one.
    if (!passage.take(bytes.length)) throw new BodyFault('busy')
    const { plaintext, sequence } = await passage.stage('open', bytes.length - MESSAGE_OVERHEAD, () =>
      openRequest(gmNode, found.session, bytes, { method, path, now: seconds() }),
    )
    await passage.stage('claim', 0, async () => {
      if (!claimSequence(found.window, sequence)) throw new SessionRefusal('replayed')
      if (!(await used.claim(found.number, sequence))) throw new SessionRefusal('replayed')
      // Others may have moved it while the database decided.
      found.window = claimSequence(found.window, sequence) ?? found.window
    })
    const inner = decodeRequestBody(plaintext)
    if (!inner) throw new SessionRefusal('body')

    let sent = await passage.stage('upstream', inner.body.length, () =>
      upstream
        .send({
          method,
          target: path + (inner.query === '' ? '' : `?${inner.query}`),
          headers: [
            // An answer in another coding could not be read where it is opened.
            ...forwardedHeaders(request.rawHeaders, [
              'content-length',
              'content-type',
              'content-encoding',
              'accept-encoding',
            ]),
            ...(inner.contentType === '' ? [] : [['content-type', inner.contentType] as [string, string]]),
            ['x-forwarded-for', deps.addressOf(request)],
            [KEY_HEADER, String(found.session.keyId)],
            [APPLICATION_HEADER, String(found.applicationId)],
          ],
          body: inner.body,
          take: passage.take,
        })
        .catch((error: unknown) => upstreamFault(error, passage)),
    )
    // So is the sealed copy of the answer, until the client has it.
    if (!passage.take(sent.body.length + MESSAGE_OVERHEAD)) sent = upstreamFault(new UpstreamError('busy'), passage)
    const type = sent.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
    const sealed = await passage.stage('seal', sent.body.length, () =>
      sealResponse(gmNode, found.session, encodeResponseBody({ contentType: type, body: sent.body }), {
        ...{ sequence, time: seconds(), iv: random(16), status: sent.status },
      }),
    )
    const inHeader = method === 'HEAD' || sent.status === 204 || sent.status === 304
    const kept = sent.headers.filter(([name]) => !/^(?:content-type|content-length|content-encoding|etag)$/i.test(name))
    answer(response, passage, {
      outcome: 'accepted',
      status: sent.status,
      headers: inHeader
        ? [...kept, [SESSION_HTTP.messageHeader, toBase64url(sealed)]]
        : [...kept, ['content-type', SESSION_HTTP.mediaType]],
      body: inHeader ? '' : sealed,
    })
  }

  function upstreamFault(error: unknown, { isTraced }: Passage) {
    if (!(error instanceof UpstreamError)) throw error
    status.upstreamFaults[error.fault] = (status.upstreamFaults[error.fault] ?? 0) + 1
    if (!isTraced && logLines.take('upstream') === 0)
      log.warn({ err: error }, 'gateway: the server behind gave no answer')
    const headers: [string, string][] = [JSON_TYPE]
    const [code, word] = UPSTREAM_ANSWERS[error.fault]
    return { status: code, headers, body: Buffer.from(JSON.stringify({ error: word })) }
  }

  async function plain(request: IncomingMessage, response: ServerResponse, passage: Passage): Promise<void> {
    // A browser asks before it sends a message to another origin; such a request has no body.
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (policy() === 'enforce' && !isPreflight) return refuse(request, response, passage, 'plain')
    try {
      await upstream.stream(request, response, [['x-forwarded-for', deps.addressOf(request)]])
    } catch (error) {
      if (response.destroyed) return // the client is gone
      const { status, headers, body } = upstreamFault(error, passage)
      if (!response.headersSent) response.writeHead(status, headers.flat()).end(body)
      else response.destroy()
    }
    if (!isPreflight) count(passage, 'plain_passed')
  }

  /** The message of a request, or what else it is. */
  async function readMessage(request: IncomingMessage, isHello: boolean): Promise<Uint8Array | 'plain'> {
    const header = request.headers[SESSION_HTTP.messageHeader]
    const isSealed = request.headers['content-type'] === SESSION_HTTP.mediaType
    if (!isSealed && header === undefined && !isHello) return 'plain'
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
    if (header !== undefined) {
      const bytes = typeof header === 'string' ? fromBase64url(header) : undefined
      if (hasBody || isHello || !bytes) throw new SessionRefusal('malformed')
      return bytes
    }
    if (request.method === 'GET' || request.method === 'HEAD' || !isSealed) throw new SessionRefusal('malformed')
    const limit = isHello ? MOST_HELLO_BYTES : limits.maxBodyBytes + MESSAGE_OVERHEAD + 16
    return readWholeBody(request, { limit, budget: limits.budget, withinMs: limits.bodyMs })
  }

  return {
    async handle(request, response) {
      const passage = new Passage()
      status.inFlight++
      // What a client reads slowly is in memory until it has it.
      response.on('close', () => passage.letGo())
      try {
        if (request.url === GATEWAY_HEALTH_PATH && (request.method === 'GET' || request.method === 'HEAD')) {
          response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
          response.end(`{"policy":"${policy()}","keys":${keys.accepted()}}`)
          return
        }
        const isHello = request.method === 'POST' && request.url === SESSION_HTTP.handshakePath
        const address = deps.addressOf(request)
        if ((isHello ? limits.handshakes : limits.addresses).take(address) > 0)
          return refuse(request, response, passage, 'rate')
        const bytes = await readMessage(request, isHello)
        const isPlain = bytes === 'plain'
        const trace = request.headers[TRACE_HEADER]
        const { method = '', url: target = '' } = request
        // What is not sealed is not read here: its trace is signed without the body.
        const traced = { method, target, body: isPlain ? NOTHING : bytes }
        passage.isTraced = typeof trace === 'string' && isTraceSigned(deps.traceSecret, trace, traced, now())
        if (isPlain) return await plain(request, response, passage)
        passage.held = request.headers[SESSION_HTTP.messageHeader] === undefined ? bytes.length : 0
        if (isHello) await handshake(request, response, passage, bytes)
        else await message(request, response, passage, bytes)
      } catch (error) {
        if (error instanceof SessionRefusal) refuse(request, response, passage, error.reason)
        else if (error instanceof BodyFault) refuse(request, response, passage, error.fault)
        else {
          // The database is away: nothing can be accepted, since what was accepted before is unknown.
          if (logLines.take('error') === 0) log.error({ err: error }, 'gateway: a message cannot be checked')
          refuse(request, response, passage, 'busy')
        }
      } finally {
        if (response.closed) passage.letGo()
        status.inFlight--
      }
    },
    status: () => status,
  }
}
