import { sql } from 'kysely'
import { COPY_VERDICTS, PIRATED_VERDICTS } from '#contracts/http/monitoring/tasks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { notify } from '../../platform/notify.ts'
import { copyVerdict, type RunSums, type TaskRow } from './monitor-rows.ts'

type NoticedTask = Pick<TaskRow, 'id' | 'run' | 'application_id' | 'by_user'>
/** Copies that a notice names; it counts all. */
const NAMED = 5

/** Says to the operator of a task that not one market answered. */
export async function noticeFailure(meta: MetaStore, task: NoticedTask, sums: RunSums, at: number): Promise<void> {
  if (task.by_user === null) return
  const { asked, unasked } = sums
  await notify(
    meta,
    {
      to: { users: [task.by_user] },
      kind: 'job',
      key: `monitor:${task.id}:${task.run}`,
      state: 'bad',
      title: { zh: '监测失败', en: 'Monitoring failed' },
      note: named(await nameOf(meta, task), asksOf(sums)),
      path: `/monitor/tasks/${task.id}/`,
      facts: { task: task.id, asked, unasked },
    },
    at,
  )
}

/**
 * Notifies all accounts that may see the monitoring of the application of the pirated copies that a run has found for the first time: one
 * notice of an application and run, whatever number of copies. Channels with the kind `monitor` send it on.
 */
export async function noticeCopies(meta: MetaStore, task: NoticedTask, sums: RunSums, at: number): Promise<void> {
  const { fresh, asked, unasked } = sums
  const copies = await meta.db
    .selectFrom('monitor_copies as copy')
    .where('copy.task_id', '=', task.id)
    .where('copy.first_run', '=', task.run)
    .where(sql<boolean>`${copyVerdict} = any(${[...PIRATED_VERDICTS]})`)
    .select(['copy.id', 'copy.sha256', 'copy.label', 'copy.package_name', 'copy.version', copyVerdict.as('verdict')])
    .orderBy('copy.confidence', 'desc')
    .orderBy('copy.id')
    .limit(NAMED)
    .execute()
  const name = await nameOf(meta, task)
  const asks = asksOf(sums)
  const said = (language: 'zh' | 'en') =>
    copies.map(({ label, package_name, version, verdict }) => {
      const kind = COPY_VERDICTS[verdict][language]
      const what = `${label || package_name} ${version}`.trim()
      return language === 'zh' ? `${what}（${kind}）` : `${what} (${kind})`
    })
  const more = fresh - copies.length
  await notify(
    meta,
    {
      to: { may: 'monitor.view', apps: [task.application_id] },
      kind: 'monitor',
      key: `monitor-copies:${task.id}:${task.run}`,
      state: 'warn',
      title: {
        zh: `${name}：发现 ${fresh} 个新的盗版`,
        en: `${name}: ${fresh} new pirated ${fresh === 1 ? 'copy' : 'copies'}`,
      },
      note: {
        zh: `${said('zh').join('、')}${more > 0 ? `等 ${fresh} 个` : ''}；${asks.zh}`,
        en: `${said('en').join(', ')}${more > 0 ? ` and ${more} more` : ''}; ${asks.en}`,
      },
      path: `/monitor/tasks/${task.id}/?verdict=pirated`,
      facts: {
        ...{ task: task.id, application: task.application_id, run: task.run, fresh, asked, unasked },
        copies: copies.map(({ sha256 }) => sha256).join(' '),
      },
    },
    at,
  )
}

const asksOf = ({ asked, unasked }: Pick<RunSums, 'asked' | 'unasked'>) => ({
  zh: `已查询 ${asked} 个渠道，${unasked} 个未能查询`,
  en: `${asked} markets asked, ${unasked} not`,
})
const named = (name: string, { zh, en }: { zh: string; en: string }) => ({ zh: `${name}，${zh}`, en: `${name}, ${en}` })

async function nameOf({ db }: MetaStore, { application_id }: NoticedTask): Promise<string> {
  const row = await db.selectFrom('applications').select('name').where('id', '=', application_id).executeTakeFirst()
  return row?.name ?? ''
}
