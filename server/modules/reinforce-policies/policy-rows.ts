import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { ReinforcePolicy, ReinforcePolicySummary } from '#contracts/http/reinforce-policies.ts'
import { isCarriedOut } from '#domain/reinforce-options.ts'
import { chosenOptions, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'
import { managesAll } from '../applications/application-access.ts'
import { maySee as maySeeSignature } from '../reinforce-signatures/signature-rows.ts'

export type PolicyRow = Selectable<Database['reinforce_policies']>
type Viewer = Pick<Caller, 'userId' | 'scope' | 'role'>

/** General ones: everyone. Those of an application: everyone who sees it. Others: their owner, and who sees everything. */
function maySee({ userId, scope }: Viewer, row: Pick<PolicyRow, 'general' | 'application_id' | 'owner_id'>): boolean {
  if (row.general || scope.apps === 'all') return true
  return row.application_id === null ? row.owner_id === userId : scope.apps.includes(row.application_id)
}

/** General ones: who sees everything. Others: their owner too, as long as he sees them. */
export function mayManage(viewer: Viewer, row: Pick<PolicyRow, 'general' | 'application_id' | 'owner_id'>): boolean {
  return managesAll(viewer) || (!row.general && row.owner_id === viewer.userId && maySee(viewer, row))
}

const withNames = (meta: MetaStore) =>
  meta.db
    .selectFrom('reinforce_policies')
    .leftJoin('users as owners', 'owners.id', 'reinforce_policies.owner_id')
    .leftJoin('users as editors', 'editors.id', 'reinforce_policies.updated_by')
    .leftJoin('signature_files', 'signature_files.id', 'reinforce_policies.signature_id')
    .selectAll('reinforce_policies')
    .select([
      'owners.username as owner',
      'editors.username as editor',
      'signature_files.name as signature_name',
      'signature_files.application_id as signature_application',
      'signature_files.owner_id as signature_owner',
    ])

type NamedRow = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>

export async function findPolicy(meta: MetaStore, viewer: Viewer, id: string): Promise<NamedRow> {
  const row = await withNames(meta).where('reinforce_policies.id', '=', id).executeTakeFirst()
  if (!row || !maySee(viewer, row)) throw new ProductError('data.missing')
  return row
}

/** Newest change first; for one application, or for all that the viewer sees. */
export async function listPolicies(
  meta: MetaStore,
  viewer: Viewer,
  application?: number,
): Promise<ReinforcePolicySummary[]> {
  let found = withNames(meta)
  if (application !== undefined)
    found = found.where((where) =>
      where.or([
        where('reinforce_policies.application_id', '=', application),
        where('reinforce_policies.application_id', 'is', null),
      ]),
    )
  const rows = await found.orderBy('reinforce_policies.updated_at', 'desc').orderBy('reinforce_policies.id').execute()
  return rows
    .filter((row) => maySee(viewer, row))
    .map((row) => {
      const chosen = chosenOptions(ReinforceOptionsSchema.parse(row.options))
      return {
        ...summaryOf(viewer, row),
        chosen: chosen.length,
        carried_out: chosen.filter(isCarriedOut).length,
        signature: usesSignature(viewer, row) ? (row.signature_name ?? '') : '',
      }
    })
}

/** What the viewer may know of a policy. */
export function toPolicy(viewer: Viewer, row: NamedRow): ReinforcePolicy {
  const isUsable = usesSignature(viewer, row)
  return {
    ...summaryOf(viewer, row),
    // Options that were added since it was saved are off.
    options: ReinforceOptionsSchema.parse(row.options),
    keep_rules: row.keep_rules,
    signature_id: isUsable ? row.signature_id : null,
    hidden_signature: row.signature_id !== null && !isUsable,
    may_be_general: managesAll(viewer),
    schemes: row.schemes,
  }
}

function usesSignature(viewer: Viewer, row: NamedRow): boolean {
  return (
    row.signature_id !== null &&
    maySeeSignature(viewer, { application_id: row.signature_application, owner_id: row.signature_owner })
  )
}

function summaryOf(viewer: Viewer, row: NamedRow) {
  return {
    id: row.id,
    name: row.name,
    general: row.general,
    industry: row.industry as ReinforcePolicy['industry'],
    appid: row.application_id === null ? null : String(row.application_id),
    owner: row.owner ?? '',
    rev: row.rev,
    created_at: row.created_at,
    updated_at: row.updated_at,
    updated_by: row.editor ?? '',
    manageable: mayManage(viewer, row),
  }
}
