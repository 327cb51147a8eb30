import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  platformInfo,
  platformLogo,
  setTool,
  sysFile,
  TEMPLATE_LIMITS,
  TEMPLATE_USES,
  type TemplateFile,
  type TemplateUse,
  templateFile,
  USE_PLACEHOLDERS,
} from '#contracts/http/platform-info.ts'
import { placeholdersIn } from '#domain/platform-text.ts'
import type { HttpModule } from '../../http/http-deps.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { drawLogo } from '../../platform/pictures/draw-logo.ts'
import { logoAddress, readLogo, writeLogo } from '../../platform/platform-info/own-logo.ts'
import { platformName, readOwnText } from '../../platform/platform-info/own-texts.ts'
import { writeSettings } from '../../platform/settings.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { readTemplateFile } from './read-template-file.ts'

/** Uploaded files that were not saved are deleted after `ms`, and earlier where there are more than `files` of them. */
const UNSAVED = { ms: 86_400_000, files: 20 }

/** What the platform says about itself: name, logo, template files. */
export const platformInfoModule: HttpModule = (mount, deps) => {
  const { meta } = deps
  const { db } = meta

  mount(platformInfo, async ({ caller }) => ({ data: await read(caller.language) }))

  mount(setTool, async ({ body, caller, audit }) => {
    const { product, name, logo, files } = body
    const uses = files.map(({ use }) => use)
    audit(name || product, JSON.stringify({ product, name, logo: logo === undefined ? 'kept' : logo && 'new', uses }))
    if (files.length === 0) throw new ProductError('info.no_files')
    if (files.length > TEMPLATE_LIMITS.files) throw new ProductError('info.too_many_files')
    const twice = uses.find((use, at) => uses.indexOf(use) !== at)
    if (twice) throw new ProductError('info.same_use', { use: TEMPLATE_USES[twice][caller.language] })
    const rows = await db
      .selectFrom('platform_files')
      .selectAll()
      .where(
        'id',
        'in',
        files.map(({ id }) => id),
      )
      .execute()
    for (const { id, use } of files) {
      const row = rows.find((one) => one.id === id)
      if (!row) throw new ProductError('data.missing')
      const known: readonly string[] = USE_PLACEHOLDERS[use]
      const unknown = placeholdersIn(row.content).find((one) => !known.includes(one))
      if (unknown !== undefined) throw new ProductError('info.placeholder', { file: row.name, name: unknown })
    }
    const png = logo ? await drawLogo(Buffer.from(logo, 'base64')) : null
    if (png === undefined) throw new ProductError('report.logo')
    const before = await read(caller.language)
    await db.transaction().execute(async (tx) => {
      const kept = files.map(({ id }) => id)
      await tx.deleteFrom('platform_files').where('use', 'is not', null).where('id', 'not in', kept).execute()
      // Two files may swap their uses, which are unique: all are cleared before they are set.
      await tx.updateTable('platform_files').set({ use: null }).where('id', 'in', kept).execute()
      for (const { id, use } of files)
        await tx.updateTable('platform_files').set({ use }).where('id', '=', id).execute()
      if (logo !== undefined) await writeLogo({ db: tx }, png)
    })
    await writeSettings(meta, { product, product_name: name })
    await deps.refreshSettings()
    const after = await read(caller.language)
    audit(name || product, '', changesBetween(facts(before), facts(after)))
    return { data: after }
  })

  mount(sysFile, async ({ file, caller, audit }) => {
    audit(file?.name ?? '')
    if (!file) throw new ProductError('info.no_files')
    const now = deps.now()
    const row = {
      ...(await readTemplateFile(file)),
      ...{ id: randomUUID(), use: null, bytes: file.size, uploaded_by: caller.userId, uploaded_at: now },
    }
    await db.insertInto('platform_files').values(row).execute()
    await db
      .deleteFrom('platform_files')
      .where('use', 'is', null)
      .where((where) =>
        where.or([
          where('uploaded_at', '<', now - UNSAVED.ms),
          where('id', 'in', (rows) =>
            rows
              .selectFrom('platform_files')
              .select('id')
              .where('use', 'is', null)
              .orderBy('uploaded_at', 'desc')
              .orderBy('id')
              .offset(UNSAVED.files),
          ),
        ]),
      )
      .execute()
    return { file_object: toFile(row) }
  })

  mount(templateFile, async ({ query, reply }) => {
    const row = await db.selectFrom('platform_files').selectAll().where('id', '=', query.id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('content-disposition', attachment(row.name))
    return row.content
  })

  mount(platformLogo, async ({ query, reply }) => {
    const logo = await readLogo(meta)
    if (!logo) throw new ProductError('data.missing')
    reply.header('content-type', 'image/png')
    // An address without the current version still shows the current logo, and is asked for again.
    reply.header('cache-control', query.v === logo.version ? 'public, max-age=31536000, immutable' : 'no-cache')
    return logo.png
  })

  async function read(language: 'zh' | 'en') {
    const settings = deps.settings()
    const rows = await db.selectFrom('platform_files').selectAll().where('use', 'is not', null).execute()
    const order = Object.keys(TEMPLATE_USES)
    return {
      product: settings.product,
      name: settings.product_name,
      logo: await logoAddress(meta),
      files: rows.map(toFile).sort((a, b) => order.indexOf(a.use as string) - order.indexOf(b.use as string)),
      about: await readOwnText(meta, 'about', { platform: platformName(settings, language) }),
    }
  }
}

function toFile(row: {
  id: string
  name: string
  bytes: number
  use: string | null
  uploaded_at: number
}): TemplateFile {
  const { id, name, bytes, uploaded_at } = row
  return { id, name, bytes, use: row.use as TemplateUse | null, uploaded_at }
}

/** What an audit entry compares. */
function facts({
  product,
  name,
  logo,
  files,
}: {
  product: string
  name: string
  logo: string | null
  files: TemplateFile[]
}) {
  return { product, name, logo: logo ?? '', files: files.map((file) => `${file.use}: ${file.name}`) }
}
