import type { FastifyReply } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import {
  CHANNEL_ERRORS,
  type ChannelErrorKey,
  type ChannelsVerified,
  channelBases,
  createChannel,
  deleteChannels,
  downloadChannel,
  downloadChannels,
  exportChannels,
  importChannels,
  MOST_CHANNELS,
  moveChannels,
  previewChannels,
  type ReinforceChannel,
  reinforceChannels,
  renameChannel,
  verifyChannels,
} from '#contracts/http/reinforce-channels.ts'
import { readChannelList } from '#engines/channels/channel-list.ts'
import { ZipWriter } from '#engines/zip/zip-writer.ts'
import { clientGone } from '../../http/client-gone.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { findApplication } from '../applications/application-access.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { askChannelWorker } from './ask-channel-worker.ts'
import { type ChannelRow, channelsOf, demandBase, findBases, noteMade, toBase } from './channel-rows.ts'
import { takeSlot } from './making-slots.ts'
import { exportTexts, planImport, shownErrors } from './plan-import.ts'
import { packageNames, packageStream, zipStream } from './send-packages.ts'
import { makeRuns } from './verification-runs.ts'

/** A download whose client has read nothing for this time is ended. */
const IDLE_MS = 600_000
/** Changes that a preview shows, and channels that an audit entry names. */
const MOST_SHOWN = 100
const MOST_NAMED = 20

type Made = { id: number; sha256: string }

/** Promotion channels and their packages. Nothing of a package is read in this process: a worker writes the tails, here they are sent. */
export const reinforceChannelsModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  const verifications = makeRuns<ChannelsVerified>()

  mount(reinforceChannels, async ({ query, caller }) => {
    const application = await findApplication(meta, caller, query.appid)
    const { file = 0, sort, direction, limit, offset } = query
    const shown = channelsOf(meta, application.id, query)
    const column = sort === 'group' ? 'channel.group_name' : (`channel.${sort}` as const)
    const [rows, { count }, groups] = await Promise.all([
      shown
        .leftJoin('reinforce_channel_packages as made', (join) =>
          join.onRef('made.channel_id', '=', 'channel.id').on('made.file_id', '=', file),
        )
        .selectAll('channel')
        .select(['made.place', 'made.size', 'made.whole', 'made.made_at'])
        .orderBy(column, direction)
        .orderBy('channel.id')
        .limit(limit)
        .offset(offset)
        .execute(),
      shown.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      channelsOf(meta, application.id)
        .select(['channel.group_name as name', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('channel.group_name')
        .orderBy('channel.group_name')
        .execute(),
    ])
    return {
      data: rows.map(({ place, size, whole, made_at, ...row }) =>
        toChannel(
          row,
          place === null || size === null || whole === null || made_at === null
            ? null
            : { place, size, whole, made_at },
        ),
      ),
      total: Number(count),
      groups: groups.map((one) => ({ name: one.name, count: Number(one.count) })),
      all: groups.reduce((sum, one) => sum + Number(one.count), 0),
    }
  })

  mount(channelBases, async ({ query, caller }) => {
    const application = await findApplication(meta, caller, query.appid)
    const bases = await findBases(deps, caller, { application: application.id })
    return { data: bases.map((one) => toBase(one, caller)) }
  })

  mount(createChannel, async ({ body, caller, audit }) => {
    audit(body.channel_key, body.name)
    const application = await findApplication(meta, caller, body.appid)
    demandItem(body.channel_key, body.name)
    const now = deps.now()
    const row = await db.transaction().execute(async (tx) => {
      // Locked, so that two at one time do not pass the limit together.
      await tx.selectFrom('applications').select('id').where('id', '=', application.id).forUpdate().execute()
      await demandRoom(tx, application.id, 1)
      return tx
        .insertInto('reinforce_channels')
        .values({
          ...{ application_id: application.id, key: body.channel_key, name: body.name, group_name: body.group },
          ...{ created_at: now, updated_at: now, updated_by: caller.userId },
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
    })
    if (!row) throw new ProductError('channel.exists', { detail: body.channel_key }, { field: 'channel_key' })
    return { data: toChannel(row, null) }
  })

  mount(renameChannel, async ({ body, caller, audit }) => {
    const row = await findChannel(caller, body.id)
    audit(row.key, '', changesBetween({ name: row.name }, { name: body.name }))
    demandItem(row.key, body.name)
    if (row.name === body.name) return { data: toChannel(row, null) }
    const renamed = await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('reinforce_channel_packages').where('channel_id', '=', row.id).execute()
      return tx
        .updateTable('reinforce_channels')
        .set({ name: body.name, updated_at: deps.now(), updated_by: caller.userId })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirst()
    })
    if (!renamed) throw new ProductError('data.missing')
    return { data: toChannel(renamed, null) }
  })

  mount(moveChannels, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    const rows = await findChannels(application.id, body.ids)
    audit(named(rows), body.group)
    await db
      .updateTable('reinforce_channels')
      .set({ group_name: body.group, updated_at: deps.now(), updated_by: caller.userId })
      .where('application_id', '=', application.id)
      .where('id', 'in', body.ids)
      .execute()
    return { moved: rows.length }
  })

  mount(deleteChannels, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    const rows = await findChannels(application.id, body.ids)
    audit(named(rows), `${rows.length} channels`)
    await db
      .deleteFrom('reinforce_channels')
      .where('application_id', '=', application.id)
      .where('id', 'in', body.ids)
      .execute()
    return { deleted: rows.length }
  })

  mount(previewChannels, async ({ body, caller }) => {
    const application = await findApplication(meta, caller, body.appid)
    const existing = await channelsOf(meta, application.id).selectAll('channel').execute()
    const bytes = Buffer.from(body.text)
    const list = readChannelList(bytes, body.file_name)
    const plan = planImport(list, existing, groupNames(body.groups), caller.language)
    return {
      bytes: bytes.length,
      ...countsOf(plan),
      items: list.channels.length,
      errors: shownErrors(list, caller.language),
      groups: plan.groups,
      changes: plan.changed.slice(0, MOST_SHOWN).map(({ key, name, group, before }) => ({
        key,
        before: before.name === name ? before.group_name : before.name,
        after: before.name === name ? group : name,
      })),
    }
  })

  mount(importChannels, async ({ body, caller, audit }) => {
    audit(body.file_name)
    const application = await findApplication(meta, caller, body.appid)
    const list = readChannelList(Buffer.from(body.text), body.file_name)
    const [first] = list.errors
    if (first && (!body.skip || first.line === 0 || list.channels.length === 0)) {
      const place = first.line ? { zh: `第 ${first.line} 行，`, en: `line ${first.line}, ` } : { zh: '', en: '' }
      const words = (language: 'zh' | 'en') => place[language] + shownErrors(list, language)[0]!.message
      throw new ProductError('channel.file', { detail: { zh: words('zh'), en: words('en') } })
    }
    const now = deps.now()
    const by = { updated_at: now, updated_by: caller.userId }
    const plan = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('applications').select('id').where('id', '=', application.id).forUpdate().execute()
      const existing = await tx
        .selectFrom('reinforce_channels')
        .selectAll()
        .where('application_id', '=', application.id)
        .execute()
      const made = planImport(list, existing, groupNames(body.groups), caller.language)
      await demandRoom(tx, application.id, made.added.length)
      if (made.added.length)
        await tx
          .insertInto('reinforce_channels')
          .values(
            made.added.map(({ key, name, group }) => ({
              ...{ application_id: application.id, key, name, group_name: group, created_at: now, ...by },
            })),
          )
          .execute()
      const renamed = made.changed.filter(({ name, before }) => name !== before.name).map(({ id }) => id)
      if (renamed.length) await tx.deleteFrom('reinforce_channel_packages').where('channel_id', 'in', renamed).execute()
      for (const { id, name, group } of made.changed)
        await tx
          .updateTable('reinforce_channels')
          .set({ name, group_name: group, ...by })
          .where('id', '=', id)
          .execute()
      return made
    })
    const counts = countsOf(plan)
    audit(
      body.file_name,
      Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(', '),
    )
    return counts
  })

  mount(exportChannels, async ({ query, caller, reply, audit }) => {
    const application = await findApplication(meta, caller, query.appid)
    const rows = await channelsOf(meta, application.id)
      .selectAll('channel')
      .orderBy('channel.group_name')
      .orderBy('channel.id')
      .execute()
    const texts = exportTexts(rows)
    audit(application.name, `${rows.length} channels`)
    const stem = `${application.name}-channels`
    if (texts.length < 2) {
      download(reply, `${stem}.txt`, 'text/plain; charset=utf-8')
      return texts[0] ?? ''
    }
    const pieces: Uint8Array[] = []
    const archive = new ZipWriter((bytes) => pieces.push(bytes))
    for (const [i, text] of texts.entries()) archive.add(`${stem}-${i + 1}.txt`, Buffer.from(text))
    archive.finish()
    download(reply, `${stem}.zip`, 'application/zip')
    return Buffer.concat(pieces)
  })

  mount(verifyChannels, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    const base = await demandBase(deps, caller, { application: application.id, file: body.file })
    const key = `${caller.userId} ${base.id}`
    const rows = await channelsOf(meta, application.id).selectAll('channel').orderBy('channel.id').execute()
    if (rows.length === 0) throw new ProductError('data.missing')
    if (!verifications.isRunning(key)) audit(`${base.name} ${base.version}`, `${rows.length} channels`)
    const result = await verifications.ask(key, async (signal) => {
      const began = performance.now()
      const release = takeSlot(caller.userId)
      try {
        const { written } = await make(base, rows, signal)
        return {
          channels: rows.length,
          whole: written.tails.filter(({ whole }) => whole).length,
          place: written.place,
          size: written.tails.reduce((sum, { size }) => sum + size, 0),
          tail_ms: written.tailMs,
          all_ms: performance.now() - began,
        }
      } finally {
        release()
      }
    })
    return { result: result ?? null }
  })

  mount(downloadChannel, async ({ query, caller, reply, audit }) => {
    const row = await findChannel(caller, query.id)
    const base = await demandBase(deps, caller, { application: row.application_id, file: query.file })
    audit(`${base.name} ${base.version}`, row.key)
    const { written, file } = await makeFor(reply, caller, base, [row])
    const [name] = packageNames(base.file_name, [row.key])
    download(reply, name!, 'application/vnd.android.package-archive')
    reply.header('content-length', written.tails[0]!.size)
    return packageStream(file, written, 0)
  })

  mount(downloadChannels, async ({ query, caller, reply, audit }) => {
    const application = await findApplication(meta, caller, query.appid)
    const base = await demandBase(deps, caller, { application: application.id, file: query.file })
    const ids = query.ids ? query.ids.split(',').map(Number) : []
    const rows = ids.length
      ? await findChannels(application.id, ids)
      : await channelsOf(meta, application.id, query)
          .selectAll('channel')
          .orderBy('channel.group_name')
          .orderBy('channel.id')
          .execute()
    if (rows.length === 0) throw new ProductError('data.missing')
    audit(`${base.name} ${base.version}`, `${rows.length} channels: ${named(rows)}`)
    const { written, file } = await makeFor(reply, caller, base, rows)
    const names = packageNames(
      base.file_name,
      rows.map(({ key }) => key),
    )
    const { size, stream } = zipStream(file, written, names)
    download(reply, base.file_name.replace(/(\.apk)?$/i, '-channels.zip'), 'application/zip')
    reply.header('content-length', size)
    return stream
  })

  /** Writes and judges the tails for an answer; its place among those that are made is held until the answer ends. */
  function makeFor(reply: FastifyReply, caller: Caller, base: Made, rows: readonly ChannelRow[]) {
    reply.raw.once('close', takeSlot(caller.userId))
    reply.raw.setTimeout(IDLE_MS, () => reply.raw.destroy())
    return make(base, rows, clientGone(reply, new ProductError('server.query_cancelled')))
  }

  async function make(base: Made, rows: readonly ChannelRow[], signal: AbortSignal) {
    const file = await deps.files.open(base.sha256)
    const channels = rows.map(({ key, name }) => ({ key, name }))
    const written = await askChannelWorker({ channels, file, hidden: deps.config.dataFolder, signal })
    await noteMade(meta, base.id, rows, written, deps.now())
    return { written, file }
  }

  /** The channel, or data.missing where the caller may not know of it. */
  async function findChannel(caller: Caller, id: number): Promise<ChannelRow> {
    const row = await db.selectFrom('reinforce_channels').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    await findApplication(meta, caller, String(row.application_id))
    return row
  }

  async function findChannels(application: number, ids: readonly number[]): Promise<ChannelRow[]> {
    const rows = await channelsOf(meta, application)
      .selectAll('channel')
      .where('channel.id', 'in', ids)
      .orderBy('channel.group_name')
      .orderBy('channel.id')
      .execute()
    return demandAll(ids, rows)
  }

  async function demandRoom(tx: typeof db, application: number, more: number): Promise<void> {
    const { count } = await tx
      .selectFrom('reinforce_channels')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('application_id', '=', application)
      .executeTakeFirstOrThrow()
    if (Number(count) + more > MOST_CHANNELS) throw new ProductError('quota.reached', { detail: `${MOST_CHANNELS}` })
  }
}

/** Refuses a key or name that an import file could not have, since the export is one. */
function demandItem(key: string, name: string): void {
  const { channels, errors } = readChannelList(Buffer.from(`${key}:${name}`), 'one.txt')
  const [one] = channels
  if (channels.length === 1 && errors.length === 0 && one?.key === key && one.name === name) return
  // A colon or comma in the key cuts it, a comma in the name cuts that.
  const isKey = readChannelList(Buffer.from(`${key}:name`), 'one.txt').channels[0]?.key !== key
  const wrong: ChannelErrorKey = isKey ? 'key' : errors[0]?.key === 'wide-mark' ? 'wide-mark' : 'value'
  const field = isKey ? 'channel_key' : 'name'
  throw new ProductError('channel.item', { detail: CHANNEL_ERRORS[wrong] }, { field })
}

function groupNames(groups: readonly { line: number; name: string }[]): Map<number, string> {
  return new Map(groups.map(({ line, name }) => [line, name]))
}

function countsOf({ added, changed, unchanged }: ReturnType<typeof planImport>) {
  const renamed = changed.filter(({ name, before }) => name !== before.name).length
  return { added: added.length, renamed, moved: changed.length - renamed, unchanged }
}

function toChannel(row: ChannelRow, made: ReinforceChannel['package']): ReinforceChannel {
  const { id, key, name, group_name: group, created_at, updated_at } = row
  return { id, key, name, group, created_at, updated_at, package: made }
}

function named(rows: readonly ChannelRow[]): string {
  const keys = rows.slice(0, MOST_NAMED).map(({ key }) => key)
  return rows.length > MOST_NAMED ? `${keys.join(', ')} …` : keys.join(', ')
}

function download(reply: FastifyReply, name: string, type: string): void {
  reply.header('content-type', type)
  reply.header('content-disposition', attachment(name))
  reply.header('x-content-type-options', 'nosniff')
}
