import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { AppFile } from '#contracts/http/assets.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { visibleRows } from '../applications/visible-rows.ts'

type Files = Pick<ServerDeps, 'meta' | 'files'>
/** Everything but the facts, which only the detail page reads. */
const COLUMNS = [
  'app_files.id',
  'app_files.application_id',
  'app_files.by_user',
  'app_files.name',
  'app_files.file_name',
  'app_files.version',
  'app_files.version_code',
  'app_files.size',
  'app_files.md5',
  'app_files.sha256',
  'app_files.package_name',
  'app_files.kind',
  'app_files.file_type',
  'app_files.platform',
  'app_files.type',
  'app_files.protection',
  'app_files.packer',
  'app_files.signers',
  'app_files.signature',
  'app_files.icon',
  'app_files.baseline_id',
  'app_files.uploaded_at',
] as const
export type FileRow = Omit<Selectable<Database['app_files']>, 'facts'> & {
  application: string | null
  username: string | null
}

/** Files that the caller may know of: those of applications he sees, and of no application those that he uploaded himself. */
export function selectFiles({ meta }: Pick<ServerDeps, 'meta'>, caller: Pick<Caller, 'scope' | 'userId'>) {
  return (
    meta.db
      .selectFrom('app_files')
      // A deleted application leaves its files behind, as files of no application.
      .leftJoin('applications', (join) =>
        join.onRef('applications.id', '=', 'app_files.application_id').on('applications.deleted_at', 'is', null),
      )
      .leftJoin('users', 'users.id', 'app_files.by_user')
      .where(visibleRows(caller, 'app_files.by_user'))
  )
}

/** The files of a query from `selectFiles`, in the form of the API. */
export async function readFiles(deps: Files, select: ReturnType<typeof selectFiles>): Promise<AppFile[]> {
  const rows = await select.select(COLUMNS).select(['applications.name as application', 'users.username']).execute()
  return Promise.all(rows.map((row) => toFile(deps, row)))
}

/** The row, or data.missing where the caller may not know of it. */
export async function findFile(deps: Files, caller: Caller, id: string | number): Promise<FileRow> {
  const row = await selectFiles(deps, caller)
    .select(COLUMNS)
    .select(['applications.name as application', 'users.username'])
    .where('app_files.id', '=', Number(id))
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  return row
}

export async function toFile({ files }: Pick<Files, 'files'>, row: FileRow): Promise<AppFile> {
  const { id, application_id, by_user: _, application, username, icon, baseline_id, ...rest } = row
  return {
    ...rest,
    id: String(id),
    appid: application === null || application_id === null ? null : String(application_id),
    application: application ?? '',
    pushed: baseline_id !== null,
    icon: icon === null ? null : `/api/media/${icon}.png`,
    operator: username ?? '',
    has_file: await files.has(row.sha256),
  }
}
