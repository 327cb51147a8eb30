import { TASK_STATES } from '#contracts/detection/kinds.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { homeOverview } from '#contracts/http/home.ts'
import { CASE_STATES } from '#contracts/http/investigation.ts'
import { downloadJob } from '#contracts/http/jobs.ts'
import { JOB_KINDS } from '#contracts/jobs.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { tasksOf } from '../detection/task-rows.ts'
import { listCases } from '../investigation/case-store.ts'

type Item = ResponseOf<typeof homeOverview>['recent'][number]
const SHOWN = 8

/** What this account started, opened or asked for last, of what it may still see. */
export async function recentItems({ meta }: ServerDeps, caller: Caller): Promise<Item[]> {
  const may = (item: string) => caller.auth.includes(item)
  const [tasks, cases, jobs] = await Promise.all([
    may('detect.view')
      ? tasksOf(meta, caller)
          .where('task.by_user', '=', caller.userId)
          .select(['task.id', 'task.name', 'task.version', 'task.state', 'task.created_at', 'task.ended_at'])
          .orderBy('task.created_at', 'desc')
          .limit(SHOWN)
          .execute()
      : [],
    may('events.read') ? listCases(meta.db, caller, { own: '1' }) : [],
    meta.db
      .selectFrom('jobs')
      .select(['id', 'kind', 'title', 'state', 'file', 'created_at', 'ended_at'])
      .where('user_id', '=', caller.userId)
      .where('kind', 'in', ['report', 'export'])
      .orderBy('created_at', 'desc')
      .limit(SHOWN)
      .execute(),
  ])
  const items: Item[] = [
    ...tasks.map(({ id, name, version, state, created_at, ended_at }) => ({
      ...{ id, kind: 'detection' as const, title: `${name} ${version}`.trim(), note: TASK_STATES[state] },
      ...{ to: `/detection/tasks/${id}/`, at: ended_at ?? created_at },
    })),
    ...cases.slice(0, SHOWN).map(({ id, title, state, updated_at }) => ({
      ...{ id, kind: 'case' as const, title, note: CASE_STATES[state] },
      ...{ to: `/mssa/attack_spoor?case=${id}`, at: updated_at },
    })),
    ...jobs.map(({ id, kind, title, state, file, created_at, ended_at }) => ({
      ...{ id, kind: kind as 'report' | 'export', title, note: JOB_KINDS[kind as 'report' | 'export'] },
      to: state === 'done' && file ? `${downloadJob.path}?id=${id}` : '',
      at: ended_at ?? created_at,
    })),
  ]
  return items.sort((a, b) => b.at - a.at).slice(0, SHOWN)
}
