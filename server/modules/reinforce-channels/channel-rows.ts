import { type Selectable, sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { PackageFacts } from '#contracts/http/assets.ts'
import {
  CHANNEL_REFUSALS,
  type ChannelBase,
  type ChannelPlace,
  type ChannelRefusal,
} from '#contracts/http/reinforce-channels.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { selectFiles } from '../assets/file-rows.ts'
import type { WrittenTails } from './ask-channel-worker.ts'

export type ChannelRow = Selectable<Database['reinforce_channels']>

/** Bytes of a package that channels are written into: it lies in the memory of a worker several times. */
const MOST_BYTES = 512 * 2 ** 20
const MOST_BASES = 100

/** Channels of one application, those alone that the filters show. */
export function channelsOf(
  { db }: MetaStore,
  application: number,
  { search = '', group = '' }: { search?: string; group?: string } = {},
) {
  let found = db.selectFrom('reinforce_channels as channel').where('channel.application_id', '=', application)
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, (one) => `\\${one}`)}%`
    found = found.where((where) =>
      where.or([where('channel.key', 'ilike', pattern), where('channel.name', 'ilike', pattern)]),
    )
  }
  return group ? found.where('channel.group_name', '=', group) : found
}

type BaseFile = {
  id: number
  name: string
  file_name: string
  version: string
  size: number
  sha256: string
  protection: 'unreinforced' | 'reinforced'
  uploaded_at: number
  application_id: number | null
  place: ChannelPlace
  refusal: ChannelRefusal | undefined
  schemes: string[]
}

/** Packages of an application for Android, reinforced ones first; of one of them where `file` is given. */
export async function findBases(
  deps: Pick<ServerDeps, 'meta' | 'files'>,
  caller: Caller,
  { application, file }: { application: number; file?: number },
): Promise<BaseFile[]> {
  let select = selectFiles(deps, caller)
    .select(['app_files.id', 'app_files.name', 'app_files.file_name', 'app_files.version', 'app_files.size'])
    .select(['app_files.sha256', 'app_files.protection', 'app_files.uploaded_at', 'app_files.application_id'])
    .select(['app_files.kind', 'app_files.signature'])
    .select(sql<PackageFacts['schemes'] | null>`app_files.facts->'schemes'`.as('schemes'))
    .where('app_files.application_id', '=', application)
    .where('app_files.kind', 'in', ['apk', 'apks', 'xapk', 'aab'])
  if (file !== undefined) select = select.where('app_files.id', '=', file)
  const rows = await select
    .orderBy(sql`app_files.protection = 'reinforced'`, 'desc')
    .orderBy('app_files.uploaded_at', 'desc')
    .orderBy('app_files.id', 'desc')
    .limit(MOST_BASES)
    .execute()
  return Promise.all(
    rows.map(async ({ kind, signature, schemes, ...row }) => {
      const there = (scheme: string) => (schemes ?? []).some((one) => one.scheme === scheme && one.state !== 'absent')
      const refusal: ChannelRefusal | undefined =
        kind !== 'apk'
          ? 'kind'
          : !(await deps.files.has(row.sha256))
            ? 'gone'
            : row.size > MOST_BYTES
              ? 'large'
              : signature === 'unsigned'
                ? 'unsigned'
                : there('v31') && !there('v2') && !there('v3')
                  ? 'v31'
                  : signature !== 'verified'
                    ? 'signature'
                    : undefined
      const place: ChannelPlace = there('v2') || there('v3') ? 'block' : 'meta'
      const held = (schemes ?? [])
        .filter(({ state }) => state !== 'absent' && state !== 'broken')
        .map(({ scheme }) => scheme)
      return { ...row, place, refusal, schemes: held }
    }),
  )
}

/**
 * The package that channels are written into. Throws data.missing where the application has no such file, permission.missing where the caller may
 * not download it, channel.package where none can be written.
 */
export async function demandBase(
  deps: Pick<ServerDeps, 'meta' | 'files'>,
  caller: Caller,
  asked: { application: number; file: number },
): Promise<BaseFile> {
  const [base] = await findBases(deps, caller, asked)
  if (!base) throw new ProductError('data.missing')
  const mayDownload =
    caller.auth.includes('asset.read') || (base.protection === 'reinforced' && caller.auth.includes('harden.download'))
  if (!mayDownload) {
    const item = base.protection === 'reinforced' ? 'harden.download' : 'asset.read'
    throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS[item][caller.language] })
  }
  if (base.refusal) throw new ProductError('channel.package', { detail: CHANNEL_REFUSALS[base.refusal] })
  return base
}

/** In the form of the contract. */
export function toBase({ refusal, ...row }: BaseFile, { language }: Caller): ChannelBase {
  const { id, name, file_name, version, size, protection, uploaded_at, schemes } = row
  return {
    ...{ id: String(id), name, file_name, version, size, protection, uploaded_at, schemes },
    place: refusal ? null : row.place,
    reason: refusal ? CHANNEL_REFUSALS[refusal][language] : '',
  }
}

/** Notes that the packages of these channels were made and verified; not of channels that were renamed or deleted meanwhile. */
export async function noteMade(
  { db }: MetaStore,
  file: number,
  channels: readonly ChannelRow[],
  { place, tails }: WrittenTails,
  now: number,
): Promise<void> {
  const [ids, names] = [channels.map(({ id }) => id), channels.map(({ name }) => name)]
  const [sizes, wholes] = [tails.map(({ size }) => size), tails.map(({ whole }) => whole)]
  await sql`
    insert into reinforce_channel_packages (channel_id, file_id, place, size, whole, made_at)
    select channel.id, app_files.id, ${place}, made.size, made.whole, ${now}::int8
    from unnest(${ids}::int[], ${names}::text[], ${sizes}::int8[], ${wholes}::boolean[]) as made (id, name, size, whole)
    join reinforce_channels channel on channel.id = made.id and channel.name = made.name
    join app_files on app_files.id = ${file}
    on conflict (channel_id, file_id) do update
    set place = excluded.place, size = excluded.size, made_at = excluded.made_at,
      whole = excluded.whole`.execute(db)
}
