import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditChange } from '#contracts/audit-change.ts'
import type { Language } from '#contracts/errors.ts'
import type { BodyOf, Endpoint, QueryOf, ResponseOf } from '#contracts/http/endpoint.ts'
import type { Settings } from '#contracts/http/settings.ts'
import type { EventRow, Scope } from '#domain/query.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import type { AuditEntry } from '../platform/audit/audit-trail.ts'
import type { Licence } from '../platform/licence/open-licence.ts'
import type { FormFile } from './read-form.ts'

/** Who calls, after session, token and signature were checked. `scope` is what he may see and goes into every query. */
export type Caller = {
  kind: 'anonymous' | 'session' | 'token' | 'display'
  userId: number
  username: string
  role: string
  /** Session roles and permission items; of a token: those of its scopes that its owner still has. */
  auth: readonly string[]
  scope: Scope
  /** sessions.id, access_tokens.id or display_tokens.id. */
  credential: string
  address: string
  language: Language
}

/** An endpoint's work: parsed input in, the fields of the answer out. Refuses by throwing ProductError. */
export type Handler<E extends Endpoint> = (call: {
  query: QueryOf<E>
  body: BodyOf<E>
  /** The body as it came, opened where it was sealed, before its schema filled in defaults. */
  given: unknown
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** Of an endpoint that takes a form: the one file in it. */
  file?: FormFile
  /** What the audit entry of this call names: its target, detail (one line, no secrets), and values before and after (changesBetween). */
  audit(target: string, detail?: string, changes?: readonly AuditChange[]): void
  /** Of a sign-in that succeeds: the role that its audit entry names, since the caller had none. */
  auditRole(role: string): void
}) => Promise<ResponseOf<E>> | ResponseOf<E>

/** Registers one endpoint: path, access, schema, permission, envelope, errors and audit come from the record. */
export type Mount = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void

/** What modules stand on. */
export type ServerDeps = {
  config: Config
  meta: MetaStore
  store: EventStore
  /** Accepted events that are durable but not stored yet; absent where this process takes none in. */
  tail?: { event(app: number, id: string): Promise<EventRow | undefined> | EventRow | undefined }
  files: FileStore
  /** Current settings; changes arrive through CHANNELS.changed. */
  settings(): Settings
  /** A random key of this installation by name, made at first use, wrapped at rest. */
  secret(name: string): Buffer
  audit(entry: AuditEntry): Promise<void>
  licence: Licence
  /** Epoch milliseconds. */
  now(): number
}

/** A module mounts its endpoints. All modules stand in one list (server/processes/http-modules.ts). */
export type Module = (mount: Mount, deps: ServerDeps) => void | Promise<void>
