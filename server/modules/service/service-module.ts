import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  ATTACHMENT_LIMITS,
  addServiceMessage,
  createServiceRequest,
  deleteServiceRequest,
  downloadServiceAttachment,
  dropServiceAttachment,
  exportServiceRequest,
  moveServiceRequest,
  serviceContact,
  serviceRequest,
  serviceRequests,
  uploadServiceAttachment,
} from '#contracts/http/service.ts'
import { limitsFrom, SERVICE_MOVES, stateAfter } from '#domain/service-requests.ts'
import type { Caller, Module } from '../../http/module.ts'
import { makeRateLimit } from '../../http/rate-limit.ts'
import { platformName } from '../../platform/platform-info/own-texts.ts'
import { findApplication } from '../applications/application-access.ts'
import { cleanName } from '../assets/store-package.ts'
import { findTask } from '../detection/task-rows.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { isAttachment } from './attachment-kind.ts'
import { requestArchive } from './request-archive.ts'
import {
  answersRequest,
  findRequest,
  listRequests,
  movesFor,
  type RequestRow,
  readEntries,
  requestName,
  sideFor,
  toAttachment,
  toRequest,
} from './request-rows.ts'
import { openAttachment, readHead, storeAttachment } from './store-attachment.ts'
import { type Said, tellOtherSide } from './tell-sides.ts'
import { changesOf, writeEntry } from './write-entry.ts'

/** Of one account: so many at once, then one in so many seconds. */
const REQUEST_RATE = { burst: 10, perSecond: 1 / 360 }
const MESSAGE_RATE = { burst: 30, perSecond: 1 / 20 }
const UPLOAD_RATE = { burst: 30, perSecond: 1 / 20 }

/** Security service: requests, conversations, files, export, and how the service side is reached. */
export const serviceModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const rates = {
    request: makeRateLimit(deps.now, REQUEST_RATE),
    message: makeRateLimit(deps.now, MESSAGE_RATE),
    upload: makeRateLimit(deps.now, UPLOAD_RATE),
  }
  const limit = (rate: keyof typeof rates, caller: Caller) => {
    const wait = rates[rate].take(String(caller.userId))
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
  }
  const userOf = ({ userId, username }: Caller) => ({ id: userId, name: username })
  const shown = async (caller: Caller, id: number) => ({ data: toRequest(await findRequest(db, caller, id), caller) })
  const taskName = async (caller: Caller, id: string) => {
    const { name, version } = await findTask(deps.meta, caller, id)
    return `${name} ${version}`.trim()
  }
  /** The detection that a request is about, where the caller may see it. */
  const taskOf = async (caller: Caller, { task_id: id }: RequestRow) => {
    if (id === null || !caller.auth.includes('detect.view')) return null
    const name = await taskName(caller, id).catch((error: unknown) => {
      if (error instanceof ProductError && error.key === 'data.missing') return undefined
      throw error
    })
    return name === undefined ? null : { id, name }
  }

  mount(serviceRequests, ({ query, caller }) => listRequests(db, caller, query))

  mount(serviceRequest, async ({ query, caller }) => {
    const row = await findRequest(db, caller, Number(query.id))
    const [entries, task, mail] = await Promise.all([
      readEntries(db, row.id),
      taskOf(caller, row),
      db
        .selectFrom('service_mails')
        .select(['state', 'created_at', 'sent_at'])
        .where('request_id', '=', row.id)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ])
    return {
      data: toRequest(row, caller),
      entries,
      task,
      moves: movesFor(caller, row, deps.now()),
      answers: answersRequest(caller, row),
      deletes: caller.auth.includes('service.delete'),
      mail: mail ? { state: mail.state, at: mail.sent_at ?? mail.created_at } : null,
    }
  })

  mount(serviceContact, () => {
    const { service_phone: phone, service_mail: mail, service_hours: hours, service_days } = deps.settings()
    return { phone, mail, hours, mails: deps.config.smtpUrl !== undefined, attachment_days: service_days }
  })

  mount(createServiceRequest, async ({ body, caller, audit }) => {
    audit(body.subject, `${body.kind} ${body.urgency}`)
    limit('request', caller)
    const application = body.appid === '' ? null : (await findApplication(deps.meta, caller, body.appid)).id
    if (body.task !== '') {
      if (!caller.auth.includes('detect.view')) throw new ProductError('data.missing')
      await findTask(deps.meta, caller, body.task)
    }
    const now = deps.now()
    const { row, entry } = await db.transaction().execute(async (tx) => {
      const row = await tx
        .insertInto('service_requests')
        .values({
          ...{ subject: body.subject, kind: body.kind, urgency: body.urgency, state: 'submitted' },
          ...{ application_id: application, task_id: body.task === '' ? null : body.task },
          ...{ author_id: caller.userId, author: caller.username, language: caller.language },
          ...{ created_at: now, updated_at: now, ...limitsFrom(body.urgency, now) },
          ...{ first_reply_at: null, waiting_since: null, solved_at: null, closed_at: null },
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const entry = await writeEntry(tx, {
        ...{ request: row.id, at: now, user: userOf(caller), side: 'requester', text: body.text },
        ...{ move: 'create', state: 'submitted', urgency: body.urgency, attachments: body.attachments },
      })
      return { row, entry }
    })
    audit(requestName(row.id), `${body.kind} ${body.urgency}: ${body.subject}`)
    await tell(row, { entry, side: 'requester', author: caller.username, text: body.text, move: 'create' })
    return shown(caller, row.id)
  })

  mount(addServiceMessage, async ({ body, caller, audit }) => {
    const id = Number(body.id)
    audit(requestName(id))
    const found = await findRequest(db, caller, id)
    if (body.service && !answersRequest(caller, found)) throw new ProductError('data.missing')
    limit('message', caller)
    const side = body.service ? 'service' : 'requester'
    const now = deps.now()
    const { row, entry, move } = await db.transaction().execute(async (tx) => {
      // Held until the entry is written: a request is not closed meanwhile, and two answers do not both end the waiting.
      const row = await tx
        .selectFrom('service_requests')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!row) throw new ProductError('data.missing')
      if (row.state === 'closed') throw new ProductError('service.closed')
      const next = stateAfter('answer', row, side, now)
      const move = next ? ('answer' as const) : null
      const state = next ?? row.state
      const changes = next
        ? { ...changesOf(row, 'answer', { now, handler: null, urgency: undefined }), version: row.version + 1, state }
        : {}
      const first = side === 'service' && row.first_reply_at === null ? { first_reply_at: now } : {}
      const changed = await tx
        .updateTable('service_requests')
        .set({ ...changes, ...first, updated_at: now })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const entry = await writeEntry(tx, {
        ...{ request: id, at: now, user: userOf(caller), side, text: body.text },
        ...{ move, state, urgency: null, attachments: body.attachments },
      })
      return { row: changed, entry, move }
    })
    audit(requestName(id), `${side}${body.attachments.length > 0 ? `, ${body.attachments.length} files` : ''}`)
    await tell(row, { entry, side, author: caller.username, text: body.text, move })
    return shown(caller, id)
  })

  mount(moveServiceRequest, async ({ body, caller, audit }) => {
    const id = Number(body.id)
    const { move, text, urgency } = body
    audit(requestName(id), move)
    const found = await findRequest(db, caller, id)
    const now = deps.now()
    const side = sideFor(caller, found, move, now)
    const state = side && stateAfter(move, found, side, now)
    if (!side || !state) throw new ProductError('service.move')
    if (found.version !== body.version) throw new ProductError('data.conflict')
    if (SERVICE_MOVES[move].words && text === '')
      throw new ProductError('input.empty', { field: caller.language === 'zh' ? '说明' : 'a message' })
    limit('message', caller)
    const { row, entry } = await db.transaction().execute(async (tx) => {
      const changes = changesOf(found, move, { now, handler: side === 'service' ? caller.username : null, urgency })
      // After a reopening the next answer is the first one again.
      const isFirst = side === 'service' && text !== '' && found.first_reply_at === null && move !== 'reopen'
      const row = await tx
        .updateTable('service_requests')
        .set({
          ...{ ...changes, state, updated_at: now, version: found.version + 1 },
          ...(isFirst && { first_reply_at: now }),
        })
        .where('id', '=', id)
        .where('version', '=', found.version)
        .where('state', '=', found.state)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw new ProductError('data.conflict')
      const entry = await writeEntry(tx, {
        ...{ request: id, at: now, user: userOf(caller), side, text, move, state },
        ...{ urgency: row.urgency === found.urgency ? null : row.urgency, attachments: body.attachments },
      })
      return { row, entry }
    })
    audit(requestName(id), move, [
      { field: 'state', before: found.state, after: state },
      ...(row.urgency === found.urgency ? [] : [{ field: 'urgency', before: found.urgency, after: row.urgency }]),
    ])
    await tell(row, { entry, side, author: caller.username, text, move })
    return shown(caller, id)
  })

  mount(deleteServiceRequest, async ({ body, caller, audit }) => {
    const id = Number(body.id)
    const name = requestName(id)
    audit(name)
    const row = await findRequest(db, caller, id)
    if (body.confirm.trim().toUpperCase() !== name) throw new ProductError('input.invalid', { detail: name })
    const files = await db
      .selectFrom('service_attachments')
      .select('sha256')
      .where('request_id', '=', id)
      .where('sha256', 'is not', null)
      .execute()
    await db.deleteFrom('service_requests').where('id', '=', id).execute()
    for (const { sha256 } of files) await deps.files.remove(sha256 as string)
    audit(name, `${row.subject}, ${files.length} files`)
    return {}
  })

  mount(uploadServiceAttachment, async ({ file, caller, audit }) => {
    const name = file ? cleanName(file.name) : ''
    audit(name)
    limit('upload', caller)
    if (!file || file.size === 0)
      throw new ProductError('input.empty', { field: caller.language === 'zh' ? '文件' : 'a file' })
    if (file.size > ATTACHMENT_LIMITS.bytes)
      throw new ProductError('service.attachment_size', { limit: ATTACHMENT_LIMITS.bytes / 2 ** 20 })
    if (!isAttachment(name, await readHead(file.path))) throw new ProductError('service.attachment_kind', { name })
    const { unsent } = await db
      .selectFrom('service_attachments')
      .select(({ fn }) => fn.countAll<number>().as('unsent'))
      .where('by_user', '=', caller.userId)
      .where('request_id', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(unsent) >= ATTACHMENT_LIMITS.unsent)
      throw new ProductError('quota.reached', { detail: String(ATTACHMENT_LIMITS.unsent) })
    const stored = await storeAttachment(deps.files, file.path)
    const row = { id: randomUUID(), name, size: file.size, ...stored }
    await db
      .insertInto('service_attachments')
      .values({ ...row, request_id: null, entry_id: null, by_user: caller.userId, created_at: deps.now() })
      .execute()
    return { data: toAttachment(row) }
  })

  mount(dropServiceAttachment, async ({ body, caller, audit }) => {
    audit(body.id)
    const row = await db
      .deleteFrom('service_attachments')
      .where('id', '=', body.id)
      .where('by_user', '=', caller.userId)
      .where('request_id', 'is', null)
      .returning(['name', 'sha256'])
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    audit(row.name)
    if (row.sha256 !== null) await deps.files.remove(row.sha256)
    return {}
  })

  mount(downloadServiceAttachment, async ({ query, caller, reply, audit }) => {
    const row = await db
      .selectFrom('service_attachments')
      .selectAll()
      .where('id', '=', query.id)
      .where('request_id', 'is not', null)
      .executeTakeFirst()
    if (!row || row.request_id === null) throw new ProductError('data.missing')
    await findRequest(db, caller, row.request_id)
    if (row.sha256 === null || !(await deps.files.has(row.sha256))) throw new ProductError('data.missing')
    audit(requestName(row.request_id), row.name)
    const file = await openAttachment(deps.files, row.sha256)
    // Never a type that a browser would run in this origin.
    reply.header('content-type', 'application/octet-stream')
    reply.header('content-length', file.size)
    reply.header('content-disposition', attachment(row.name))
    reply.header('x-content-type-options', 'nosniff')
    return file.stream()
  })

  mount(exportServiceRequest, async ({ query, caller, reply, audit }) => {
    const request = await findRequest(db, caller, Number(query.id))
    const name = requestName(request.id)
    audit(name)
    const [entries, attachments, task] = await Promise.all([
      readEntries(db, request.id),
      db
        .selectFrom('service_attachments')
        .selectAll()
        .where('request_id', '=', request.id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
      taskOf(caller, request),
    ])
    reply.header('content-type', 'application/zip')
    reply.header('content-disposition', attachment(`${name}.zip`))
    reply.header('x-content-type-options', 'nosniff')
    return requestArchive(deps.files, {
      ...{ request, entries, attachments, task: task?.name ?? null },
      application: toRequest(request, caller).app_name,
      platform: { name: platformName(deps.settings(), caller.language), version: deps.config.version },
      exportedBy: caller.username,
      now: deps.now(),
    })
  })

  function tell(row: RequestRow, said: Said): Promise<void> {
    return tellOtherSide(deps, row, said)
  }
}
