import { randomUUID } from 'node:crypto'
import type { ScopeBed } from './scope-bed.ts'

/** A package of the application with a finished task that failed one item. */
export async function addFailedPackage(
  bed: ScopeBed,
  name: 'alice' | 'bob',
  item: string,
  sha256 = 'c3'.repeat(32),
): Promise<void> {
  const { db } = bed.http.meta
  const own = bed[name]
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', `${name}@example.com`)
    .executeTakeFirstOrThrow()
  const file = await db
    .insertInto('app_files')
    .values({
      ...{ application_id: Number(own.appid), by_user: owner.id, name: own.marker, file_name: 'a.apk' },
      ...{ version: '9.4.0', version_code: '940', size: 1, md5: sha256.slice(0, 32), sha256 },
      ...{ package_name: `org.example.${name}`, kind: 'apk', file_type: '1', platform: 'android', type: '' },
      ...{ protection: 'unreinforced', packer: '', signers: [], signature: 'verified', icon: null },
      ...{ baseline_id: null, facts: '{}', uploaded_at: Date.now() },
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const task = randomUUID()
  await db
    .insertInto('detection_tasks')
    .values({
      ...{ id: task, application_id: Number(own.appid), file_id: file.id, owner_id: owner.id, by_user: owner.id },
      ...{ name: own.marker, package_id: `org.example.${name}`, version: '9.4.0', package_kind: 'apk' },
      ...{ platform: 'android', size: 1, md5: '', sha256, application_type: '', kinds: ['static'] },
      ...{ strategy_id: 'all', strategy_name: '{}', strategy: '{}', engine: '', identity: task, priority: 1 },
      ...{ state: 'detected', stage: 'done', progress: 1, note: '', note_detail: '', stages: '[]', isolation: [] },
      ...{ attempt: 1, result_file: null, score: 90, counts: null, gate: 'pass', suppressed: 0, not_assessed: 0 },
      ...{ packer: null, privacy: null, created_at: Date.now(), started_at: 1, ended_at: 2, pictures: [] },
    } as never)
    .execute()
  const failure = { task_id: task, item, level: 'high', category: 'signature', hits: 1 }
  await db
    .insertInto('detection_failures')
    .values({ ...failure, owner: null, muted: false } as never)
    .execute()
}
