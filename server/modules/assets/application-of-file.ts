import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { PLATFORMS } from '#domain/vocabulary.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { takeQuota } from '../../platform/licence/licence-quota.ts'
import { checkApplicationQuota } from '../applications/application-quota.ts'

type Identity = { package_name: string; platform: 'android' | 'ios' }

/** The application whose files have this package name, the newest of several; undefined where the caller sees none. */
export async function applicationOf(deps: ServerDeps, caller: Caller, file: Identity): Promise<number | undefined> {
  if (file.package_name === '') return undefined
  const { apps } = caller.scope
  let select = deps.meta.db
    .selectFrom('app_files')
    .innerJoin('applications', 'applications.id', 'app_files.application_id')
    .select('applications.id')
    .where('applications.deleted_at', 'is', null)
    .where('applications.mime_type', '=', PLATFORMS[file.platform].code)
    .where('app_files.package_name', '=', file.package_name)
  if (apps !== 'all') select = select.where('applications.id', '=', sql<number>`any(${[...apps]}::int[])`)
  return (await select.orderBy('app_files.id', 'desc').limit(1).executeTakeFirst())?.id
}

/** Creates an application for a package; parallel uploads of one package by one user give one. Throws permission.missing, quota.reached. */
export async function makeApplication(
  deps: ServerDeps,
  caller: Caller,
  file: Identity & { name: string },
  /** SHA-256 of the package that an upload is about; null where the user asked for a new application. */
  createdFrom: string | null,
): Promise<number> {
  if (!caller.auth.includes('application.create'))
    throw new ProductError('permission.missing', { permission: 'application.create' })
  const { db } = deps.meta
  const created = await db.transaction().execute(async (tx) => {
    await takeQuota(tx, deps.licence, 'applications', 1)
    const made = await tx
      .insertInto('applications')
      .values({
        uuid: randomUUID(),
        name: file.name.slice(0, 64),
        mime_type: PLATFORMS[file.platform].code,
        protect_type: '0',
        has_file: true,
        owner_id: caller.userId,
        site_id: null,
        created_at: deps.now(),
        deleted_at: null,
        created_from: createdFrom,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    // After the insertion, so that a parallel upload of the same package finds the application instead of a full quota.
    if (made) await checkApplicationQuota(tx, caller.userId, 0)
    return made
  })
  const { id } =
    created ??
    (await db
      .selectFrom('applications')
      .select('id')
      .where('owner_id', '=', caller.userId)
      .where('created_from', '=', createdFrom)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow())
  await deps.meta.notify(CHANNELS.changed, { what: 'applications' })
  return id
}

/** Sets has_file of these applications by what is there. */
export async function updateHasFile(
  deps: Pick<ServerDeps, 'meta'>,
  applications: readonly (number | null)[],
): Promise<void> {
  const ids = [...new Set(applications.filter((id) => id !== null))]
  if (ids.length === 0) return
  await deps.meta.db
    .updateTable('applications')
    .set({
      has_file: sql<boolean>`exists (select from app_files where app_files.application_id = applications.id)`,
    })
    .where('id', 'in', ids)
    .execute()
  await deps.meta.notify(CHANNELS.changed, { what: 'applications' })
}
