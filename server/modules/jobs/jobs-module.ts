import { ProductError } from '#contracts/errors.ts'
import { cancelJob, downloadJob, jobs } from '#contracts/http/jobs.ts'
import type { Module } from '../../http/module.ts'
import { changeJob, type JobRow, LIVE_STATES, toJob } from './job-rows.ts'
import { sendFile } from './send-file.ts'

const LIST_LENGTH = 100

/** Long work of the caller: list, cancel, download. The jobs process does the work. */
export const jobsModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const own = (id: string, userId: number): Promise<JobRow | undefined> =>
    db.selectFrom('jobs').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

  mount(jobs, async ({ caller }) => {
    const rows = await db
      .selectFrom('jobs')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(LIST_LENGTH)
      .execute()
    return { data: rows.map((row) => toJob(row, caller.language)) }
  })

  mount(cancelJob, async ({ body, caller, audit }) => {
    const found = await own(body.id, caller.userId)
    if (!found) throw new ProductError('data.missing')
    const stopped = await changeJob(deps.meta, body.id, LIVE_STATES, { state: 'stopped', ended_at: deps.now() })
    audit(`job ${found.title}`, stopped ? 'stopped' : `was ${found.state}`)
    return { job: toJob(stopped ?? (await own(body.id, caller.userId)) ?? found, caller.language) }
  })

  mount(downloadJob, async ({ query, caller, reply }) =>
    sendFile(deps.files, reply, await own(query.id, caller.userId)),
  )
}
