import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { SignatureFile } from '#contracts/http/reinforce-signatures.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'
import { openText, sealText } from '../../platform/secrets.ts'
import { managesAll } from '../applications/application-access.ts'
import type { SealedKey } from './key-messages.ts'

type Row = Selectable<Database['signature_files']>
type Viewer = Pick<Caller, 'userId' | 'scope' | 'role'>

/** Of the key that encrypts key stores and their passwords. */
const SEAL = 'reinforce.signatures'

export function sealKey(secret: (name: string) => Buffer, key: SealedKey): string {
  return sealText(secret(SEAL), JSON.stringify(key))
}

export function openKey(secret: (name: string) => Buffer, { sealed }: Pick<Row, 'sealed'>): SealedKey {
  return JSON.parse(openText(secret(SEAL), sealed)) as SealedKey
}

/** Those of an application: everyone who sees it. Others: their owner, and who sees everything. */
export function maySee(
  { userId, scope }: Pick<Viewer, 'userId' | 'scope'>,
  row: Pick<Row, 'application_id' | 'owner_id'>,
): boolean {
  if (scope.apps === 'all') return true
  return row.application_id === null ? row.owner_id === userId : scope.apps.includes(row.application_id)
}

export function mayManage(viewer: Viewer, row: Pick<Row, 'application_id' | 'owner_id'>): boolean {
  return managesAll(viewer) || (maySee(viewer, row) && row.owner_id === viewer.userId)
}

export async function findSignature(meta: MetaStore, viewer: Viewer, id: string): Promise<Row> {
  const row = await meta.db.selectFrom('signature_files').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !maySee(viewer, row)) throw new ProductError('data.missing')
  return row
}

/** Newest first; of one application, or of all that the viewer sees. */
export async function listSignatures(
  meta: MetaStore,
  viewer: Viewer,
  only: { id?: string; application?: number } = {},
): Promise<SignatureFile[]> {
  let found = meta.db
    .selectFrom('signature_files')
    .leftJoin('users', 'users.id', 'signature_files.owner_id')
    .selectAll('signature_files')
    .select('users.username as owner')
    .select(
      sql<number>`(select count(*) from reinforce_policies where signature_id = signature_files.id)`.as('policies'),
    )
  if (only.id !== undefined) found = found.where('signature_files.id', '=', only.id)
  if (only.application !== undefined)
    found = found.where((where) =>
      where.or([where('application_id', '=', only.application as number), where('application_id', 'is', null)]),
    )
  const rows = await found.orderBy('signature_files.created_at', 'desc').orderBy('signature_files.id').execute()
  return rows
    .filter((row) => maySee(viewer, row))
    .map((row) => ({
      id: row.id,
      name: row.name,
      file_name: row.file_name,
      size: row.size,
      format: row.format,
      alias: row.alias,
      appid: row.application_id === null ? null : String(row.application_id),
      certificates: row.certificates,
      not_before: row.not_before,
      not_after: row.not_after,
      owner: row.owner ?? '',
      created_at: row.created_at,
      checked_at: row.checked_at,
      policies: Number(row.policies),
      manageable: mayManage(viewer, row),
    }))
}
