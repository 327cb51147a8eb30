import { type Selectable, sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { QueryOf } from '#contracts/http/endpoint.ts'
import type { ServiceAttachment, ServiceEntry, ServiceRequest, serviceRequests } from '#contracts/http/service.ts'
import { SERVICE_MOVE_NAMES, type ServiceMove, type ServiceSide, stateAfter } from '#domain/service-requests.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'

type Db = MetaStore['db']
export type RequestRow = Selectable<Database['service_requests']>
export type ListedRequest = RequestRow & { app_name: string | null }
type Viewer = Pick<Caller, 'userId' | 'scope' | 'auth'>
type Filters = QueryOf<typeof serviceRequests>

/** What people call a request. */
export const requestName = (id: number) => `SV-${id}`

function seesApplication({ scope }: Viewer, application: number | null): boolean {
  if (application === null) return false
  return scope.apps === 'all' || scope.apps.includes(application)
}

/** Whether the viewer is the service side of a request: of those about the viewer's applications, and of all where the role sees everything. */
export function answersRequest(viewer: Viewer, row: Pick<RequestRow, 'application_id'>): boolean {
  if (!viewer.auth.includes('service.answer')) return false
  return viewer.scope.apps === 'all' || seesApplication(viewer, row.application_id)
}

/** Requests that the viewer may see: own ones, and by service.use or service.answer those about applications that the viewer sees. */
function requestsOf(db: Db, viewer: Viewer) {
  const { auth, scope, userId } = viewer
  const select = db
    .selectFrom('service_requests as request')
    .leftJoin('applications', (join) =>
      join.onRef('applications.id', '=', 'request.application_id').on('applications.deleted_at', 'is', null),
    )
  const answers = auth.includes('service.answer')
  if (answers && scope.apps === 'all') return select
  return select.where((where) => {
    const own = where('request.author_id', '=', userId)
    if (!answers && !auth.includes('service.use')) return own
    const { apps } = scope
    const about =
      apps === 'all'
        ? where('request.application_id', 'is not', null)
        : where('request.application_id', '=', where.fn.any(where.val([...apps])))
    return where.or([own, about])
  })
}

/** The request, or data.missing where the caller may not know of it. */
export async function findRequest(db: Db, viewer: Viewer, id: number): Promise<ListedRequest> {
  const row = await requestsOf(db, viewer)
    .selectAll('request')
    .select('applications.name as app_name')
    .where('request.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  return row
}

/** A page of the list, and the numbers of its three views. */
export async function listRequests(db: Db, viewer: Viewer, filters: Filters) {
  const { view, text, kind, urgency, state, offset, limit } = filters
  let select = requestsOf(db, viewer)
  if (view === 'open') select = select.where('request.state', '!=', 'closed')
  if (view === 'own') select = select.where('request.author_id', '=', viewer.userId)
  if (kind !== '') select = select.where('request.kind', '=', kind)
  if (urgency !== '') select = select.where('request.urgency', '=', urgency)
  if (state !== '') select = select.where('request.state', '=', state)
  if (text !== '') {
    const number = Number(/^(?:sv-?)?(\d{1,9})$/i.exec(text)?.[1] ?? 0)
    select = select.where(
      sql<boolean>`(request.id = ${number} or position(lower(${text}) in lower(request.subject)) > 0 or exists (
        select 1 from service_entries where request_id = request.id and position(lower(${text}) in lower(service_entries.text)) > 0))`,
    )
  }
  const [rows, { total }, views] = await Promise.all([
    select
      .selectAll('request')
      .select('applications.name as app_name')
      .orderBy('request.updated_at', 'desc')
      .orderBy('request.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    select.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    requestsOf(db, viewer)
      .select([
        sql<number>`count(*)`.as('all'),
        sql<number>`count(*) filter (where request.state <> 'closed')`.as('open'),
        sql<number>`count(*) filter (where request.author_id = ${viewer.userId})`.as('own'),
      ])
      .executeTakeFirstOrThrow(),
  ])
  return {
    data: rows.map((row) => toRequest(row, viewer)),
    total: Number(total),
    views: { open: Number(views.open), all: Number(views.all), own: Number(views.own) },
  }
}

/** The row in the form of the contract. */
export function toRequest(row: ListedRequest, viewer: Viewer): ServiceRequest {
  const { application_id, app_name, author_id, task_id: _task, language: _language, ...rest } = row
  const isShown = app_name !== null && seesApplication(viewer, application_id)
  return {
    ...rest,
    id: String(row.id),
    appid: isShown ? String(application_id) : '',
    app_name: isShown ? app_name : '',
    own: author_id === viewer.userId,
  }
}

/** As which side the viewer may make a move now, or undefined where it is not allowed. */
export function sideFor(viewer: Viewer, row: RequestRow, move: ServiceMove, now: number): ServiceSide | undefined {
  const sides: ServiceSide[] = []
  if (row.author_id === viewer.userId) sides.push('requester')
  if (answersRequest(viewer, row)) sides.push('service')
  return sides.find((side) => stateAfter(move, row, side, now) !== undefined)
}

/** What the viewer may do now. Who is both sides confirms a solution and does not close it besides. */
export function movesFor(viewer: Viewer, row: RequestRow, now: number): ServiceMove[] {
  const moves = SERVICE_MOVE_NAMES.filter((move) => move !== 'answer' && sideFor(viewer, row, move, now))
  return moves.includes('confirm') ? moves.filter((move) => move !== 'close') : moves
}

/** The conversation, oldest first. */
export async function readEntries(db: Db, request: number): Promise<ServiceEntry[]> {
  const [entries, files] = await Promise.all([
    db.selectFrom('service_entries').selectAll().where('request_id', '=', request).orderBy('id').execute(),
    db
      .selectFrom('service_attachments')
      .selectAll()
      .where('request_id', '=', request)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  ])
  return entries.map(({ id, at, author, side, text, move, state, urgency }) => ({
    id: String(id),
    ...{ at, author, side, text, move, state, urgency },
    attachments: files.filter((file) => file.entry_id === id).map(toAttachment),
  }))
}

export function toAttachment({
  id,
  name,
  size,
  sha256,
}: Pick<Selectable<Database['service_attachments']>, 'id' | 'name' | 'size' | 'sha256'>): ServiceAttachment {
  return { id, name, size, kept: sha256 !== null }
}
