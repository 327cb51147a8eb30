import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ProductError } from '#contracts/errors.ts'
import {
  checkSignature,
  createSignature,
  deleteSignature,
  KEY_FILE_BYTES,
  KEY_TRIES,
  type SignatureFile,
  saveSignature,
  signatureList,
  uploadKey,
} from '#contracts/http/reinforce-signatures.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { findApplication } from '../applications/application-access.ts'
import { askKeyWorker } from './ask-key-worker.ts'
import type { KeyAnswer, SealedKey } from './key-messages.ts'
import { findSignature, listSignatures, mayManage, openKey, sealKey } from './signature-rows.ts'

/** Files of all accounts; uploads of one that were not opened yet, and how long they wait for it. */
const MOST_FILES = 500
const MOST_UPLOADS = 5
export const UPLOAD_MS = 3_600_000

/** Key stores for signing: uploaded, opened once to be sure, kept encrypted, never answered again. */
export const reinforceSignaturesModule: Module = (mount, deps) => {
  const { meta, secret } = deps
  const { db } = meta
  const hidden = deps.config.dataFolder
  const nothing = { alias: '', store_password: '', key_password: '' }

  async function read(caller: Caller, id: string): Promise<SignatureFile> {
    const [found] = await listSignatures(meta, caller, { id })
    if (!found) throw new ProductError('data.missing')
    return found
  }

  mount(uploadKey, async ({ file, caller, audit }) => {
    audit(file?.name ?? '')
    if (!file || file.size === 0) throw new ProductError('signature.none')
    if (file.size > KEY_FILE_BYTES) throw new ProductError('asset.too_large')
    const bytes = await readFile(file.path)
    const key = { ...nothing, file: bytes.toString('base64') }
    const found = await askKeyWorker('look', { file: key.file }, hidden)
    if (!('format' in found)) throw new ProductError('signature.format')
    const now = deps.now()
    await db
      .deleteFrom('signature_uploads')
      .where('created_at', '<', now - UPLOAD_MS)
      .execute()
    const { count } = await db
      .selectFrom('signature_uploads')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('by_user', '=', caller.userId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_UPLOADS) throw new ProductError('quota.reached', { detail: `${MOST_UPLOADS}` })
    const id = randomUUID()
    const name = file.name.slice(0, 200)
    await db
      .insertInto('signature_uploads')
      .values({
        id,
        by_user: caller.userId,
        name,
        format: found.format,
        size: bytes.length,
        sealed: sealKey(secret, key),
        tries: 0,
        created_at: now,
      })
      .execute()
    audit(name, `${found.format} ${bytes.length}`)
    return { file_object: { id, name, size: bytes.length, format: found.format, aliases: found.aliases } }
  })

  mount(signatureList, async ({ query, caller }) => {
    const application = query.appid ? (await findApplication(meta, caller, query.appid)).id : undefined
    const data = await listSignatures(meta, caller, application === undefined ? {} : { application })
    return { data, now: deps.now() }
  })

  mount(createSignature, async ({ body, caller, audit }) => {
    audit(body.name || body.upload)
    const application = body.appid === undefined ? null : (await findApplication(meta, caller, body.appid)).id
    const now = deps.now()
    const owned = () =>
      db
        .selectFrom('signature_uploads')
        .selectAll()
        .where('id', '=', body.upload)
        .where('by_user', '=', caller.userId)
        .where('created_at', '>', now - UPLOAD_MS)
    const upload = await owned().executeTakeFirst()
    if (!upload) throw new ProductError('data.missing')
    const isPem = upload.format === 'pem'
    for (const field of ['name', 'alias', 'store_password', 'key_password'] as const)
      if (body[field] === '' && (field === 'name' || !isPem))
        throw new ProductError('reinforce.required', {}, { field })
    const { count } = await db
      .selectFrom('signature_files')
      .select((one) => one.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_FILES) throw new ProductError('quota.reached', { detail: `${MOST_FILES}` })
    // Counted before it is tried, so that calls at one time have no more tries than calls one after the other.
    const tried = await db
      .updateTable('signature_uploads')
      .set((row) => ({ tries: row('tries', '+', 1) }))
      .where('id', '=', upload.id)
      .where('tries', '<', KEY_TRIES)
      .returning('tries')
      .executeTakeFirst()
    if (!tried) throw new ProductError('data.missing')
    const key: SealedKey = {
      file: openKey(secret, upload).file,
      alias: body.alias,
      store_password: body.store_password,
      key_password: body.key_password,
    }
    const answer = await askKeyWorker('open', key, hidden).catch(async (error: unknown) => {
      await giveBack(upload.id)
      throw error
    })
    if ('refused' in answer) {
      const isPassword = answer.refused === 'store-password' || answer.refused === 'key-password'
      const left = KEY_TRIES - tried.tries
      if (!isPassword) await giveBack(upload.id)
      else if (left === 0) await db.deleteFrom('signature_uploads').where('id', '=', upload.id).execute()
      throw refusal(answer, isPassword ? left : undefined)
    }
    if (!('certificates' in answer)) throw new ProductError('signature.format')
    const [own] = answer.certificates
    const id = randomUUID()
    await db.transaction().execute(async (tx) => {
      // Taken once, however often it is asked for at one time.
      const taken = await tx.deleteFrom('signature_uploads').where('id', '=', upload.id).returning('id').execute()
      if (taken.length === 0) throw new ProductError('data.missing')
      await tx
        .insertInto('signature_files')
        .values({
          id,
          application_id: application,
          owner_id: caller.userId,
          name: body.name,
          file_name: upload.name,
          format: upload.format,
          size: upload.size,
          alias: answer.alias,
          sealed: sealKey(secret, { ...key, alias: answer.alias }),
          certificates: JSON.stringify(answer.certificates),
          sha256: own!.sha256,
          not_before: own!.not_before,
          not_after: own!.not_after,
          checked_at: now,
          created_at: now,
        })
        .execute()
    })
    audit(body.name, `${upload.format} ${answer.alias} ${own!.sha256}`)
    return { data: await read(caller, id) }
  })

  mount(saveSignature, async ({ body, caller, audit }) => {
    const row = await findSignature(meta, caller, body.id)
    audit(row.name)
    if (!mayManage(caller, row)) throw new ProductError('signature.not_yours')
    const application = body.appid === null ? null : (await findApplication(meta, caller, body.appid)).id
    const [before, after] = [
      { name: row.name, application: row.application_id },
      { name: body.name, application },
    ]
    audit(row.name, '', changesBetween(before, after))
    await db
      .updateTable('signature_files')
      .set({ name: body.name, application_id: application })
      .where('id', '=', row.id)
      .execute()
    return { data: await read(caller, row.id) }
  })

  mount(checkSignature, async ({ body, caller, audit }) => {
    const row = await findSignature(meta, caller, body.id)
    audit(row.name, row.alias)
    const answer = await askKeyWorker('open', openKey(secret, row), hidden)
    if ('refused' in answer) throw refusal(answer)
    await db.updateTable('signature_files').set({ checked_at: deps.now() }).where('id', '=', row.id).execute()
    return { data: await read(caller, row.id) }
  })

  mount(deleteSignature, async ({ body, caller, audit }) => {
    const row = await findSignature(meta, caller, body.id)
    audit(row.name, `${row.alias} ${row.sha256}`)
    if (!mayManage(caller, row)) throw new ProductError('signature.not_yours')
    await db.deleteFrom('signature_files').where('id', '=', row.id).execute()
    return {}
  })

  /** A try that said nothing about a password. */
  async function giveBack(id: string): Promise<void> {
    await db
      .updateTable('signature_uploads')
      .set((row) => ({ tries: row('tries', '-', 1) }))
      .where('id', '=', id)
      .execute()
  }
}

/** What a key store was refused for, as the field that is wrong; `left`: tries. */
function refusal({ refused, detail }: Extract<KeyAnswer, { refused: unknown }>, left?: number): ProductError {
  const tries =
    left === undefined
      ? ''
      : left === 0
        ? { zh: `，已试 ${KEY_TRIES} 次，请重新上传文件`, en: `, after ${KEY_TRIES} tries: upload the file again` }
        : { zh: `，还可以试 ${left} 次`, en: `, ${left} ${left === 1 ? 'try' : 'tries'} left` }
  if (refused === 'store-password')
    return new ProductError('signature.store_password', { left: tries }, { field: 'store_password', left })
  if (refused === 'key-password')
    return new ProductError('signature.key_password', { left: tries }, { field: 'key_password', left })
  if (refused === 'alias') return new ProductError('signature.alias', {}, { field: 'alias' })
  return new ProductError('signature.unusable', { detail: WHY[refused] ?? detail })
}

const WHY: Partial<Record<Extract<KeyAnswer, { refused: unknown }>['refused'], { zh: string; en: string }>> = {
  certificate: { zh: '文件中没有属于它的证书', en: 'the file has no certificate of it' },
  algorithm: { zh: '加密方式不支持', en: 'it is encrypted in a way that is not known here' },
  limit: { zh: '打开它需要的计算超过上限', en: 'opening it takes more work than is allowed' },
  format: { zh: '文件已损坏', en: 'the file is damaged' },
}
