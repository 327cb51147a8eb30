import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { ProductError } from '#contracts/errors.ts'
import {
  cancelReinforceTasks,
  createReinforceTasks,
  deleteReinforceTasks,
  downloadReinforced,
  exportReinforceLines,
  LINE_OUTCOMES,
  redoReinforceTask,
  reinforceLines,
  reinforceTask,
  reinforceTasks,
} from '#contracts/http/reinforce-tasks.ts'
import { isLibraryKind, isReinforceKind, type ReinforceKind, reinforcedName } from '#domain/reinforce-kinds.ts'
import { REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import { missingSettings, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import { HARDEN_TEXTS, type HardenText, hardenText } from '#engines/harden/harden-texts.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { type Cell, csvFile } from '../../platform/tables/csv.ts'
import { type FileRow, findFile } from '../assets/file-rows.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { findPolicy, toPolicy } from '../reinforce-policies/policy-rows.ts'
import { findSignature } from '../reinforce-signatures/signature-rows.ts'
import { lineText, readReinforceReport } from './reinforce-report.ts'
import { changeTask, findTask, findTasks, LISTED, LIVE_TASKS, type TaskRow, tasksOf, toTask } from './reinforce-rows.ts'

/** Tasks of one account that wait or run. */
const MOST_LIVE = 50
/** Bytes of a package that is reinforced: it lies in memory several times. */
const MOST_BYTES = 512 * 2 ** 20

const CSV_BLOCK = 2000
const CSV_HEAD = [
  { zh: '选项', en: 'Option' },
  { zh: '结果', en: 'Outcome' },
  { zh: '文件', en: 'File' },
  { zh: '位置', en: 'Place' },
  { zh: '内容', en: 'What' },
  { zh: '数量', en: 'Count' },
]

const like = (text: string) => `%${text.replace(/[\\%_]/g, (one) => `\\${one}`)}%`

/** Reinforcement tasks: requests, records, reports, results. Nothing of a package is read in this process. */
export const reinforceTasksModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta

  mount(reinforceTasks, async ({ query, caller }) => {
    let others = tasksOf(meta, caller)
    if (query.search)
      others = others.where((where) =>
        where.or([
          where('task.name', 'ilike', like(query.search)),
          where('task.package_name', 'ilike', like(query.search)),
          where('task.policy_name', 'ilike', like(query.search)),
        ]),
      )
    if (query.appid) others = others.where('task.application_id', '=', Number(query.appid))
    const asked = query.state ? others.where('task.state', '=', query.state) : others
    const [rows, states] = await Promise.all([
      asked
        .selectAll('task')
        .select(LISTED)
        .orderBy('task.created_at', 'desc')
        .orderBy('task.id')
        .limit(query.limit)
        .offset(query.offset)
        .execute(),
      others
        .select(['task.state', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('task.state')
        .execute(),
    ])
    const total = states
      .filter(({ state }) => !query.state || state === query.state)
      .reduce((sum, { count }) => sum + Number(count), 0)
    return {
      data: rows.map((row) => toTask(row, caller.language)),
      total,
      states: Object.fromEntries(states.map(({ state, count }) => [state, Number(count)])),
    }
  })

  mount(createReinforceTasks, async ({ body, caller, audit }) => {
    const policy = toPolicy(caller, await findPolicy(meta, caller, body.policy))
    const rows: FileRow[] = []
    for (const id of new Set(body.files)) rows.push(await findFile(deps, caller, id))
    audit(rows.map(({ name, version }) => `${name} ${version}`).join(', '), policy.name)
    const ids = await insert(caller, rows, policy)
    const listed = await findTasks(meta, caller, ids)
    return { data: ids.map((id) => toTask(listed.find((one) => one.id === id)!, caller.language)) }
  })

  mount(redoReinforceTask, async ({ body, caller, audit }) => {
    const row = await findTask(meta, caller, body.id)
    audit(`${row.name} ${row.version}`, row.policy_name)
    if (row.file_id === null) throw new ProductError('data.missing')
    const file = await findFile(deps, caller, row.file_id)
    // Without its policy, or one that the caller may not use, it is done as it was.
    const policy =
      row.policy_id === null ? undefined : await findPolicy(meta, caller, row.policy_id).catch(ignoreMissing)
    const [id] = await insert(caller, [file], policy ? toPolicy(caller, policy) : policyOf(row))
    return { data: toTask(await findTask(meta, caller, id as string), caller.language) }
  })

  mount(cancelReinforceTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    let stopped = 0
    for (const { id } of rows)
      if (await changeTask(meta, id, LIVE_TASKS, { state: 'stopped', stage: null, ended_at: deps.now() })) stopped++
    audit(rows.map(({ name }) => name).join(', '), `${stopped} stopped`)
    return { stopped }
  })

  mount(deleteReinforceTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    audit(rows.map(({ name }) => name).join(', '), `${rows.length} records`)
    for (const row of rows) {
      await db.deleteFrom('reinforce_tasks').where('id', '=', row.id).execute()
      // A worker that is on it sees that it is gone.
      await meta.notify(CHANNELS.reinforce, { id: row.id })
      await dropUnnamed(deps, [row.output])
    }
    return { deleted: rows.length }
  })

  mount(reinforceTask, async ({ query, caller }) => {
    const row = await findTask(meta, caller, query.id)
    return {
      data: toTask(row, caller.language),
      options: ReinforceOptionsSchema.parse(row.options),
      schemes: row.schemes,
      stages: row.stages,
      report: row.state === 'success' ? await readReinforceReport(meta, row, caller.language) : null,
    }
  })

  mount(reinforceLines, async ({ query, caller }) => {
    const row = await findTask(meta, caller, query.id)
    let select = db.selectFrom('reinforce_lines').where('task_id', '=', row.id).where('option', '=', query.option)
    if (query.search) {
      // The texts of the table are known by their keys: those whose text in the caller's language fits.
      const texts = Object.keys(HARDEN_TEXTS).filter((text) =>
        hardenText({ text: text as HardenText, detail: '' }, caller.language)
          .toLowerCase()
          .includes(query.search.toLowerCase()),
      )
      const pattern = like(query.search)
      select = select.where((where) =>
        where.or([
          where('file', 'ilike', pattern),
          where('place', 'ilike', pattern),
          where('detail', 'ilike', pattern),
          ...(texts.length ? [where('text', 'in', texts)] : []),
        ]),
      )
    }
    const [rows, count] = await Promise.all([
      select.selectAll().orderBy('number').limit(query.limit).offset(query.offset).execute(),
      select.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    return {
      data: rows.map(({ outcome, file, place, text, detail, count: times }) => ({
        ...{ outcome, file, place, text: lineText(text, detail, caller.language), count: times },
      })),
      total: Number(count.count),
    }
  })

  mount(exportReinforceLines, async ({ query, caller, reply }) => {
    const row = await findTask(meta, caller, query.id)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', attachment(`${row.name}-${row.version}-reinforcement.csv`))
    reply.header('x-content-type-options', 'nosniff')
    const { language } = caller
    const head = CSV_HEAD.map((one) => one[language])
    return Readable.from(csvFile(head, cells()))

    async function* cells(): AsyncGenerator<Cell[][]> {
      for (let offset = 0; ; offset += CSV_BLOCK) {
        const rows = await db
          .selectFrom('reinforce_lines')
          .selectAll()
          .where('task_id', '=', row.id)
          .orderBy('option')
          .orderBy('number')
          .limit(CSV_BLOCK)
          .offset(offset)
          .execute()
        yield rows.map(({ option, outcome, file, place, text, detail, count }) => [
          ...[REINFORCE_OPTIONS[option][language], LINE_OUTCOMES[outcome][language]],
          ...[file, place, lineText(text, detail, caller.language), count],
        ])
        if (rows.length < CSV_BLOCK) return
      }
    }
  })

  mount(downloadReinforced, async ({ query, caller, reply }) => {
    const row = await findTask(meta, caller, query.id)
    if (row.state !== 'success' || row.output === null || !(await deps.files.has(row.output)))
      throw new ProductError('data.missing')
    const file = await deps.files.open(row.output)
    reply.header('content-type', 'application/octet-stream')
    reply.header('content-length', file.size)
    reply.header('content-disposition', attachment(reinforcedName(row.file_name, row.kind)))
    reply.header('x-content-type-options', 'nosniff')
    return file.stream()
  })

  /** A task for each file, or none where one is refused; a unique index decides of two for one file that begin at once. */
  async function insert(caller: Caller, files: readonly FileRow[], policy: TaskPolicy): Promise<string[]> {
    const checked = files.map((file) => ({ ...file, kind: checkFile(file) }))
    const isSigning = checked.some(({ kind }) => !isLibraryKind(kind))
    deps.licence.demandCreating()
    const [missing] = missingSettings(policy.options)
    if (missing) throw new ProductError('reinforce.required', {}, { field: `${missing.option}.${missing.field}` })
    const { count } = await db
      .selectFrom('reinforce_tasks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('by_user', '=', caller.userId)
      .where('state', 'in', LIVE_TASKS)
      .executeTakeFirstOrThrow()
    if (Number(count) + files.length > MOST_LIVE) throw new ProductError('quota.reached', { detail: `${MOST_LIVE}` })
    if (policy.hidden_signature && isSigning) throw new ProductError('reinforce.signature_hidden')
    const signature = policy.signature_id === null ? null : await findSignature(meta, caller, policy.signature_id)
    const ids = await db.transaction().execute(async (tx) => {
      const rows = checked.map((file) => ({
        ...{
          id: randomUUID(),
          application_id: file.application_id,
          by_user: caller.userId,
          file_id: file.id,
          kind: file.kind,
          name: file.name,
        },
        ...{ file_name: file.file_name, package_name: file.package_name, version: file.version },
        ...{ sha256: file.sha256, size: file.size, state: 'waiting' as const, stage: null, stages: '[]', progress: 0 },
        ...{ policy_id: policy.id, policy_name: policy.name, policy_rev: policy.rev },
        ...{ options: JSON.stringify(policy.options), keep_rules: policy.keep_rules },
        schemes: JSON.stringify(policy.schemes),
        ...{ signature_id: policy.signature_id, signature_name: signature?.name ?? '' },
        seed: randomBytes(32).toString('hex'),
        ...{ output: null, output_size: null, result_file_id: null, report: null },
        ...{ note: '', note_detail: '', starts: 0, created_at: deps.now(), started_at: null, ended_at: null },
      }))
      const made = await tx
        .insertInto('reinforce_tasks')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute()
      if (made.length < rows.length) throw new ProductError('task.exists')
      return rows.map(({ id }) => id)
    })
    for (const id of ids) await meta.notify(CHANNELS.reinforce, { id })
    return ids
  }
}

type TaskPolicy = Pick<
  ReturnType<typeof toPolicy>,
  'name' | 'rev' | 'options' | 'keep_rules' | 'signature_id' | 'hidden_signature' | 'schemes'
> & {
  id: string | null
}

/** What the task was done with; throws reinforce.signature_gone where it was signed by a file that is deleted. */
function policyOf(row: TaskRow): TaskPolicy {
  if (!isLibraryKind(row.kind) && row.signature_name !== '' && row.signature_id === null)
    throw new ProductError('reinforce.signature_gone', { detail: row.signature_name })
  return {
    ...{ id: null, name: row.policy_name, rev: row.policy_rev, options: ReinforceOptionsSchema.parse(row.options) },
    ...{ keep_rules: row.keep_rules, signature_id: row.signature_id, hidden_signature: false, schemes: row.schemes },
  }
}

function checkFile({ kind, packer, protection, size, name }: FileRow): ReinforceKind {
  if (!isReinforceKind(kind)) throw new ProductError('reinforce.kind', { detail: `${name} (${kind})` })
  if (packer !== '' || protection === 'reinforced') throw new ProductError('reinforce.packed', { detail: name })
  if (size > MOST_BYTES) throw new ProductError('asset.too_large')
  return kind
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof ProductError && error.key === 'data.missing') return undefined
  throw error
}
