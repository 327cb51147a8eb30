import { buffer } from 'node:stream/consumers'
import { runExport } from '#server/modules/exports/export-job.ts'
import type { HttpApp } from './http-app.ts'

/** Runs an export as the jobs process does; its rows, and the file that it made. */
export async function exported({ meta, deps }: HttpApp, id: string): Promise<{ rows: number; bytes: Buffer }> {
  const { store, files, now } = deps
  await runExport(
    { meta, store, files, zone: () => 'Asia/Shanghai', placeName: () => undefined, now },
    id,
    new AbortController().signal,
  )
  const row = await meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (row.state !== 'done' || row.file === null) throw new Error(`the export ended ${row.state}: ${row.note}`)
  return { rows: row.rows, bytes: await buffer((await files.open(row.file)).stream()) }
}

/** The CSV that an export made. */
export const exportedText = async (http: HttpApp, id: string): Promise<string> =>
  (await exported(http, id)).bytes.toString('utf8')
