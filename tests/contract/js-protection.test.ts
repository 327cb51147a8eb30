import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { createUpload } from '#contracts/http/assets.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  cancelScripts,
  deleteScripts,
  downloadScript,
  downloadScriptLog,
  measureScript,
  PRESET_PARTS,
  protectScript,
  type Script,
  type ScriptPreset,
  scriptDetail,
  scripts,
  uploadScript,
} from '#contracts/http/js-protection.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import { STRENGTH_PARTS } from '#engines/jsguard/strength-options.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { scriptIsolation } from '#server/modules/js-protection/ask-script-worker.ts'
import { runMeasure } from '#server/modules/js-protection/measure-job.ts'
import { runProtection, type ScriptJobDeps } from '#server/modules/js-protection/protect-job.ts'
import { writeParts } from '#server/modules/reports/report-sources.ts'
import { fileReferences } from '#server/platform/file-references.ts'
import { type JobQueue, startJobQueue } from '#server/platform/queue/job-queue.ts'
import { measureQueue, scriptQueue } from '#server/processes/work-queues.ts'
import { type AssetBed, assetBed, named } from '#tests/support/asset-bed.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { ENGLISH, good } from '#tests/support/detection-bed.ts'
import { writeZip } from '#tests/support/zip-writer.ts'

const PAY = `function transferFee(amount, level) {
  if (level === 'platinum-customer') return 0
  return Math.max(2, Math.round(amount * 0.001)) + ' secret currency words'
}
function greet(name) { return 'good morning, dear customer ' + name }
`
const OPTIONS = { preset: 'medium' }

let bed: AssetBed
let queue: JobQueue
const deps = {} as ScriptJobDeps
beforeAll(async () => {
  bed = await assetBed()
  const { app } = bed
  const { meta } = app
  Object.assign(deps, {
    meta,
    files: app.deps.files,
    now: app.deps.now,
    isolation: () => scriptIsolation(app.config.dataFolder),
  } satisfies ScriptJobDeps)
  queue = await startJobQueue({
    meta,
    database: app.database,
    zone: 'Asia/Shanghai',
    queues: [
      scriptQueue(meta, (id, signals) => runProtection(deps, id, signals), app.deps.now),
      measureQueue(meta, (id, signals) => runMeasure(deps, id, signals)),
    ],
    retain: async () => {},
  })
}, 120_000)
afterAll(async () => {
  await queue?.stop()
  await bed?.app.close()
})

/** Sends bytes as the owner; answers the upload's id. */
async function sent(bytes: Uint8Array | string, name: string): Promise<string> {
  const body = Buffer.from(bytes as string)
  const headers = { 'upload-length': String(body.length), 'upload-metadata': named(name) }
  const path = (await bed.tus('POST', createUpload.path, headers)).headers.get('location') as string
  await bed.tus('PATCH', path, { 'upload-offset': '0' }, body)
  return path.split('/').at(-1) as string
}
const refusal = async (bytes: Uint8Array | string, name: string) =>
  (await bed.owner.call(uploadScript, { body: { upload: await sent(bytes, name) } }, ENGLISH)).body
const uploaded = async (bytes: Uint8Array | string, name: string, more: Record<string, unknown> = {}) =>
  (await good(bed.owner, uploadScript, { body: { upload: await sent(bytes, name), ...more } })).data

type Detail = ResponseOf<typeof scriptDetail>
async function until(id: string, is: (detail: Detail) => boolean, client: ConsoleClient = bed.owner): Promise<Detail> {
  const limit = Date.now() + 50_000
  for (;;) {
    const detail = await good(client, scriptDetail, { query: { id } })
    if (is(detail)) return detail
    if (Date.now() > limit) throw new Error(`still ${detail.data.state}, measuring ${detail.measure.state}`)
    await sleep(100)
  }
}
const ended = (id: string) => until(id, ({ data }) => data.state !== 'waiting' && data.state !== 'encrypting')
async function encrypted(script: Script, options: Record<string, unknown> = OPTIONS): Promise<Detail> {
  await good(bed.owner, protectScript, { body: { id: script.id, options } })
  return await ended(script.id)
}
async function downloaded(id: string, part: string): Promise<Buffer> {
  const cookie = [...bed.owner.cookies].map((pair) => pair.join('=')).join('; ')
  const reply = await fetch(`${bed.app.url}${downloadScript.path}?id=${id}&part=${part}`, { headers: { cookie } })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  return Buffer.from(await reply.arrayBuffer())
}

describe('uploads', () => {
  test('[JS-01] only a script or a zip of scripts is taken: JS format!', async () => {
    for (const [bytes, name] of [
      ['text', 'a.txt'],
      ['PK\x03\x04', 'a.apk'],
      [Buffer.from([0, 1, 2, 3]), 'a.js'],
      ['no archive', 'a.zip'],
      [writeZip([{ name: 'a.txt', data: 'x' }]), 'b.zip'],
    ] as const) {
      expect(await refusal(bytes, name), name).toMatchObject({ key: 'script.format', codemsg: 'JS format!' })
    }
    expect(readdirSync(bed.app.config.paths.uploads)).toEqual([])
  })

  test('[JS-01] without an upload: Please upload JS file first', async () => {
    const none = (await bed.owner.call(uploadScript, { body: {} }, ENGLISH)).body
    expect(none).toMatchObject({ key: 'script.none', codemsg: 'Please upload JS file first' })
    const run = (await bed.owner.call(protectScript, { body: { id: '', options: OPTIONS } }, ENGLISH)).body
    expect(run).toMatchObject({ key: 'script.none', codemsg: 'Please upload JS file first' })
  })

  test('archives that lead out of their folder, bombs and damaged ones are refused with the reason', async () => {
    const script = { name: 'a.js', data: 'var a' }
    const climbing = await refusal(writeZip([script, { name: '../../b.js', data: 'x' }]), 'a.zip')
    expect(climbing).toMatchObject({ key: 'script.archive', codemsg: expect.stringContaining('leads upwards') })
    const bomb = writeZip([script, { name: 'b.js', data: Buffer.alloc(60 * 2 ** 20, 0x20) }])
    expect(bomb.length).toBeLessThan(200_000)
    expect(await refusal(bomb, 'a.zip')).toMatchObject({ key: 'script.archive' })
    expect(await refusal(writeZip([script]).subarray(0, 40), 'a.zip')).toMatchObject({ key: 'script.archive' })
  })

  test('an upload of another account, an incomplete one and a foreign application are refused', async () => {
    const id = await sent(PAY, 'a.js')
    expect((await bed.stranger.call(uploadScript, { body: { upload: id } })).body['key']).toBe('data.missing')
    const created = await bed.tus('POST', createUpload.path, { 'upload-length': '9', 'upload-metadata': named('y.js') })
    const half = (created.headers.get('location') as string).split('/').at(-1)
    expect((await bed.owner.call(uploadScript, { body: { upload: half } })).body['key']).toBe('asset.incomplete')
    const made = await good(bed.stranger, createApplication, { body: { name: 'Theirs', mimetype_list: [1] } })
    const appid = made.object_list[0]?.id
    expect((await bed.owner.call(uploadScript, { body: { upload: id, appid } })).body['key']).toBe('data.missing')
  })
})

describe('measuring', () => {
  test('size, time and results of each preset are measured on the uploaded code itself', async () => {
    const script = await uploaded(PAY, 'pay.js')
    expect(script).toMatchObject({ state: 'uploaded', kind: 'js', files: 1, scripts: 1, operator: 'owner@example.com' })
    const { measure, functions } = await until(script.id, ({ measure: one }) => one.state === 'done')
    expect(measure.sample).toEqual(['pay.js'])
    expect(measure.sample_bytes).toBe(PAY.length)
    expect(measure.costs.map(({ preset, strength, steps }) => [preset, strength, steps])).toEqual([
      ['low', 'low', 0],
      ['medium', 'medium', 0],
      ['high', 'high', 0],
    ])
    const [low, medium, high] = measure.costs.map(({ size_factor }) => size_factor ?? 0)
    expect(low).toBeGreaterThan(0.5)
    expect(medium).toBeGreaterThan(low ?? 0)
    expect(high).toBeGreaterThan(medium ?? 0)
    const isolation = await deps.isolation()
    const mayRun = !isolation.missing.some((one) => /network|user/.test(one))
    expect(measure.untimed).toBe(mayRun ? '' : 'isolation')
    if (mayRun)
      for (const { preset, trial } of measure.costs) {
        expect(trial, preset).toMatchObject({ calls: 10, same: 10 })
        expect(trial?.slowdown, preset).toBeGreaterThan(0)
      }
    expect(functions.map(({ name, line }) => [name, line])).toEqual([
      ['transferFee', 1],
      ['greet', 5],
    ])
    expect(functions[0]?.before).toContain('platinum-customer')
    expect(functions[0]?.after.high?.code).not.toContain('platinum-customer')
  }, 60_000)

  test('a script that cannot be read says where, and is measured again on demand', async () => {
    const script = await uploaded('var a = 1\nfunction f( {', 'broken.js')
    const { measure } = await until(script.id, ({ measure: one }) => one.state === 'failed')
    expect(measure.note).toMatch(/^syntax error: 2:14 /)
    await good(bed.owner, measureScript, { body: { id: script.id } })
    expect((await until(script.id, ({ measure: one }) => one.state === 'failed')).measure.costs).toEqual([])
  }, 60_000)

  test('measuring that ends at its time limit without a figure says so', async () => {
    deps.measureSeconds = 0.01
    try {
      const script = await uploaded(PAY, 'unmeasured.js')
      const { measure } = await until(script.id, ({ measure: one }) => one.state === 'failed')
      expect(measure).toMatchObject({ note: 'over the time limit', costs: [] })
    } finally {
      delete deps.measureSeconds
    }
  }, 60_000)

  test('a preset switches on the same parts on the page and in the engine', () => {
    for (const preset of Object.keys(PRESET_PARTS) as ScriptPreset[])
      expect(PRESET_PARTS[preset], preset).toEqual(STRENGTH_PARTS[preset])
  })
})

describe('encryption', () => {
  test('[JS-01] a script is encrypted, downloaded, audited, and does the same', async () => {
    const script = await uploaded(PAY, 'pay.js')
    const { data, outcomes } = await encrypted(script, { ...OPTIONS, source_map: true })
    expect(data).toMatchObject({ state: 'encrypted', progress: 1, done: 1, stepped: 0, kept: 0, has_map: true })
    expect(outcomes).toMatchObject([{ name: 'pay.js', outcome: 'protected', strength: 'medium', reason: null }])
    const code = (await downloaded(script.id, 'code')).toString()
    expect(code).not.toMatch(/secret currency words|dear customer/)
    expect(runInNewContext(`${code};transferFee(60000, 'gold')`)).toBe('60 secret currency words')
    expect((await downloaded(script.id, 'source')).toString()).toBe(PAY)
    expect(JSON.parse((await downloaded(script.id, 'map')).toString())).toMatchObject({ version: 3 })
    const { data: entries } = await good(bed.owner, scripts, {})
    expect(entries.find(({ id }) => id === script.id)?.state).toBe('encrypted')
    const rows = await bed.app.meta.db.selectFrom('audit_log').select(['action', 'target']).execute()
    expect(rows.filter(({ target }) => target === 'pay.js').map(({ action }) => action)).toEqual(
      expect.arrayContaining([expect.stringMatching(/upload/i), expect.stringMatching(/protect/i)]),
    )
  }, 60_000)

  test('an archive keeps folders, order and other files; a file that fails keeps its original and is named', async () => {
    const entries = [
      { name: 'www/', data: '', deflate: false },
      { name: 'www/z.js', data: PAY },
      { name: 'www/图/index.html', data: '<html>其他文件</html>' },
      { name: 'www/broken.js', data: 'var a = 1\nfunction f( {' },
      { name: 'a.mjs', data: 'export const word = "another secret"', deflate: false },
    ]
    const script = await uploaded(writeZip(entries, { comment: Buffer.from('note') }), 'h5.zip')
    expect(script).toMatchObject({ kind: 'zip', files: 4, scripts: 3 })
    const { data, outcomes } = await encrypted(script, { ...OPTIONS, preset: 'low', source_map: true })
    expect(data).toMatchObject({ state: 'encrypted', done: 3, kept: 1, stepped: 0 })
    expect(outcomes[0]).toMatchObject({ name: 'www/broken.js', outcome: 'kept', reason: 'syntax', line: 2, column: 14 })
    const zip = readZip(await downloaded(script.id, 'code'))
    expect(zip.entries.map(({ name }) => name)).toEqual(entries.map(({ name }) => name))
    const textOf = (index: number) => Buffer.from(entryBytes(zip, zip.entries[index]!)).toString()
    expect(textOf(2)).toBe(entries[2]?.data)
    expect(textOf(3)).toBe(entries[3]?.data)
    expect(textOf(1)).not.toBe(PAY)
    const maps = readZip(await downloaded(script.id, 'map'))
    expect(maps.entries.map(({ name }) => name).toSorted()).toEqual(['a.mjs.map', 'www/z.js.map'])
    const log = await bed.owner.call(downloadScriptLog, { query: { id: script.id } })
    expect(log.text).toMatch(/www\/broken\.js\t.*2:14/)
  }, 60_000)

  test('a script that cannot be encrypted fails with line and column; again after a failure is possible', async () => {
    const script = await uploaded('let x = <div/>', 'view.js')
    const { data } = await encrypted(script)
    expect(data).toMatchObject({ state: 'failed', output_size: null })
    expect(data.note).toBe('holds JSX: compile it first: view.js 1:9 Unexpected token')
    expect((await encrypted(script)).data.state).toBe('failed')
  }, 60_000)

  test('a script over the time limit gets the next strength and says so; at the last one it keeps its original', async () => {
    const text = Array.from({ length: 1500 }, (_one, n) => `function f${n}(a){return 'text number ${n}'+a*${n}}`).join(
      '\n',
    )
    const script = await uploaded(
      writeZip([
        { name: 'a.js', data: text },
        { name: 'b.js', data: 'var b = "text"' },
      ]),
      'slow.zip',
    )
    deps.scriptSeconds = 1.5
    try {
      const { data, outcomes } = await encrypted(script, { preset: 'high' })
      const [slow] = outcomes
      expect(data).toMatchObject({ state: 'encrypted', done: 2 })
      expect(data.stepped + data.kept).toBe(1)
      expect(slow?.name).toBe('a.js')
      expect(slow?.reason).toBe('time')
      expect(['medium', 'light', 'low', 'names', null]).toContain(slow?.strength)
      // One script alone: with another one that is quick the archive has a result.
      const alone = await uploaded(text, 'slow.js')
      deps.scriptSeconds = 0.05
      const failed = await encrypted(alone, { preset: 'low' })
      expect(failed.data).toMatchObject({ state: 'failed', note: expect.stringContaining('over the time limit') })
    } finally {
      delete deps.scriptSeconds
    }
  }, 120_000)

  test('a run is cancelled, and a cancelled one may be started again', async () => {
    const text = Array.from({ length: 3000 }, (_one, n) => `function f${n}(a){return 'text number ${n}'+a*${n}}`).join(
      '\n',
    )
    const script = await uploaded(text, 'long.js')
    await good(bed.owner, protectScript, { body: { id: script.id, options: { preset: 'high' } } })
    await until(script.id, ({ data }) => data.state === 'encrypting')
    const busy = await bed.owner.call(protectScript, { body: { id: script.id, options: OPTIONS } })
    expect(busy.body['key']).toBe('script.busy')
    expect(await good(bed.owner, cancelScripts, { body: { ids: [script.id] } })).toMatchObject({ stopped: 1 })
    expect((await ended(script.id)).data.state).toBe('stopped')
    expect((await encrypted(script, { preset: 'low' })).data.state).toBe('encrypted')
  }, 120_000)

  test('a time lock that has ended is refused', async () => {
    const script = await uploaded(PAY, 'lock.js')
    for (const time_lock of [
      { from: null, until: 1000 },
      { from: Date.now() + 9e9, until: Date.now() + 8e9 },
    ]) {
      const reply = await bed.owner.call(protectScript, {
        body: { id: script.id, options: { preset: 'low', time_lock } },
      })
      expect(reply.body['key']).toBe('script.lock')
    }
    const odd = { preset: 'low', domain_lock: ['http://a.example/'] }
    const reply = await bed.owner.call(protectScript, { body: { id: script.id, options: odd } })
    expect(reply.body['key']).toBe('input.invalid')
  })

  test('a report says what each file got, and what the protection does not do', async () => {
    const script = await uploaded(PAY, 'report.js')
    const early = await bed.owner.call(makeReport, {
      body: { of: 'script', script: script.id, format: 'pdf', language: 'en' },
    })
    expect(early.body['key']).toBe('data.missing')
    await encrypted(script)
    for (const format of ['pdf', 'docx'])
      await good(bed.owner, makeReport, { body: { of: 'script', script: script.id, format, language: 'en' } })
    const { app } = bed
    const { id: userId } = await app.meta.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'owner@example.com')
      .executeTakeFirstOrThrow()
    const parts = await writeParts(
      { meta: app.meta, files: app.deps.files, settings: app.deps.settings, now: app.deps.now, store: app.deps.store },
      { userId, username: 'owner@example.com' },
      {
        ...{ of: 'script', script: script.id, format: 'pdf', reader: 'developer', language: 'en' },
        ...{ scope: { apps: [] }, apps: [] },
      },
    )
    const text = JSON.stringify(parts.blocks)
    expect(parts.title).toBe('JS protection report')
    expect(text).toContain('report.js')
    expect(text).toContain('does not keep an experienced person from restoring its logic')
  }, 60_000)
})

describe('scope and deletion', () => {
  test('[JS-01] deletion is permanent: record, original and result are gone, equal files of others stay', async () => {
    const [one, twin] = [await uploaded(`${PAY}// twin`, 'one.js'), await uploaded(`${PAY}// twin`, 'twin.js')]
    await encrypted(one)
    await until(twin.id, ({ measure }) => measure.state === 'done')
    expect((await bed.stranger.call(deleteScripts, { body: { ids: [one.id] } })).body['key']).toBe('data.missing')
    const before = await bed.app.meta.db
      .selectFrom('script_files')
      .select(['sha256', 'output'])
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow()
    const named = (await fileReferences(bed.app.meta)).map(({ sha256 }) => sha256)
    expect(named).toEqual(expect.arrayContaining([before.sha256, before.output]))
    expect(await good(bed.owner, deleteScripts, { body: { ids: [one.id] } })).toMatchObject({ deleted: 1 })
    expect((await bed.owner.call(scriptDetail, { query: { id: one.id } })).body['key']).toBe('data.missing')
    expect(await bed.app.deps.files.has(before.output ?? '')).toBe(false)
    expect(await bed.app.deps.files.has(before.sha256)).toBe(true)
    await good(bed.owner, deleteScripts, { body: { ids: [twin.id] } })
    expect(await bed.app.deps.files.has(before.sha256)).toBe(false)
  }, 60_000)

  test('lists are filtered by name, state and application, and others see nothing', async () => {
    const made = await good(bed.owner, createApplication, { body: { name: 'Mine', mimetype_list: [1] } })
    const appid = made.object_list[0]?.id as string
    const script = await uploaded(PAY, 'of_application.js', { appid })
    const list = (query: Record<string, unknown>, client = bed.owner) => good(client, scripts, { query })
    expect((await list({ appid })).data).toMatchObject([{ id: script.id, app_name: 'Mine' }])
    expect((await list({ search: 'OF_APP' })).total).toBe(1)
    expect((await list({ search: 'of%app' })).total).toBe(0)
    expect((await list({ state: 'stopped', appid })).total).toBe(0)
    expect((await list({ state: 'stopped', appid })).states).toEqual({ uploaded: 1 })
    expect((await list({}, bed.stranger)).total).toBe(0)
    expect((await bed.stranger.call(scriptDetail, { query: { id: script.id } })).body['key']).toBe('data.missing')
  }, 60_000)
})
