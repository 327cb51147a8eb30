import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ApplicationType, DetectionKind } from '#contracts/detection/kinds.ts'
import type { PackageKind } from '#contracts/detection/scan-result.ts'
import { ERRORS, type ErrorKey, errorText, ProductError } from '#contracts/errors.ts'
import {
  type createTasks,
  KIND_PERMISSIONS,
  PRIORITIES,
  type Strategy,
  type StrategyRules,
} from '#contracts/http/detection/tasks.ts'
import type { BodyOf, ResponseOf } from '#contracts/http/endpoint.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import type { Phone } from '../../platform/adb/adb-client.ts'
import { engineVersion } from './engine-version.ts'
import { offeredKinds, readOffers } from './offers.ts'
import { extrasDigest, scanExtras } from './scan-extras.ts'
import { findTasks, LIVE, type TaskRow, tellTask, toTask } from './task-rows.ts'

type FileRow = Selectable<Database['app_files']>
type Refused = ResponseOf<typeof createTasks>['refused'][number]

/** Waiting and running tasks of one user. */
export const QUEUE_QUOTA = 100

/** Files by id that the caller may see; throws data.missing where one does not exist for him. */
export async function findFiles(deps: ServerDeps, caller: Caller, ids: readonly string[]): Promise<FileRow[]> {
  const numbers = [...new Set(ids)].map(Number)
  if (!numbers.every(Number.isSafeInteger)) throw new ProductError('data.missing')
  const { apps } = caller.scope
  let select = deps.meta.db.selectFrom('app_files').selectAll().where('id', 'in', numbers)
  if (apps !== 'all')
    select = select.where((where) =>
      where.or([
        where('application_id', '=', where.fn.any(where.val([...apps]))),
        where.and([where('application_id', 'is', null), where('by_user', '=', caller.userId)]),
      ]),
    )
  const rows = await select.execute()
  if (rows.length !== numbers.length) throw new ProductError('data.missing')
  return numbers.map((id) => rows.find((row) => row.id === id) as FileRow)
}

/** Containers of splits are one kind to a scan. */
export function packageKind({ kind }: FileRow): PackageKind {
  return kind === 'xapk' ? 'apks' : (kind as PackageKind)
}

/** What a scan is worth comparing by: content, engine, rules of the strategy, kinds, application type, and whose file it is. */
export function identityOf(
  file: Pick<FileRow, 'sha256' | 'application_id' | 'by_user'>,
  kinds: readonly DetectionKind[],
  type: ApplicationType | '',
  { items, levels, gate }: StrategyRules,
  /** extrasDigest of what else it asks. */
  extras: string,
  /** Of dynamic detection: another phone or length is another question. */
  phone: TaskRow['phone'] = null,
): string {
  const owner = file.application_id ?? `user ${file.by_user}`
  const levelsInOrder = Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = [
    owner,
    file.sha256,
    engineVersion(extras),
    [...kinds].sort(),
    type,
    items && [...items].sort(),
    levelsInOrder,
    gate,
    ...(phone ? [phone.serial, phone.run] : []),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Makes the tasks that can be made and lists the others separately. Throws where nothing could be made. */
export async function makeTasks(
  deps: ServerDeps,
  caller: Caller,
  body: BodyOf<typeof createTasks>,
  strategy: Strategy,
  phones: () => Promise<readonly Phone[]>,
): Promise<ResponseOf<typeof createTasks>> {
  deps.licence.demandCreating()
  const files = await findFiles(deps, caller, body.files)
  const kinds = [...new Set(body.kinds)]
  checkKinds(caller, kinds)
  const offers = await readOffers(deps.meta)
  const refused: Refused[] = []
  const made: string[] = []
  const ready = kinds.includes('dynamic') ? await phones() : []
  const found = ready.find(({ serial }) => body.phone === null || serial === body.phone)
  const phone = found ? { ...found, run: body.run } : null
  for (const file of files) {
    const type = body.application_type === undefined ? file.type : (body.application_type ?? '')
    const offered = new Set(offeredKinds(offers, packageKind(file), type === '' ? null : type))
    const refuse = (of: readonly DetectionKind[], key: ErrorKey, task: string | null = null, params = {}) =>
      refused.push({
        file: String(file.id),
        kinds: [...of],
        code: ERRORS[key].code,
        codemsg: errorText(key, caller.language, params),
        task,
      })
    const left = kinds.filter((kind) => !offered.has(kind))
    if (left.length > 0) refuse(left, 'detection.not_offered')
    const groups = [
      kinds.filter((kind) => kind !== 'dynamic' && offered.has(kind)),
      kinds.filter((kind) => kind === 'dynamic' && offered.has(kind)),
    ]
    for (const group of groups.filter((one) => one.length > 0)) {
      const isDynamic = group[0] === 'dynamic'
      if (isDynamic && !phone) refuse(group, 'detection.no_phone')
      else if (await overQuota(deps, caller)) refuse(group, 'quota.reached', null, { detail: String(QUEUE_QUOTA) })
      else {
        const outcome = await insertTask(deps, caller, {
          file,
          kinds: group,
          type,
          strategy,
          priority: body.priority,
          phone: isDynamic ? phone : null,
        })
        if (outcome.existed) refuse(group, 'task.exists', outcome.id)
        else made.push(outcome.id)
      }
    }
  }
  const first = refused[0]
  if (made.length === 0 && first) {
    const key = (Object.keys(ERRORS) as ErrorKey[]).find((one) => ERRORS[one].code === first.code) as ErrorKey
    throw new ProductError(key, { detail: String(QUEUE_QUOTA) }, first.task === null ? {} : { task: first.task })
  }
  const rows = await findTasks(deps.meta, caller, made)
  return { data: rows.map((row) => toTask(row, caller.language)), refused }
}

/** Each kind has a permission item of its own; throws permission.missing. */
export function checkKinds(caller: Caller, kinds: readonly DetectionKind[]): void {
  for (const kind of kinds) {
    const permission = KIND_PERMISSIONS[kind]
    if (!caller.auth.includes(permission))
      throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS[permission][caller.language] })
  }
}

export async function overQuota({ meta }: ServerDeps, caller: Caller): Promise<boolean> {
  const { count } = await meta.db
    .selectFrom('detection_tasks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('by_user', '=', caller.userId)
    .where('state', 'in', LIVE)
    .executeTakeFirstOrThrow()
  return Number(count) >= QUEUE_QUOTA
}

type Wanted = {
  file: FileRow
  kinds: DetectionKind[]
  type: ApplicationType | ''
  strategy: Strategy
  priority: keyof typeof PRIORITIES
  phone: TaskRow['phone']
}

/** The index over the identity of living tasks decides who was first. */
async function insertTask(
  deps: ServerDeps,
  caller: Caller,
  { file, kinds, type, strategy, priority, phone }: Wanted,
): Promise<{ id: string; existed: boolean }> {
  const { db } = deps.meta
  const asked = { kinds, items: strategy.items, application: file.application_id }
  const extras = extrasDigest(await scanExtras(deps.meta, asked), kinds)
  const identity = identityOf(file, kinds, type, strategy, extras, phone)
  const id = randomUUID()
  const row = await db
    .insertInto('detection_tasks')
    .values({
      id,
      application_id: file.application_id,
      file_id: file.id,
      owner_id: file.by_user,
      by_user: caller.userId,
      name: file.name,
      package_id: file.package_name === '' ? file.file_name : file.package_name,
      version: file.version,
      package_kind: packageKind(file),
      platform: file.platform,
      size: file.size,
      md5: file.md5,
      sha256: file.sha256,
      application_type: type,
      kinds,
      strategy_id: strategy.id,
      strategy_name: JSON.stringify(strategy.name),
      strategy: JSON.stringify({ items: strategy.items, levels: strategy.levels, gate: strategy.gate }),
      engine: engineVersion(extras),
      identity,
      priority: PRIORITIES[priority],
      phone: phone && JSON.stringify(phone),
      pictures: [],
      state: 'waiting',
      stage: 'queued',
      progress: 0,
      note: '',
      note_detail: '',
      stages: JSON.stringify([{ stage: 'queued', from: deps.now(), to: null }]),
      isolation: [],
      attempt: 0,
      result_file: null,
      score: null,
      counts: null,
      gate: null,
      suppressed: 0,
      not_assessed: 0,
      packer: null,
      privacy: null,
      created_at: deps.now(),
      started_at: null,
      ended_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('identity').where('state', 'in', ['waiting', 'detecting', 'detected']).doNothing(),
    )
    .returning(['id', 'state'])
    .executeTakeFirst()
  if (row) {
    await tellTask(deps.meta, row)
    return { id, existed: false }
  }
  const existing = await db
    .selectFrom('detection_tasks')
    .select('id')
    .where('identity', '=', identity)
    .where('state', 'in', ['waiting', 'detecting', 'detected'])
    .executeTakeFirst()
  return { id: existing?.id ?? '', existed: true }
}
