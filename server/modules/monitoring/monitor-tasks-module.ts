import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  type CopyFacts,
  copyDetail,
  createMonitorTask,
  deleteMonitorTasks,
  judgeMonitorCopy,
  monitorCopies,
  monitorDetail,
  monitorTasks,
  PIRATED_VERDICTS,
  startMonitorTasks,
  stopMonitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { copyEvidence } from '#engines/similarity/copy-evidence.ts'
import type { CopyJudgement } from '#engines/similarity/judge-copy.ts'
import type { PackagePrint } from '#engines/similarity/package-print.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'
import { listingsOf, printsOf } from './copy-record.ts'
import { dropTask } from './drop-copies.ts'
import { referenceFiles } from './judge-copies.ts'
import { allMarkets } from './market-catalogue.ts'
import { nextAt } from './monitor-job.ts'
import { taskRecord } from './monitor-record.ts'
import {
  changeTask,
  copiesOf,
  copyVerdict,
  findCopy,
  findTask,
  findTasks,
  listCopies,
  listTasks,
  sumsOf,
  type TaskRow,
  tasksOf,
} from './monitor-rows.ts'
import { certificateRule, ruleChange } from './pirated-certificates.ts'

const ENDED = ['monitored', 'failed', 'stopped'] as const
/** Names of classes and files on one screen; the counts are of all. */
const EVIDENCE_ROWS = 300

const like = (text: string) => `%${text.replace(/[\\%_]/g, (one) => `\\${one}`)}%`

/** Channel monitoring: tasks, their record, copies with evidence, verdicts of people. Nothing of a copy is read in this process. */
export const monitorTasksModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta

  mount(monitorTasks, async ({ query, caller }) => {
    let select = tasksOf(meta, caller)
    if (query.search) select = select.where('applications.name', 'ilike', like(query.search))
    if (query.appid) select = select.where('task.application_id', '=', Number(query.appid))
    const asked = query.state ? select.where('task.state', '=', query.state) : select
    const [data, states] = await Promise.all([
      listTasks(asked, caller.language, query),
      select
        .groupBy('task.state')
        .select(['task.state', (eb) => eb.fn.countAll<number>().as('count')])
        .execute(),
    ])
    const counts = Object.fromEntries(states.map(({ state, count }) => [state, Number(count)]))
    const total = states
      .filter(({ state }) => !query.state || state === query.state)
      .reduce((sum, { count }) => sum + Number(count), 0)
    return { data, total, states: counts }
  })

  mount(createMonitorTask, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    audit(application.name, `${body.schedule}, ${body.keywords.length} keywords`)
    deps.licence.demandCreating()
    if (!(await referenceFiles(deps, application.id)).length) throw new ProductError('monitor.no_reference')
    const id = randomUUID()
    await db.transaction().execute(async (tx) => {
      // Locked, so that of two requests at the same time one is refused.
      await tx.selectFrom('applications').select('id').where('id', '=', application.id).forUpdate().execute()
      const known = await tx
        .selectFrom('monitor_tasks')
        .select('id')
        .where('application_id', '=', application.id)
        .executeTakeFirst()
      if (known) throw new ProductError('monitor.exists')
      await tx
        .insertInto('monitor_tasks')
        .values({
          id,
          application_id: application.id,
          by_user: caller.userId,
          keywords: [...new Set(body.keywords)],
          kinds: body.kinds,
          markets: body.markets,
          schedule: body.schedule,
          state: 'monitoring',
          note: '',
          run: 0,
          starts: 0,
          created_at: deps.now(),
          started_at: null,
          ended_at: null,
          next_at: nextAt(body.schedule, deps.now()),
        })
        .execute()
    })
    await meta.notify(CHANNELS.monitor, { id })
    const [data] = await listTasks(tasksOf(meta, caller).where('task.id', '=', id), caller.language)
    return { data: data! }
  })

  mount(startMonitorTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    deps.licence.demandCreating()
    let started = 0
    for (const { id, schedule } of rows) {
      const set = {
        state: 'monitoring',
        started_at: null,
        ended_at: null,
        note: '',
        starts: 0,
        next_at: nextAt(schedule, deps.now()),
      } as const
      if (await changeTask(meta, id, ENDED, set)) started++
    }
    audit(await namesOf(deps, rows), `${started} started`)
    return { started }
  })

  mount(stopMonitorTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    let stopped = 0
    for (const { id } of rows)
      if (await changeTask(meta, id, ['monitoring'], { state: 'stopped', ended_at: deps.now() })) stopped++
    audit(await namesOf(deps, rows), `${stopped} stopped`)
    return { stopped }
  })

  mount(deleteMonitorTasks, async ({ body, caller, audit }) => {
    const rows = await findTasks(meta, caller, body.ids)
    audit(await namesOf(deps, rows), `${rows.length} tasks`)
    for (const { id } of rows) await dropTask(deps, id)
    return { deleted: rows.length }
  })

  mount(monitorDetail, async ({ query, caller }) => {
    const task = await findTask(meta, caller, query.id)
    return taskRecord(deps, caller, task, caller.language)
  })

  mount(monitorCopies, async ({ query, caller }) => {
    const task = await findTask(meta, caller, query.id)
    let select = copiesOf(meta, task)
    if (query.verdict === 'pirated') select = select.where(sql<boolean>`${copyVerdict} = any(${[...PIRATED_VERDICTS]})`)
    else if (query.verdict) select = select.where(copyVerdict, '=', query.verdict)
    if (query.kind) {
      const ids = (await allMarkets(meta)).filter(({ kind }) => kind === query.kind).map(({ id }) => id)
      select = select.where(
        sql<boolean>`exists (select 1 from monitor_listings one where one.task_id = copy.task_id and one.sha256 = copy.sha256 and one.market = any(${ids}))`,
      )
    }
    if (query.search)
      select = select.where((where) =>
        where.or([
          where('copy.label', 'ilike', like(query.search)),
          where('copy.package_name', 'ilike', like(query.search)),
          where('copy.sha256', '=', query.search.toLowerCase()),
        ]),
      )
    const [data, { total }] = await Promise.all([
      listCopies(select, query),
      select.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ])
    return { data, total: Number(total) }
  })

  mount(copyDetail, async ({ query, caller }) => {
    const { copy, task } = await findCopy(meta, caller, query.id)
    const judgement = copy.judgement as CopyJudgement
    const { reference, print } = await printsOf(meta, copy)
    const listings = await listingsOf(meta, copy, caller.language)
    const [data] = await listCopies(copiesOf(meta, task).where('copy.id', '=', copy.id))
    return {
      data: data!,
      reason: copy.manual_reason,
      reference: factsOf(reference),
      copy: factsOf(print),
      parts: judgement.parts.map(({ part, likeness, points, most }) => ({ part, likeness, points, most })),
      notes: [...judgement.notes],
      evidence: mutable(copyEvidence(reference, print, EVIDENCE_ROWS)),
      listings: listings.map(({ download: _, ...one }) => one),
    }
  })

  mount(judgeMonitorCopy, async ({ body, caller, audit }) => {
    const { copy, task } = await findCopy(meta, caller, body.id)
    const words = `${body.verdict || 'own verdict'}: ${body.reason}`
    audit(`${copy.label} ${copy.version}`, words)
    const before = await certificateRule(db, copy.id)
    const set = body.verdict
      ? { manual_verdict: body.verdict, manual_reason: body.reason, manual_by: caller.userId, manual_at: deps.now() }
      : { manual_verdict: null, manual_reason: '', manual_by: null, manual_at: null }
    await db.updateTable('monitor_copies').set(set).where('id', '=', copy.id).execute()
    const rule = ruleChange(before, await certificateRule(db, copy.id))
    if (rule) audit(`${copy.label} ${copy.version}`, `${words}; ${rule}`)
    // The newest run counts as copies are judged now; those before stay as they were.
    const { pirated, fresh, gone } = await sumsOf(meta, task)
    await db
      .updateTable('monitor_runs')
      .set({ pirated, fresh, gone })
      .where('task_id', '=', task.id)
      .where('run', '=', task.run)
      .where('ended_at', 'is not', null)
      .execute()
    const [data] = await listCopies(copiesOf(meta, task).where('copy.id', '=', copy.id))
    return { data: data! }
  })
}

const mutable = <T>(value: T) =>
  value as {
    -readonly [K in keyof T]: T[K] extends { rows: readonly (infer R)[]; counts: infer C }
      ? { rows: R[]; counts: C }
      : T[K]
  }

function factsOf(print: PackagePrint): CopyFacts {
  return {
    package: print.package,
    version: print.versionName,
    version_code: print.versionCode,
    label: print.label,
    size: print.size,
    sha256: print.sha256,
    signature: print.signer.state,
    certificates: [...print.signer.certificates],
    subject: print.signer.subject,
    classes: print.code?.classes.length ?? 0,
    files: print.files.length,
    packer: print.packer,
  }
}

async function namesOf({ meta }: Pick<ServerDeps, 'meta'>, rows: readonly TaskRow[]): Promise<string> {
  const names = await meta.db
    .selectFrom('applications')
    .select('name')
    .where('id', 'in', [...rows.map((row) => row.application_id), -1])
    .execute()
  return names.map(({ name }) => name).join(', ')
}
