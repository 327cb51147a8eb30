import { ProductError } from '#contracts/errors.ts'
import {
  createFile,
  delFile,
  downFile,
  exportFiles,
  fileDetail,
  fileManage,
  media,
  type PackageFacts,
  pushFile as pushFileEndpoint,
  showFile,
} from '#contracts/http/assets.ts'
import type { Module } from '../../http/module.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { findApplication } from '../applications/application-access.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { startExport } from '../jobs/start-export.ts'
import { makeApplication, updateHasFile } from './application-of-file.ts'
import { findFile, readFiles, selectFiles, toFile } from './file-rows.ts'
import { listFiles } from './list-files.ts'
import { pushFile, takeBack } from './push-file.ts'

/** What one application or package name has at most in `show-file`. */
const VERSIONS = 200

/** Application files: list, detail, change, push, download, delete. Uploads stand in uploads-module.ts. */
export const assetsModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(fileManage, ({ query, caller }) => listFiles(deps, caller, query))

  mount(exportFiles, async ({ body, caller, audit }) => {
    const answer = await startExport(deps, caller, { list: { of: 'files', filters: body.list } }, body)
    audit(`export ${body.title}`, `${body.format} ${JSON.stringify(body.list)}`)
    return answer
  })

  mount(showFile, async ({ query, caller }) => {
    let select = selectFiles(deps, caller)
    if (query.appid !== undefined) {
      const { id } = await findApplication(deps.meta, caller, query.appid)
      select = select.where('app_files.application_id', '=', id)
    }
    if (query.package_name !== undefined) select = select.where('app_files.package_name', '=', query.package_name)
    return { object_list: await readFiles(deps, select.orderBy('app_files.id', 'desc').limit(VERSIONS)) }
  })

  mount(fileDetail, async ({ query, caller }) => {
    const row = await findFile(deps, caller, query.id)
    const { facts } = await db
      .selectFrom('app_files')
      .select('facts')
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    const pushed =
      row.application_id === null
        ? undefined
        : await db
            .selectFrom('baselines')
            .select('id')
            .where('application_id', '=', row.application_id)
            .where('version', '=', row.version)
            .executeTakeFirst()
    return {
      data: { ...(await toFile(deps, row)), facts: facts as PackageFacts, version_pushed: pushed !== undefined },
    }
  })

  mount(createFile, async ({ body, caller, audit }) => {
    const row = await findFile(deps, caller, body.id)
    const { name = row.name, type = row.type } = body
    audit(row.name, [body.name, body.type, body.appid].filter((one) => one !== undefined).join(' '))
    const application_id =
      body.appid === undefined
        ? row.application_id
        : body.appid === 'new'
          ? await makeApplication(deps, caller, { ...row, name }, null)
          : (await findApplication(deps.meta, caller, body.appid)).id
    // A baseline belongs to its application: in another one the file has to be pushed again.
    if (application_id !== row.application_id) await takeBack(deps, row)
    const { numUpdatedRows } = await db
      .updateTable('app_files')
      .set({ name, type, application_id })
      .where('id', '=', row.id)
      // The target may hold this package already: a package is one file of an application.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('app_files as other')
              .select('other.id')
              .where('other.sha256', '=', row.sha256)
              .where('other.application_id', '=', application_id)
              .where('other.id', '!=', row.id),
          ),
        ),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    await updateHasFile(deps, [row.application_id, application_id])
    const seen =
      body.appid === 'new' && application_id !== null && caller.scope.apps !== 'all'
        ? { ...caller, scope: { apps: [...caller.scope.apps, application_id] } }
        : caller
    return { file_object: await toFile(deps, await findFile(deps, seen, row.id)) }
  })

  mount(pushFileEndpoint, async ({ body, caller, audit }) => {
    const row = await findFile(deps, caller, body.id)
    audit(`${row.name} ${row.version}`.trim(), body.pushed ? 'pushed' : 'taken back')
    if (body.pushed) await pushFile(deps, caller, row)
    else await takeBack(deps, row)
    return { file_object: await toFile(deps, await findFile(deps, caller, row.id)) }
  })

  mount(delFile, async ({ body, caller, audit }) => {
    const row = await findFile(deps, caller, body.id)
    audit(`${row.name} ${row.version}`.trim(), `${row.file_name} ${row.sha256}`)
    await takeBack(deps, row)
    await db.deleteFrom('app_files').where('id', '=', row.id).execute()
    await updateHasFile(deps, [row.application_id])
    await dropUnnamed(deps, [row.sha256, row.icon])
    return {}
  })

  mount(downFile, async ({ query, caller, reply }) => {
    const row = query.file === undefined ? await newestOf(query.appid) : await findFile(deps, caller, query.file)
    if (query.appid !== undefined && row.application_id !== Number(query.appid)) throw new ProductError('data.missing')
    if (!(await deps.files.has(row.sha256))) throw new ProductError('data.missing')
    const file = await deps.files.open(row.sha256)
    reply.header('content-type', 'application/octet-stream')
    reply.header('content-length', file.size)
    reply.header('content-disposition', attachment(row.file_name))
    return file.stream()

    async function newestOf(appid: string | undefined) {
      if (appid === undefined) throw new ProductError('data.missing')
      const { id } = await findApplication(deps.meta, caller, appid)
      const newest = await selectFiles(deps, caller)
        .select('app_files.id')
        .where('app_files.application_id', '=', id)
        .orderBy('app_files.uploaded_at', 'desc')
        .orderBy('app_files.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (!newest) throw new ProductError('data.missing')
      return findFile(deps, caller, newest.id)
    }
  })

  mount(media, async ({ request, caller, reply }) => {
    const [, name = ''] = /^([0-9a-f]{64})\.png$/.exec((request.params as { name: string }).name) ?? []
    // Only what is the icon of a file that the caller sees: packages lie in the same store.
    const seen =
      name &&
      (await selectFiles(deps, caller)
        .select('app_files.id')
        .where('app_files.icon', '=', name)
        .limit(1)
        .executeTakeFirst())
    if (!seen || !(await deps.files.has(name))) throw new ProductError('data.missing')
    const file = await deps.files.open(name)
    reply.header('content-type', 'image/png')
    reply.header('content-length', file.size)
    reply.header('cache-control', 'private, max-age=31536000, immutable')
    return file.stream()
  })
}
