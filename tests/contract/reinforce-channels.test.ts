import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import type { AppFile } from '#contracts/http/assets.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import {
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
  reinforceChannels,
  renameChannel,
  verifyChannels,
} from '#contracts/http/reinforce-channels.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { channelOf, judgeChannelTail } from '#engines/channels/channel-tail.ts'
import { type PackageTail, readPackageTail } from '#engines/channels/package-tail.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { type AssetBed, assetBed } from '#tests/support/asset-bed.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { good } from '#tests/support/detection-bed.ts'

let bed: AssetBed
let appid: string
/** Signed with v1, v2 and v3; and with v1 alone. */
let base: AppFile
let old: AppFile
let bytes: Buffer
let oldBytes: Buffer
let authorization: string
const signer = makeKey('release', 'rsa')

const made = (seed: number): Uint8Array =>
  apkBytes({
    ...{ id: 'com.canglan.bank', minSdk: 21, targetSdk: 29, manifest: { versionCode: seed, versionName: `9.${seed}` } },
    files: { 'assets/data.bin': randomBytes(40_000) },
  })
const signed = (seed: number, schemes: SigningScheme[]): Buffer => {
  const zip = readZip(made(seed))
  const request = { key: signer.key, alias: 'release', minSdk: 16, createdBy: 'test', schemes: new Set(schemes) }
  return Buffer.concat(signApk(zip, request).pieces)
}
const ENGLISH = { headers: { 'accept-language': 'en' } }
const tailOf = (content: Uint8Array): PackageTail =>
  readPackageTail((offset, length) => content.subarray(offset, offset + length), content.length)

beforeAll(async () => {
  bed = await assetBed()
  const created = await good(bed.owner, createApplication, { body: { name: '掌上银行', mimetype_list: [1] } })
  appid = created.object_list[0]!.id
  bytes = signed(3, ['v1', 'v2', 'v3'])
  base = (await bed.upload(bytes, 'bank-9.4.0.apk', { appid })).body['file_object'] as AppFile
  oldBytes = signed(4, ['v1'])
  old = (await bed.upload(oldBytes, 'bank-old.apk', { appid })).body['file_object'] as AppFile
  const scopes = ['channel.manage', 'asset.read']
  const { token } = await good(bed.owner, createAccessToken, { body: { name: 'shops', scopes, days: 1 } })
  authorization = `Bearer ${token}`
}, 120_000)
afterAll(() => bed?.app.close())

const list = (query: object = {}, client: ConsoleClient = bed.owner) =>
  good(client, reinforceChannels, { query: { appid, ...query } })
const preview = (text: string, more: object = {}) =>
  good(bed.owner, previewChannels, { body: { appid, file_name: 'channels.txt', text, ...more } })
const bring = (text: string, more: object = {}) =>
  bed.owner.call(importChannels, { body: { appid, file_name: 'channels.txt', text, ...more } }, ENGLISH)
const clear = async () => {
  const { data } = await list({ limit: 200 })
  if (data.length) await good(bed.owner, deleteChannels, { body: { appid, ids: data.map(({ id }) => id) } })
}
const only = async (text: string) => {
  await clear()
  await bring(text)
}
const idOf = async (key: string) => (await list({ search: key })).data.find((one) => one.key === key)!.id
const take = (endpoint: Endpoint, query: Record<string, string | number>, signal?: AbortSignal) =>
  fetch(`${bed.app.url}${endpoint.path}?${new URLSearchParams(query as Record<string, string>)}`, {
    headers: { authorization, 'accept-language': 'en' },
    ...(signal && { signal }),
  })
const verified = async (file: string): Promise<ChannelsVerified> => {
  for (;;) {
    const { result } = await good(bed.owner, verifyChannels, { body: { appid, file: Number(file) } })
    if (result) return result
  }
}
const keyOf = async (answer: Response) => ((await answer.json()) as { key: string }).key

const TEXT = 'store_hw:华为应用市场,store_xm:小米应用商店\n\nbranch_0021:城西支行,branch_0022:江口支行\n'

describe('[HARD-07] channels of an application', () => {
  test('a file is previewed, imported, imported again without a change, and exported as it was', async () => {
    const seen = await preview(TEXT)
    expect(seen).toMatchObject({ added: 4, renamed: 0, moved: 0, unchanged: 0, items: 4, errors: [] })
    expect(seen.bytes).toBe(Buffer.byteLength(TEXT))
    expect(seen.groups).toEqual([
      { line: 1, name: 'Group 1', count: 2, known: false },
      { line: 3, name: 'Group 2', count: 2, known: false },
    ])
    expect((await list()).all).toBe(0)
    const groups = [
      { line: 1, name: '应用商店' },
      { line: 3, name: '网点' },
    ]
    expect((await bring(TEXT, { groups })).body).toMatchObject({ code: 0, added: 4, unchanged: 0 })
    const shown = await list()
    expect(shown.groups.map(({ name, count }) => [name, count]).sort()).toEqual([
      ['应用商店', 2],
      ['网点', 2],
    ])
    // Without names a line is the group that its channels have.
    expect((await bring(TEXT)).body).toMatchObject({ added: 0, renamed: 0, moved: 0, unchanged: 4 })
    const exported = await take(exportChannels, { appid })
    expect(exported.headers.get('content-type')).toContain('text/plain')
    const text = await exported.text()
    expect(text.split('\n').sort()).toEqual(TEXT.split('\n').filter(Boolean).sort())
    expect(await preview(text)).toMatchObject({ added: 0, renamed: 0, moved: 0, unchanged: 4, errors: [] })
  })

  test('every wrong item is named with its line in the language of the caller, and nothing is imported unless it is skipped', async () => {
    await clear()
    const text = 'a:A,b B\na:again\n中:x,c:C,\n'
    const seen = await preview(text)
    expect(seen.errors.map(({ line, item, key }) => [line, item, key])).toEqual([
      [1, 2, 'colon'],
      [2, 1, 'duplicate'],
      [3, 1, 'key'],
      [3, 3, 'comma'],
    ])
    expect(seen.errors[0]!.message).toBe('Item 2: no colon, key:value is expected')
    expect([seen.added, seen.items]).toEqual([2, 2])
    const zh = await bed.owner.call(
      previewChannels,
      { body: { appid, file_name: 'channels.txt', text } },
      { headers: { 'accept-language': 'zh' } },
    )
    expect((zh.body['errors'] as { message: string }[])[0]!.message).toBe('第 2 项缺少冒号，应为 key:value')
    const refused = await bring(text)
    expect([refused.body['key'], refused.body['codemsg']]).toEqual([
      'channel.file',
      'The file is not valid: line 1, Item 2: no colon, key:value is expected',
    ])
    expect((await list()).all).toBe(0)
    expect((await bring(text, { skip: true })).body).toMatchObject({ code: 0, added: 2 })
    expect((await list({ sort: 'key' })).data.map(({ key, name }) => `${key}:${name}`)).toEqual(['a:A', 'c:C'])
  })

  test('a file of another kind, one of 10 KB and an empty one are refused, with skip too', async () => {
    for (const [text, file_name, error] of [
      ['a:1', 'channels.csv', 'type'],
      ['', 'channels.txt', 'empty'],
      [' \n', 'channels.txt', 'empty'],
      [`a:${'x'.repeat(10 * 1024)}`, 'channels.txt', 'size'],
    ] as const) {
      expect((await preview(text, { file_name })).errors.map(({ key, line }) => [key, line])).toEqual([[error, 0]])
      expect((await bring(text, { file_name, skip: true })).body['key']).toBe('channel.file')
    }
  })

  test('an import renames and moves channels that exist, and leaves those that it does not name', async () => {
    await only('a:A,b:B\nc:C')
    const text = 'a:A2,c:C'
    const groups = [{ line: 1, name: 'Group 1' }]
    const seen = await preview(text, { groups })
    expect(seen).toMatchObject({ added: 0, renamed: 1, moved: 1, unchanged: 0 })
    expect(seen.changes).toEqual([
      { key: 'a', before: 'A', after: 'A2' },
      { key: 'c', before: 'Group 2', after: 'Group 1' },
    ])
    await bring(text, { groups })
    expect((await list({ sort: 'key' })).data.map(({ key, name, group }) => [key, name, group])).toEqual([
      ['a', 'A2', 'Group 1'],
      ['b', 'B', 'Group 1'],
      ['c', 'C', 'Group 1'],
    ])
  })

  test('channels are made, renamed, moved and deleted one by one, and what no file could have is refused at its field', async () => {
    await clear()
    const create = (channel_key: string, name: string) =>
      bed.owner.call(createChannel, { body: { appid, channel_key, name, group: '自有' } })
    const made = (await create('web', '官网')).body['data'] as { id: number }
    expect((await create('web', '别的')).body).toMatchObject({ key: 'channel.exists', field: 'channel_key' })
    for (const [key, name, field] of [
      ['中石', '加油', 'channel_key'],
      ['a:b', '加油', 'channel_key'],
      ['a,b', '加油', 'channel_key'],
      ['gas', 'a,b:c', 'name'],
      ['gas', 'a,b', 'name'],
      ['gas', 'a\u0007', 'name'],
    ])
      expect((await create(key!, name!)).body, `${key} ${name}`).toMatchObject({ key: 'channel.item', field })
    expect((await list()).all).toBe(1)
    const renamed = await good(bed.owner, renameChannel, { body: { id: made.id, name: '官网首页' } })
    expect(renamed.data).toMatchObject({ key: 'web', name: '官网首页', group: '自有' })
    expect(await good(bed.owner, moveChannels, { body: { appid, ids: [made.id], group: '落地页' } })).toMatchObject({
      moved: 1,
    })
    expect((await list()).groups).toEqual([{ name: '落地页', count: 1 }])
    expect(await good(bed.owner, deleteChannels, { body: { appid, ids: [made.id] } })).toMatchObject({ deleted: 1 })
    for (const call of [
      bed.owner.call(renameChannel, { body: { id: made.id, name: 'x' } }),
      bed.owner.call(moveChannels, { body: { appid, ids: [made.id], group: 'x' } }),
      bed.owner.call(deleteChannels, { body: { appid, ids: [made.id] } }),
    ])
      expect((await call).body['key']).toBe('data.missing')
  })

  test('the list is searched, filtered by group, sorted and paged; a search is no pattern', async () => {
    await only('ad_1:信息流 1,ad_2:信息流 2\nshop_1:50% 店')
    expect((await list({ search: '信息流' })).total).toBe(2)
    expect((await list({ search: '%' })).data.map(({ key }) => key)).toEqual(['shop_1'])
    expect((await list({ search: 'AD_' })).total).toBe(2)
    const filtered = await list({ group: 'Group 2' })
    expect([filtered.total, filtered.all, filtered.groups.length]).toEqual([1, 3, 2])
    const page = await list({ sort: 'key', direction: 'desc', limit: 1, offset: 1 })
    expect([page.data[0]!.key, page.total]).toEqual(['ad_2', 3])
  })

  test('more channels than an application may have are refused as a whole', async () => {
    await clear()
    const row = (i: number) => ({
      ...{ application_id: Number(appid), key: `k${i}`, name: `n ${i}`, group_name: 'many', updated_by: null },
      ...{ created_at: 1, updated_at: 1 },
    })
    const { db } = bed.app.meta
    const rows = Array.from({ length: MOST_CHANNELS - 1 }, (_, i) => row(i))
    await db.insertInto('reinforce_channels').values(rows).execute()
    expect((await bring('x:1,y:2')).body['key']).toBe('quota.reached')
    expect((await list()).all).toBe(MOST_CHANNELS - 1)
    // 20 KB and more do not fit one file that can be imported: the export is several.
    const answer = await take(exportChannels, { appid })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    const zip = readZip(new Uint8Array(await answer.arrayBuffer()))
    const parts = zip.entries.map((entry) => Buffer.from(entryBytes(zip, entry)).toString())
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThan(10 * 1024)
    expect(parts.flatMap((part) => part.split(/[,\n]/)).length).toBe(MOST_CHANNELS - 1)
    await db.deleteFrom('reinforce_channels').where('application_id', '=', Number(appid)).execute()
  })

  test('[ROLE-01] channels of others do not exist', async () => {
    await only('a:A')
    const id = await idOf('a')
    const file = Number(base.id)
    for (const asked of [
      bed.stranger.call(reinforceChannels, { query: { appid } }),
      bed.stranger.call(channelBases, { query: { appid } }),
      bed.stranger.call(createChannel, { body: { appid, channel_key: 'b', name: 'B', group: 'g' } }),
      bed.stranger.call(renameChannel, { body: { id, name: 'B' } }),
      bed.stranger.call(moveChannels, { body: { appid, ids: [id], group: 'g' } }),
      bed.stranger.call(deleteChannels, { body: { appid, ids: [id] } }),
      bed.stranger.call(previewChannels, { body: { appid, file_name: 'a.txt', text: 'a:1' } }),
      bed.stranger.call(importChannels, { body: { appid, file_name: 'a.txt', text: 'a:1' } }),
      bed.stranger.call(exportChannels, { query: { appid } }),
      bed.stranger.call(verifyChannels, { body: { appid, file: Number(file) } }),
      bed.stranger.call(downloadChannel, { query: { id, file } }),
      bed.stranger.call(downloadChannels, { query: { appid, file } }),
    ])
      expect((await asked).body['key']).toBe('data.missing')
    // Nor does his own application reach into them.
    const other = await good(bed.stranger, createApplication, { body: { name: 'Other', mimetype_list: [1] } })
    const own = { appid: other.object_list[0]!.id, ids: [id] }
    expect((await bed.stranger.call(deleteChannels, { body: own })).body['key']).toBe('data.missing')
    expect((await bed.stranger.call(downloadChannels, { query: { ...own, ids: String(id), file } })).body['key']).toBe(
      'data.missing',
    )
  })

  test('who manages channels and may not download packages is refused their bytes', async () => {
    const { db } = bed.app.meta
    const scopes = ['channel.manage']
    const { token } = await good(bed.owner, createAccessToken, { body: { name: 'only', scopes, days: 1 } })
    const query = new URLSearchParams({ id: String(await idOf('a')), file: base.id })
    const answer = await fetch(`${bed.app.url}${downloadChannel.path}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await keyOf(answer)).toBe('permission.missing')
    expect(await db.selectFrom('reinforce_channel_packages').selectAll().execute()).toEqual([])
  })
})

describe('[HARD-07] channel packages', { timeout: 150_000 }, () => {
  const CHANNELS = 'store_hw:华为应用市场,store_xm:小米应用商店\nStore_HW:Upper,branch_0022:江口支行'

  test('packages are listed with where a channel goes, and with the reason where it cannot', async () => {
    const unsigned = await bed.upload(made(9), 'unsigned.apk', { appid })
    expect(unsigned.body['code']).toBe(0)
    const { data } = await good(bed.owner, channelBases, { query: { appid } })
    const of = (name: string) => data.find(({ file_name }) => file_name === name)
    expect(of('bank-9.4.0.apk')).toMatchObject({ place: 'block', reason: '', schemes: ['v1', 'v2', 'v3'] })
    expect(of('bank-old.apk')).toMatchObject({ place: 'meta', reason: '', schemes: ['v1'] })
    expect(of('unsigned.apk')).toMatchObject({ place: null, reason: 'it is not signed, sign it first' })
    await only(CHANNELS)
    const file = Number(of('unsigned.apk')!.id)
    const refused = await bed.owner.call(verifyChannels, { body: { appid, file: Number(file) } }, ENGLISH)
    expect([refused.body['key'], refused.body['codemsg']]).toEqual([
      'channel.package',
      'No channel can be written into this package: it is not signed, sign it first',
    ])
  })

  test('the package of one channel is the file with another tail, with the size that was said, and verifies', async () => {
    await only(CHANNELS)
    for (const [file, place] of [
      [base, 'block'],
      [old, 'meta'],
    ] as const) {
      const answer = await take(downloadChannel, { file: file.id, id: await idOf('store_hw') })
      expect(answer.headers.get('content-disposition')).toContain('-store_hw.apk')
      const got = Buffer.from(await answer.arrayBuffer())
      expect(Number(answer.headers.get('content-length'))).toBe(got.length)
      const original = place === 'block' ? bytes : oldBytes
      const tail = tailOf(original)
      expect(got.subarray(0, tail.bodySize).equals(original.subarray(0, tail.bodySize))).toBe(true)
      const channel = { key: 'store_hw', name: '华为应用市场' }
      expect(judgeChannelTail(tailOf(got), tail, channel)).toBeUndefined()
      expect(verifyApk(got)).toMatchObject({ verified: true })
      const made = (await list({ file: file.id, search: 'store_hw' })).data.find(({ key }) => key === 'store_hw')
      expect(made!.package).toMatchObject({ place, size: got.length, whole: true })
    }
  })

  test('a ZIP has a stored package for each channel, its length is known before, and names differ without regard to case', async () => {
    await only(CHANNELS)
    const answer = await take(downloadChannels, { appid, file: base.id })
    const got = new Uint8Array(await answer.arrayBuffer())
    expect(Number(answer.headers.get('content-length'))).toBe(got.length)
    const zip = readZip(got)
    expect(zip.entries.flatMap(({ notes }) => notes)).toEqual([])
    expect(zip.entries.map(({ name }) => name.toLowerCase()).sort()).toEqual([
      'bank-9.4.0-branch_0022.apk',
      'bank-9.4.0-store_hw.apk',
      'bank-9.4.0-store_hw~2.apk',
      'bank-9.4.0-store_xm.apk',
    ])
    const tail = tailOf(bytes)
    const keys = zip.entries.map((entry) => {
      expect(entry.method).toBe(0)
      const one = entryBytes(zip, entry)
      expect(verifyApk(one)).toMatchObject({ verified: true })
      const found = channelOf(tailOf(one))!
      expect(judgeChannelTail(tailOf(one), tail, found)).toBeUndefined()
      return found.key
    })
    expect(keys.sort()).toEqual(['Store_HW', 'branch_0022', 'store_hw', 'store_xm'])
    const ids = `${await idOf('store_xm')},${await idOf('branch_0022')}`
    const chosen = readZip(
      new Uint8Array(await (await take(downloadChannels, { appid, file: base.id, ids })).arrayBuffer()),
    )
    expect(chosen.entries.length).toBe(2)
    const group = readZip(
      new Uint8Array(await (await take(downloadChannels, { appid, file: base.id, group: 'Group 1' })).arrayBuffer()),
    )
    expect(group.entries.length).toBe(2)
  })

  test('all are verified without being sent; a rename makes the package of a channel unverified again', async () => {
    await only(Array.from({ length: 12 }, (_, i) => `shop_${i}:Shop ${i}`).join(','))
    const done = await verified(base.id)
    expect(done).toMatchObject({ channels: 12, whole: 3, place: 'block' })
    expect(done.all_ms).toBeGreaterThan(done.tail_ms)
    const made = async () => (await list({ file: base.id, sort: 'key' })).data
    expect((await made()).map((one) => one.package?.size ?? 0).reduce((sum, size) => sum + size, 0)).toBe(done.size)
    expect((await made()).filter((one) => one.package?.whole).length).toBe(3)
    const [first] = await made()
    await good(bed.owner, renameChannel, { body: { id: first!.id, name: 'Other' } })
    expect((await made())[0]!.package).toBeNull()
    // Of another package none was made.
    expect((await list({ file: old.id })).data.every((one) => one.package === null)).toBe(true)
  })

  test('a package that has a channel in META-INF already, and one that does not read as it did, are refused with the reason', async () => {
    await only('shop_1:One,shop_2:Two,shop_3:Three')
    const answer = await take(downloadChannel, { file: old.id, id: await idOf('shop_1') })
    const taken = Buffer.from(await answer.arrayBuffer())
    const uploaded = (await bed.upload(taken, 'taken.apk', { appid })).body['file_object'] as AppFile
    const refused = await bed.owner.call(verifyChannels, { body: { appid, file: Number(uploaded.id) } }, ENGLISH)
    expect(refused.body['codemsg']).toContain('META-INF has a channel already')
    // A record that says more than the bytes hold: the worker has the last word.
    const broken = Buffer.from(bytes)
    broken[broken.indexOf('data.bin') + 200]! ^= 1
    const file = (await bed.upload(broken, 'broken.apk', { appid })).body['file_object'] as AppFile
    const update = bed.app.meta.db.updateTable('app_files').set({ signature: 'verified' })
    await update.where('id', '=', Number(file.id)).execute()
    const said = await bed.owner.call(verifyChannels, { body: { appid, file: Number(file.id) } }, ENGLISH)
    expect(said.body['codemsg']).toContain('its signature does not verify')
  })

  test('an AAB, and an APK that only v3.1 signs, are listed with the reason and refused', async () => {
    await only('shop_1:One')
    const channel = await idOf('shop_1')
    const { meta } = bed.app
    const record = meta.db.selectFrom('app_files').select(['kind', 'facts']).where('id', '=', Number(base.id))
    const before = await record.executeTakeFirstOrThrow()
    const change = (set: { kind?: string; facts?: string }) =>
      meta.db.updateTable('app_files').set(set).where('id', '=', Number(base.id)).execute()
    const v31 = { ...before.facts, schemes: [{ scheme: 'v31', state: 'valid' }] }
    for (const [set, reason] of [
      [{ kind: 'aab' }, 'channels are written into APKs only'],
      [{ facts: JSON.stringify(v31) }, 'v3.1 alone'],
    ] as const) {
      await change(set)
      const { data } = await good(bed.owner, channelBases, { query: { appid } })
      const listed = data.find(({ id }) => id === base.id)!
      expect([listed.place, listed.reason]).toEqual([null, expect.stringContaining(reason)])
      const refused = await take(downloadChannel, { file: base.id, id: channel })
      expect(await keyOf(refused)).toBe('channel.package')
      await change({ kind: before.kind, facts: JSON.stringify(before.facts) })
    }
    expect((await take(downloadChannel, { file: base.id, id: channel })).status).toBe(200)
  })

  test('an account makes two at one time; a client that goes away gives its place back', async () => {
    await only('shop_1:One,shop_2:Two,shop_3:Three')
    const ends = [new AbortController(), new AbortController()]
    const query = { appid, file: base.id }
    const streams = await Promise.all(ends.map(({ signal }) => take(downloadChannels, query, signal)))
    // Answers that are small enough may be sent whole before anyone reads: only those that last hold a place.
    const waiting = streams.map((one) => one.body!.getReader())
    await Promise.all(waiting.map((reader) => reader.read()))
    for (const end of ends) end.abort()
    await Promise.all(waiting.map((reader) => reader.read().catch(() => undefined)))
    for (const limit = Date.now() + 60_000; ; await sleep(100)) {
      const again = await take(downloadChannels, query)
      if (again.status === 200) {
        expect((await again.arrayBuffer()).byteLength).toBe(Number(again.headers.get('content-length')))
        break
      }
      expect(await keyOf(again)).toBe('channel.busy')
      if (Date.now() > limit) throw new Error('the places were not given back')
    }
    const four = await Promise.all(Array.from({ length: 4 }, () => take(downloadChannels, query)))
    const refused = four.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(1)
    for (const one of refused) expect(await keyOf(one)).toBe('channel.busy')
    await Promise.all(four.filter(({ status }) => status === 200).map((one) => one.arrayBuffer()))
  })

  test('what is taken and changed is in the audit trail', async () => {
    const rows = await bed.app.meta.db.selectFrom('audit_log').select(['action', 'detail', 'result']).execute()
    for (const action of ['importChannels', 'exportChannels', 'verifyChannels', 'downloadChannel', 'downloadChannels'])
      expect(
        rows.some((row) => row.action === action && row.result === 'ok'),
        action,
      ).toBe(true)
    expect(rows.some(({ action }) => action === 'previewChannels')).toBe(false)
    expect(rows.find(({ action, result }) => action === 'importChannels' && result === 'ok')?.detail).toBe(
      '4 added, 0 renamed, 0 moved, 0 unchanged',
    )
  })

  test.skipIf(spawnSync('apksigner', ['--version']).status !== 0)('apksigner takes a channel package', async () => {
    await only('shop_1:One,shop_2:Two,shop_3:Three')
    const folder = mkdtempSync(join(tmpdir(), 'channel-'))
    try {
      for (const file of [base, old]) {
        const answer = await take(downloadChannel, { file: file.id, id: await idOf('shop_2') })
        const path = join(folder, `${file.id}.apk`)
        writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
        const judged = spawnSync('apksigner', ['verify', '--min-sdk-version', '21', path], { encoding: 'utf8' })
        expect([judged.status, judged.stderr]).toEqual([0, ''])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
