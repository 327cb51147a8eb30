import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditChange } from '#contracts/audit-change.ts'
import { ERRORS, ProductError } from '#contracts/errors.ts'
import { FORM_BYTES } from '#contracts/http/assets.ts'
import { answersByStatus, type Endpoint, isSealable } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { log } from '#runtime/log.ts'
import { type Authenticator, checkPermission, type Identified } from './authenticate.ts'
import { checkKind, FORM_ROOM } from './body-kinds.ts'
import { withinCall } from './call-context.ts'
import { clearSessionCookies } from './cookies.ts'
import { asProductError, errorAnswer, languageOf } from './errors.ts'
import { finishBody } from './finish-body.ts'
import type { HttpDeps } from './http-deps.ts'
import type { Caller, Handler, Mount } from './module.ts'
import type { NetworkLine, NetworkLog } from './network-log.ts'
import { checkInput, parseJson, parseQuery } from './parse-input.ts'
import { type Form, readForm } from './read-form.ts'
import { makeOpener, type Opened } from './sealed.ts'
import { SessionEnded } from './sessions.ts'

const NAMES = new Map<Endpoint, string>([...ENDPOINTS].map(([name, endpoint]) => [endpoint, name]))
const NOTHING = new Uint8Array(0)
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const

/** Everything between a route and its handler: caller, input, permission, answer, audit entry and log line. */
export function makeMount(
  app: FastifyInstance,
  deps: HttpDeps,
  parts: { authenticator: Authenticator; log: NetworkLog },
): { mount: Mount; mounted: ReadonlySet<string> } {
  const { authenticator, log: networkLog } = parts
  const mounted = new Set<string>()
  const refusing = new Set<string>()
  const identified = new WeakMap<FastifyRequest, Identified>()
  const open = makeOpener(deps)

  const mount: Mount = (endpoint, handler) => {
    const name = NAMES.get(endpoint)
    if (!name) throw new Error(`${endpoint.path}: its file is not listed in contracts/http/index.ts`)
    if (mounted.has(name)) throw new Error(`${endpoint.path}: mounted twice`)
    mounted.add(name)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.takes && { bodyLimit: FORM_BYTES + FORM_ROOM }),
      // Before anything of the body is read; a caller that is refused here has it drained, not kept.
      onRequest: async (request, reply) => {
        try {
          const one = await authenticator.identify(endpoint, request)
          identified.set(request, one)
          request.isCallerKnown = one.caller.kind !== 'anonymous'
        } catch (error) {
          await serve(name, endpoint, handler as Handler<Endpoint>, request, reply, { error })
          return reply
        }
      },
      handler: (request, reply) => serve(name, endpoint, handler as Handler<Endpoint>, request, reply),
    })
    if (refusing.has(endpoint.path)) return
    refusing.add(endpoint.path)
    const taken = [...ENDPOINTS.values()].filter(({ path }) => path === endpoint.path).map(({ method }) => method)
    app.route({
      method: METHODS.filter((method) => !(taken as readonly string[]).includes(method)),
      url: endpoint.path,
      onRequest: (_request, reply, _done) => {
        reply.header('allow', taken.join(', '))
        throw new ProductError('request.method')
      },
      handler: () => {},
    })
  }

  async function serve(
    name: string,
    endpoint: Endpoint,
    handler: Handler<Endpoint>,
    request: FastifyRequest,
    reply: FastifyReply,
    refused?: { error: unknown },
  ): Promise<FastifyReply> {
    const started = deps.now()
    const language = languageOf(request.headers['accept-language'])
    const noted: { target: string; role: string; detail: string; changes: readonly AuditChange[]; isNamed: boolean } = {
      target: '',
      role: '',
      detail: '',
      changes: [],
      isNamed: false,
    }
    let caller: Caller | undefined
    let opened: Opened | undefined
    let status = 200
    let code = 0
    let answer: unknown
    let form: Form | undefined
    try {
      if (refused) throw refused.error
      const raw = request.body instanceof Uint8Array ? request.body : NOTHING
      const fields = parseQuery(request.raw.url ?? '')
      const known = identified.get(request) as Identified
      ;({ caller } = known)
      await known.verify(raw, reply)
      // A JSON body is parsed before the permission is checked: the refusal of a sealed call is sealed too.
      const isJson = endpoint.method === 'POST' && !endpoint.takes
      if (isJson) checkKind(endpoint, request)
      const json = isJson ? parseJson(raw) : {}
      opened = openSealed(endpoint, known, request, endpoint.method === 'POST' ? json : fields)
      checkPermission(endpoint, caller)
      if (!isJson) checkKind(endpoint, request)
      const { auth } = caller
      if (typeof endpoint.access !== 'string')
        deps.licence.demandModule(endpoint.access.filter((one) => auth.includes(one)))
      const query = checkInput(
        endpoint.query,
        opened && endpoint.method === 'GET' ? texts(opened.plain) : fields,
        language,
      )
      form =
        endpoint.takes === 'form'
          ? await readForm(
              request.body as Buffer | Readable,
              request.headers['content-type'],
              deps.config.paths.uploads,
              largest(deps),
            )
          : undefined
      const given = opened && endpoint.method === 'POST' ? opened.plain : json
      const body = checkInput(endpoint.body, form ? form.fields : given, language)
      const call: Parameters<typeof handler>[0] = {
        query,
        body,
        given,
        caller,
        request,
        reply,
        ...(form?.file && { file: form.file }),
        audit(target, detail = '', changes = []) {
          Object.assign(noted, { target, detail, changes, isNamed: true })
        },
        auditRole(role) {
          noted.role = role
        },
      }
      const result = await withinCall(caller, reply, () => handler(call))
      await audit('ok')
      status = reply.statusCode
      answer = endpoint.bare ? result : { code: 0, codemsg: '', ...(result as object) }
    } catch (error) {
      const refusal = errorAnswer(error, {
        bearer: request.headers.authorization !== undefined || answersByStatus(endpoint),
        language,
      })
      const { key } = asProductError(error)
      // A browser whose session is over asks who it is, or signs out: its cookies go, else every reload would meet the same refusal.
      if ((endpoint.enveloped || endpoint.changes) && (key === 'session.replaced' || key === 'session.signed_out'))
        clearSessionCookies(reply, deps.config)
      // A time-out is 200 for the console, and still has a cause that an operator looks for.
      if (refusal.status >= 500 || key === 'server.internal' || key === 'server.query_timeout')
        log.error({ err: error, request: request.id, key }, `${request.method} ${endpoint.path} failed`)
      // What the protocol refuses is in the network log; an audit entry takes someone who is known or a product's refusal.
      if (!('protocol' in ERRORS[key]))
        await audit(key, key === 'permission.missing').catch((err: Error) =>
          log.error({ err, request: request.id }, 'an audit entry could not be written'),
        )
      ;({ status } = refusal)
      code = refusal.body.code
      answer = refusal.body
      reply.headers(refusal.headers)
      reply.type('application/json')
      if (status !== 200) opened = undefined // protocol errors travel plain
    }
    await form?.drop().catch((err: Error) => log.error({ err, request: request.id }, 'an upload could not be removed'))
    finishBody(request, reply, request.isCallerKnown || refused?.error instanceof SessionEnded)
    if (opened)
      answer = opened.seal(
        caller?.kind === 'session' ? { ...(answer as object), username: caller.username } : answer,
        status,
      )
    networkLog.add(line(endpoint, request, caller, noted.target, { started, status, code }))
    return reply.status(status).send(answer)

    async function audit(result: string, always = false): Promise<void> {
      // A GET that takes data out of the platform names what it took.
      const isRecorded = endpoint.method === 'POST' || endpoint.changes || noted.isNamed
      const wanted = always || (isRecorded && endpoint.audit !== false)
      if (!wanted || !caller) return
      await deps.audit({
        account: caller.username || noted.target,
        role: caller.role || noted.role,
        action: name,
        target: noted.target,
        result,
        address: caller.address,
        detail: noted.detail,
        changes: noted.changes,
      })
    }
  }

  /** What was sealed; undefined for a plain call. Throws request.plain where encrypted mode refuses one. */
  function openSealed(
    endpoint: Endpoint,
    { sid }: Identified,
    request: FastifyRequest,
    given: unknown,
  ): Opened | undefined {
    if (sid === undefined || !isSealable(endpoint)) return undefined
    const { encrypt_data: text, ...more } = (given ?? {}) as Record<string, unknown>
    if (text !== undefined || endpoint.enveloped) {
      if (Object.keys(more).length > 0) throw new ProductError('envelope.malformed')
      return open(request, text, sid)
    }
    if (deps.settings().encrypt_requests) throw new ProductError('request.plain')
    return undefined
  }

  function line(
    endpoint: Endpoint,
    request: FastifyRequest,
    caller: Caller | undefined,
    target: string,
    answer: { started: number; status: number; code: number },
  ): NetworkLine {
    const kinds = { session: 'console', token: 'token', display: 'wall', anonymous: 'anonymous' } as const
    return {
      at: answer.started,
      kind: endpoint.path.includes('/signin/') ? 'signin' : kinds[caller?.kind ?? 'anonymous'],
      account: caller?.username || (caller?.kind === 'anonymous' ? target : ''),
      application_id: null,
      address: request.ip,
      method: request.method,
      path: endpoint.path,
      status: answer.status,
      code: answer.code,
      size: Number(request.headers['content-length'] ?? 0),
      milliseconds: Math.round(deps.now() - answer.started),
    }
  }

  return { mount, mounted }
}

/** The fields of a sealed query, as parseQuery returns those of a plain one. Throws envelope.malformed. */
function texts(plain: unknown): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(plain ?? {})) {
    if (typeof value === 'object') throw new ProductError('envelope.malformed')
    fields[name] = String(value)
  }
  return fields
}

function largest({ settings }: HttpDeps): number {
  return settings().package_limit_mb * 1024 * 1024
}
