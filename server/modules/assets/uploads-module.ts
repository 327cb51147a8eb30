import { ProductError } from '#contracts/errors.ts'
import { appendUpload, createUpload, dropUpload, uploadFile, uploadState } from '#contracts/http/assets.ts'
import type { Caller, Module } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'
import { applicationOf, makeApplication, updateHasFile } from './application-of-file.ts'
import { findFile, toFile } from './file-rows.ts'
import { mountResumable } from './resumable-uploads.ts'
import { packageAt, storePackage } from './store-package.ts'
import { type Upload, uploadStore } from './upload-store.ts'

/** A call must answer within 15 s: reading a large package may take longer, then the client asks again. */
const ANSWER_MS = 10_000

/** Uploads: a form for small packages, tus 1.0 (creation, termination, expiration) for large ones. */
export const uploadsModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const uploads = uploadStore(deps.config.paths.uploads, deps.now)
  /** Packages of complete uploads that are being read, by upload. */
  const reading = new Map<string, ReturnType<typeof storePackage>>()

  mount(uploadFile, async ({ body, file, caller, audit }) => {
    const upload = body.upload_id === undefined ? undefined : await uploads.find(body.upload_id, caller.userId)
    const name = upload?.name ?? file?.name
    audit(name ?? '', body.appid ?? body.create ?? '')
    if (name === undefined || (upload && file)) throw new ProductError('input.invalid', { detail: 'file' })
    if (body.create && !/\.apk$/i.test(name)) throw new ProductError('asset.only_apk')
    if (upload && upload.offset < upload.length) throw new ProductError('asset.incomplete')
    const named = body.appid === undefined ? undefined : (await findApplication(deps.meta, caller, body.appid)).id
    if (file) await uploads.checkDisk(file.size)
    const kept = upload
      ? await withinTime(readUpload(upload))
      : await storePackage(
          { files: deps.files, dataFolder: deps.config.dataFolder },
          packageAt((file as { path: string }).path),
          name,
        )
    const application_id =
      named ??
      (await applicationOf(deps, caller, { package_name: kept.package_name, platform: kept.platform })) ??
      (body.create ? await makeApplication(deps, caller, kept, kept.sha256) : null)
    const inserted = await db
      .insertInto('app_files')
      .values({
        ...kept,
        application_id,
        by_user: caller.userId,
        type: body.type || (await typeOf(application_id)),
        baseline_id: null,
        uploaded_at: deps.now(),
      })
      // The unique indexes decide: of two parallel uploads of one package one row remains.
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    const { id } =
      inserted ??
      (await db
        .selectFrom('app_files')
        .select('id')
        .where('sha256', '=', kept.sha256)
        .where((where) =>
          application_id === null
            ? where.and([where('application_id', 'is', null), where('by_user', '=', caller.userId)])
            : where('application_id', '=', application_id),
        )
        .executeTakeFirstOrThrow())
    await updateHasFile(deps, [application_id])
    if (upload) {
      reading.delete(upload.id)
      await uploads.remove(upload.id)
    }
    const row = await findFile(deps, seeing(caller, application_id), id)
    return { file_object: { ...(await toFile(deps, row)), existing: inserted === undefined } }
  })

  async function takeUpload(upload: Upload): ReturnType<typeof storePackage> {
    try {
      const to = { files: deps.files, dataFolder: deps.config.dataFolder }
      return await storePackage(to, packageAt(upload.path), upload.name)
    } catch (error) {
      await uploads.existing(upload.id) // removed under the reader: that is what happened, whatever it met
      throw error
    }
  }

  /** Begun once, however often the client asks. */
  function readUpload(upload: Upload): ReturnType<typeof storePackage> {
    const running = reading.get(upload.id) ?? takeUpload(upload)
    reading.set(upload.id, running)
    running.catch(() => reading.delete(upload.id)) // a repeated call reads it again
    return running
  }

  /** What earlier files of the application were said to be. */
  async function typeOf(application_id: number | null) {
    if (application_id === null) return ''
    const last = await db
      .selectFrom('app_files')
      .select('type')
      .where('application_id', '=', application_id)
      .where('type', '!=', '')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last?.type ?? ''
  }

  mountResumable(
    mount,
    { create: createUpload, state: uploadState, append: appendUpload, drop: dropUpload },
    uploads,
    ({ length }) => {
      if (length > deps.settings().package_limit_mb * 1024 * 1024) throw new ProductError('asset.too_large')
    },
  )
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new ProductError('asset.busy')), ANSWER_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The caller with an application in his scope that he has just made. */
function seeing(caller: Caller, application: number | null): Caller {
  const { apps } = caller.scope
  return application === null || apps === 'all' ? caller : { ...caller, scope: { apps: [...apps, application] } }
}
