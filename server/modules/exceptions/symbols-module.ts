import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { deleteSymbols, type SymbolFile, symbolFiles, uploadSymbols } from '#contracts/http/exceptions.ts'
import { EXCEPTION_KINDS, SYMBOL_LIMITS } from '#domain/exceptions.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { findApplication } from '../applications/application-access.ts'
import { learnFingerprints } from './fingerprints.ts'
import { keepSymbols } from './keep-symbols.ts'
import { symbolUploads } from './symbol-uploads.ts'

const BATCH = 200

/** Mappings and source maps by application and version. A new or deleted one regroups the failures of its version. */
export const symbolsModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const uploads = symbolUploads(deps.now)

  mount(symbolFiles, async ({ query, caller }) => {
    const { id } = await findApplication(deps.meta, caller, query.appid)
    const rows = await selectFiles(deps)
      .where('application_id', '=', id)
      .orderBy('created_at', 'desc')
      .limit(1000)
      .execute()
    return { data: rows.map(toFile) }
  })

  mount(uploadSymbols, async ({ body, caller, audit }) => {
    const application = await findApplication(deps.meta, caller, body.appid)
    const name = body.kind === 'sourcemap' ? body.name.replace(/^.*[\\/]/, '').replace(/\.map$/, '') : ''
    audit(application.name, `${body.kind} ${body.version} ${name}`.trim())
    if (body.kind === 'sourcemap' && name === '') throw new ProductError('input.invalid', { detail: 'name' })
    const bytes = Buffer.from(body.content, 'base64')
    const packed = uploads.add(`${caller.userId}/${body.upload}`, body.part, body.last, bytes)
    if (!packed) return { data: null }
    const others = await db
      .selectFrom('symbol_files')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('application_id', '=', application.id)
      .where('version', '=', body.version)
      .executeTakeFirst()
    if (Number(others?.count ?? 0) >= SYMBOL_LIMITS.perVersion)
      throw new ProductError('quota.reached', { detail: String(SYMBOL_LIMITS.perVersion) })
    const kept = await keepSymbols(deps, body.kind, packed)
    const values = { ...kept, id: randomUUID(), by_user: caller.userId, created_at: deps.now() }
    const replaced = await db
      .selectFrom('symbol_files')
      .select(['file', 'index_file'])
      .where('application_id', '=', application.id)
      .where('version', '=', body.version)
      .where('kind', '=', body.kind)
      .where('name', '=', name)
      .executeTakeFirst()
    await db
      .insertInto('symbol_files')
      .values({ ...values, application_id: application.id, version: body.version, kind: body.kind, name })
      .onConflict((conflict) => conflict.columns(['application_id', 'version', 'kind', 'name']).doUpdateSet(values))
      .execute()
    if (replaced) await dropUnnamed(deps, [replaced.file, replaced.index_file])
    await regroup(deps, application.id, body.version)
    const row = await selectFiles(deps).where('symbol_files.id', '=', values.id).executeTakeFirstOrThrow()
    return { data: toFile(row) }
  })

  mount(deleteSymbols, async ({ body, caller, audit }) => {
    const row = await db.selectFrom('symbol_files').selectAll().where('id', '=', body.id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    const application = await findApplication(deps.meta, caller, String(row.application_id))
    audit(application.name, `${row.kind} ${row.version} ${row.name}`.trim())
    await db.deleteFrom('symbol_files').where('id', '=', row.id).execute()
    await dropUnnamed(deps, [row.file, row.index_file])
    await regroup(deps, application.id, row.version)
    return {}
  })
}

/** Looks again at every fingerprint that the version has. */
async function regroup(deps: ServerDeps, app: number, version: string): Promise<void> {
  const scope = { apps: [app] }
  const rows = await deps.store.exceptionGroups(
    {
      span: { from: 0, to: Number.MAX_SAFE_INTEGER },
      basis: 'occurred',
      filters: [
        { field: 'type', op: 'is', values: [...EXCEPTION_KINDS] },
        { field: 'version', op: 'is', values: [version] },
      ],
      scope,
      zone: deps.settings().zone,
    },
    [],
  )
  const fingerprints = rows.map((row) => row.group).filter((one) => one !== '')
  for (let from = 0; from < fingerprints.length; from += BATCH)
    await learnFingerprints(deps, scope, fingerprints.slice(from, from + BATCH))
}

type Row = Selectable<Database['symbol_files']> & { username: string | null }

function selectFiles({ meta }: ServerDeps) {
  return meta.db
    .selectFrom('symbol_files')
    .leftJoin('users', 'users.id', 'symbol_files.by_user')
    .selectAll('symbol_files')
    .select('users.username')
}

function toFile({ id, application_id, version, kind, name, size, entries, username, created_at }: Row): SymbolFile {
  return { id, appid: String(application_id), version, kind, name, size, entries, by: username ?? '', created_at }
}
