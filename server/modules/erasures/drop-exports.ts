import { sql } from 'kysely'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { changeJob, type EraseInput, type ExportedList, type ExportInput, type ReportInput } from '../jobs/job-rows.ts'

/** Lists whose lines name no device, user or address of a sender. */
const WITHOUT_SENDERS: readonly ExportedList['of'][] = [
  'files',
  'self_check',
  'suppressions',
  'detection_tasks',
  'takedowns',
]
/** Logs of the whole platform, whatever the applications of who exported them. */
const OF_PLATFORM: readonly ExportedList['of'][] = ['audit_log', 'network_log']

/**
 * Results of exports are copies of rows. Deletes those that may hold rows of the subject and stops those that are being written: exports
 * that began before `erasedAt` (epoch ms), of one of the erased applications, of rows or lists that name senders. Their owners read why in
 * the job and can ask for them again. Answers how many it deleted or stopped.
 */
export async function dropExports(
  { meta, files, now }: { meta: MetaStore; files: FileStore; now(): number },
  erased: Pick<EraseInput, 'subject' | 'scope'>,
  erasedAt: number,
): Promise<number> {
  const { db } = meta
  const begun = db
    .selectFrom('jobs')
    .select(['id', 'kind', 'file', 'document', 'input'])
    .where('kind', 'in', ['export', 'report'])
    .where('started_at', '<', erasedAt)
  const holding = <T extends { kind: string; input: unknown }>(rows: T[]) =>
    rows.filter(({ kind, input }) =>
      kind === 'report' ? reportMayHold(input as ReportInput, erased) : mayHold(input as ExportInput, erased),
    )
  let dropped = 0
  const note = 'export.erased'
  for (const { id } of holding(await begun.where('state', '=', 'running').execute()))
    if (await changeJob(meta, id, ['running'], { state: 'stopped', note, ended_at: now() })) dropped++
  for (const { id, file, document } of holding(await begun.where('file', 'is not', null).execute())) {
    await db.updateTable('jobs').set({ file: null, document: null, note }).where('id', '=', id).execute()
    await dropUnnamed({ meta, files }, [file, document])
    dropped++
  }
  // What was asked for may name the subject.
  await db
    .updateTable('jobs')
    .set((eb) => ({
      input: '{}',
      note: eb.case().when('state', '=', 'waiting').then(note).else(eb.ref('note')).end(),
      state: eb
        .case()
        .when('state', '=', 'waiting')
        .then('stopped' as const)
        .else(eb.ref('state'))
        .end(),
    }))
    .where('kind', 'in', ['export', 'report'])
    .where(sql<boolean>`position(${erased.subject} in input::text) > 0`)
    .execute()
  return dropped
}

/** Reports of cases name devices and users; those of statistics do where they were narrowed to one. */
function reportMayHold(
  input: Partial<ReportInput>,
  { subject, scope }: Pick<EraseInput, 'subject' | 'scope'>,
): boolean {
  if (JSON.stringify(input).includes(subject)) return true
  if (input.of !== 'case') return false
  const { apps } = input
  if (apps === undefined || apps === 'all' || scope.apps === 'all') return true
  const { apps: erased } = scope
  return apps.some((app) => erased.includes(app))
}

function mayHold(input: Partial<ExportInput>, { subject, scope }: Pick<EraseInput, 'subject' | 'scope'>): boolean {
  if (JSON.stringify(input).includes(subject)) return true
  const list = 'list' in input ? input.list?.of : undefined
  if (list && WITHOUT_SENDERS.includes(list)) return false
  if (list && OF_PLATFORM.includes(list)) return true
  const apps = input.scope?.apps
  if (apps === undefined || apps === 'all' || scope.apps === 'all') return true
  const { apps: erased } = scope
  return apps.some((app) => erased.includes(app))
}
