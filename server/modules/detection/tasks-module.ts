import { DETECTION_KINDS, type DetectionKind, TASK_STATES, type TaskState } from '#contracts/detection/kinds.ts'
import {
  createTasks,
  deleteTasks,
  detectionKinds,
  detectionTask,
  detectionTasks,
  downloadTaskLog,
  exportTasks,
  KIND_PERMISSIONS,
  retryTask,
  stopTasks,
} from '#contracts/http/detection/tasks.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { listPhones } from '../../platform/adb/adb-client.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { startExport } from '../jobs/start-export.ts'
import { findFiles, makeTasks, packageKind } from './create-tasks.ts'
import { offeredKinds, readOffers } from './offers.ts'
import { expireSuppressions } from './rejudge.ts'
import { retry } from './retry-task.ts'
import { inOrder, ofState, tasksButState } from './select-tasks.ts'
import { findStrategy } from './strategies.ts'
import { taskLogText } from './task-log.ts'
import { changeTask, findTask, findTasks, LIVE, tasksOf, tellTask, toTask } from './task-rows.ts'

const KINDS = Object.keys(DETECTION_KINDS) as DetectionKind[]
const STATES = Object.keys(TASK_STATES) as TaskState[]
const LOG_LINES = 1000

/** Tasks: what can be asked of a file, asking, the list, one task as it runs, stop, retry, delete, the log. */
export const tasksModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  const phones = () => listPhones(deps.config.adb)

  mount(detectionKinds, async ({ body, caller }) => {
    const files = await findFiles(deps, caller, body.files)
    const [offers, ready] = await Promise.all([readOffers(meta), phones()])
    const data = files.map((file) => {
      const type = body.application_type === undefined ? file.type || null : body.application_type
      const offered = new Set(offeredKinds(offers, packageKind(file), type))
      return {
        file: String(file.id),
        name: file.name,
        version: file.version,
        package_kind: packageKind(file),
        application_type: type,
        kinds: KINDS.map((kind) => ({
          kind,
          offered: offered.has(kind),
          allowed: caller.auth.includes(KIND_PERMISSIONS[kind]),
        })),
      }
    })
    return { data, phones: ready }
  })

  mount(createTasks, async ({ body, caller, audit }) => {
    audit(`files ${body.files.join(', ')}`, `${body.kinds.join(' ')}, ${body.strategy}, ${body.priority}`)
    const strategy = await findStrategy(meta, body.strategy)
    return makeTasks(deps, caller, body, strategy, phones)
  })

  mount(detectionTasks, async ({ query, caller }) => {
    await expireSuppressions(deps)
    const others = tasksButState(deps, caller, query)
    const asked = ofState(others, query.state)
    const [rows, total, states] = await Promise.all([
      inOrder(asked, query).limit(query.limit).offset(query.offset).execute(),
      asked.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      others
        .select(['task.state', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('task.state')
        .execute(),
    ])
    const counted = new Map(states.map(({ state, count }) => [state, Number(count)]))
    return {
      data: rows.map((row) => toTask(row, caller.language)),
      total: Number(total.count),
      states: Object.fromEntries(STATES.map((state) => [state, counted.get(state) ?? 0])) as Record<TaskState, number>,
    }
  })

  mount(exportTasks, async ({ body, caller, audit }) => {
    audit(`export ${body.title}`, `${body.format} ${JSON.stringify(body.list)}`)
    return startExport(deps, caller, { list: { of: 'detection_tasks', filters: body.list } }, body)
  })

  mount(detectionTask, async ({ query, caller }) => {
    const row = await findTask(meta, caller, query.id)
    const [log, ahead, previous] = await Promise.all([
      db
        .selectFrom('detection_log')
        .select(['id', 'at', 'stage', 'level', 'zh', 'en'])
        .where('task_id', '=', row.id)
        .where('id', '>', query.after)
        .orderBy('id')
        .limit(LOG_LINES)
        .execute(),
      countAhead(deps, row),
      tasksOf(meta, caller)
        .select(['task.id', 'task.version', 'task.created_at'])
        .where('task.package_id', '=', row.package_id)
        .where('task.platform', '=', row.platform)
        .where('task.application_id', row.application_id === null ? 'is' : '=', row.application_id)
        .where('task.state', '=', 'detected')
        .where('task.created_at', '<', row.created_at)
        .orderBy('task.created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ])
    return {
      data: toTask(row, caller.language),
      stages: row.stages,
      log: log.map(({ at, stage, level, zh, en }) => ({ at, stage, level, text: { zh, en } })),
      log_length: log.at(-1)?.id ?? query.after,
      ahead,
      previous: previous ?? null,
      isolation: row.isolation,
    }
  })

  mount(stopTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    const now = deps.now()
    let stopped = 0
    for (const { id } of rows) if (await changeTask(meta, id, LIVE, { state: 'stopped', ended_at: now })) stopped++
    audit(rows.map(({ name }) => name).join(', '), `${stopped} stopped`)
    return { data: (await findTasks(meta, caller, body.ids)).map((row) => toTask(row, caller.language)) }
  })

  mount(retryTask, async ({ body, caller, audit }) => {
    const row = await findTask(meta, caller, body.id)
    audit(`task ${row.name}`, row.state)
    await retry(deps, caller, row)
    return { data: toTask(await findTask(meta, caller, body.id), caller.language) }
  })

  mount(deleteTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    audit(rows.map(({ name, version }) => `${name} ${version}`).join(', '), `${rows.length} tasks`)
    const ids = rows.map(({ id }) => id)
    await db.deleteFrom('detection_tasks').where('id', 'in', ids).execute()
    for (const row of rows) await tellTask(meta, { id: row.id, state: 'stopped' })
    await dropUnnamed(
      deps,
      rows.flatMap(({ result_file, pictures }) => [result_file, ...pictures]),
    )
    return { deleted: rows.length }
  })

  mount(downloadTaskLog, async ({ query, caller, reply }) => {
    const row = await findTask(meta, caller, query.id)
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('content-disposition', attachment(`${row.name}-${row.version}-detection.log`))
    reply.header('x-content-type-options', 'nosniff')
    return taskLogText(meta, row, caller.language)
  })
}

/** Waiting tasks that a worker takes before this one, of whomever they are. */
async function countAhead(
  { meta }: ServerDeps,
  task: { state: TaskState; priority: number; created_at: number },
): Promise<number> {
  if (task.state !== 'waiting') return 0
  const { count } = await meta.db
    .selectFrom('detection_tasks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'waiting')
    .where((where) =>
      where.or([
        where('priority', '>', task.priority),
        where.and([where('priority', '=', task.priority), where('created_at', '<', task.created_at)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}
