import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ScanResultSchema } from '#contracts/detection/scan-result.ts'
import { createApplication, setApplicationMembers } from '#contracts/http/applications.ts'
import { vulnerabilityAffected, vulnerabilityAnalysis } from '#contracts/http/detection/analysis.ts'
import {
  approveSuppression,
  compareTasks,
  detectionResult,
  downloadResult,
  exportSuppressions,
  resultComponents,
  resultItem,
  resultItems,
  resultPermissions,
  resultPrivacy,
  resultSdks,
  suppress,
  suppressions,
  whatIfFixed,
  withdrawSuppression,
} from '#contracts/http/detection/result.ts'
import {
  createTasks,
  type DetectionTask,
  deleteTasks,
  detectionTasks,
  exportTasks,
} from '#contracts/http/detection/tasks.ts'
import { scoreItems } from '#engines/detect/result/score-items.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'
import { exportedText } from '#tests/support/exported.ts'
import { scanCommand } from '../../cli/scan.ts'

const PACKAGE = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
const ID = 'io.appium.settings'
const MINUTE_MS = 60_000

let bed: DetectionBed
const who = {} as Record<'owner' | 'member' | 'stranger', ConsoleClient>
let first: DetectionTask
let second: DetectionTask

beforeAll(async () => {
  bed = await detectionBed()
  for (const [name, role] of Object.entries({ owner: 'operator', member: 'trial', stranger: 'operator' }))
    who[name as keyof typeof who] = await bed.signIn(name, role)
  const { object_list } = await good(who.owner, createApplication, { body: { name: 'Settings', mimetype_list: [1] } })
  const appid = object_list[0]?.id ?? ''
  await good(who.owner, setApplicationMembers, { body: { appid, usernames: ['member@example.com'] } })
  const { owner_id } = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', Number(appid))
    .executeTakeFirstOrThrow()
  const detect = async (version: string, bytes: Uint8Array) => {
    const fields = { application: Number(appid), owner: owner_id, kind: 'apk', version, packageName: ID }
    const file = await bed.addFile(bytes, fields)
    const kinds = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy']
    const { data } = await good(who.owner, createTasks, { body: { files: [file], kinds } })
    return bed.ended(who.owner, data[0]?.id ?? '')
  }
  ;[first, second] = await Promise.all([
    detect('8.0.10', PACKAGE),
    detect('8.0.11', Buffer.concat([PACKAGE, Buffer.from('next')])),
  ])
}, 60_000)
afterAll(() => bed?.close())

const glance = async (task: DetectionTask) => (await good(who.owner, detectionResult, { query: { id: task.id } })).data
const failedItems = (task: DetectionTask) =>
  good(who.owner, resultItems, { query: { id: task.id, verdict: 'fail', limit: 500 } })

describe('[DET-03] a result', () => {
  test('at a glance: package, score, counts, gate with its conditions, verdicts that add up', async () => {
    expect(first.state, first.note).toBe('detected')
    const data = await glance(first)
    expect(data.package).toMatchObject({ kind: 'apk', id: ID, name: expect.stringMatching(/settings/i) })
    expect(data.score.value).toBe(first.score)
    expect(data.counts).toEqual(first.counts)
    expect(Object.values(data.verdicts).reduce((a, b) => a + b)).toBe(data.sizes.items)
    expect(data.counts.high + data.counts.middle + data.counts.low + data.counts.info).toBe(data.verdicts.fail)
    expect(100 - data.score.deductions.reduce((sum, { points }) => sum + points, 0)).toBe(data.score.value)
    expect(data.gate.conditions).toEqual([
      { key: 'high', item: null, now: data.counts.high, required: 0, met: data.counts.high === 0 },
      { key: 'signature', item: null, now: 0, required: 0, met: true },
    ])
    expect(data.gate.verdict).toBe(data.counts.high === 0 ? 'pass' : 'fail')
    expect(data.certificates).toHaveLength(1)
    const hidden = await who.stranger.call(detectionResult, { query: { id: first.id } })
    expect(hidden.body['key']).toBe('data.missing')
  })

  test('by item, filtered and paged, each with level, threat, advice, and findings with a place', async () => {
    const failed = await failedItems(first)
    const data = await glance(first)
    expect(failed.total).toBe(data.verdicts.fail)
    for (const item of failed.data) {
      expect(item.hits).toBeGreaterThan(0)
      expect(item.threat.zh).not.toBe('')
      expect(item.advice.en).not.toBe('')
    }
    const { level, category, owner, id } = failed.data[0] as (typeof failed.data)[number]
    const narrowed = await good(who.owner, resultItems, {
      query: { id: first.id, verdict: 'fail', level, category, owner: owner ?? '', search: id },
    })
    expect(narrowed.data.map((one) => one.id)).toContain(id)
    const one = await good(who.owner, resultItem, { query: { id: first.id, item: id, limit: 1 } })
    expect(one.findings).toHaveLength(1)
    expect(one.findings[0]?.evidence.entry).not.toBe('')
    const page = await good(who.owner, resultItems, { query: { id: first.id, limit: 5, offset: 5 } })
    expect(page.data).toHaveLength(5)
    expect(page.total).toBe(data.sizes.items)
  })

  test('in parts: permissions by state, components, SDKs, privacy', async () => {
    const { sizes } = await glance(first)
    const permissions = await good(who.owner, resultPermissions, { query: { id: first.id } })
    expect(permissions.total).toBe(sizes.permissions)
    const { excessive: _, ...states } = permissions.states
    expect(Object.values(states).reduce((a, b) => a + b, 0)).toBe(sizes.permissions)
    const used = await good(who.owner, resultPermissions, { query: { id: first.id, state: 'used' } })
    expect(used.total).toBe(permissions.states['used'] ?? 0)
    const exported = await good(who.owner, resultComponents, { query: { id: first.id, exported: 'yes' } })
    expect(exported.data.every((component) => component.exported)).toBe(true)
    expect(exported.total).toBeLessThan(sizes.components)
    expect((await good(who.owner, resultSdks, { query: { id: first.id } })).total).toBe(sizes.sdks)
    const privacy = await good(who.owner, resultPrivacy, { query: { id: first.id, verdict: 'fail' } })
    expect(privacy.total).toBe(first.privacy?.fail)
    expect(sizes.privacy).toBe(66)
    expect((await good(who.owner, detectionTasks, { query: { kind: 'privacy' } })).total).toBe(2)
  })

  test('as a file: JSON is the whole result, SARIF has a result a finding', async () => {
    const json = await who.owner.call(downloadResult, { query: { id: first.id } })
    const result = ScanResultSchema.parse(JSON.parse(json.text))
    expect(result.score.value).toBe(first.score)
    const sarif = await who.owner.call(downloadResult, { query: { id: first.id, format: 'sarif' } }, ENGLISH)
    const [run] = JSON.parse(sarif.text).runs
    const findings = result.items.flatMap((item) => (item.verdict === 'fail' ? item.findings : []))
    expect(run.results).toHaveLength(findings.length)
  })

  test('as it would be with items fixed: every one of them gives points back, nothing is kept', async () => {
    const { data: failed } = await failedItems(first)
    const high = failed.filter(({ level }) => level === 'high').map(({ id }) => id)
    const body = { id: first.id, fixed: high.length > 0 ? high : [failed[0]?.id] }
    const { data } = await good(who.owner, whatIfFixed, { body })
    expect(data.counts.high).toBe(0)
    const left = failed.filter(({ id }) => !body.fixed.includes(id))
    expect(data.score.value).toBe(scoreItems(left).value)
    expect(data.score.value).toBeGreaterThan(first.score ?? 100)
    expect((await glance(first)).score.value).toBe(first.score)
  })
})

describe('suppressions', () => {
  test('count once approved, in every version, are listed with who, why and until when, and end', async () => {
    const { data: failed } = await failedItems(first)
    const item = failed.find((one) => one.hits === 1 && one.level === 'middle') ?? failed[0]
    const before = await glance(second)
    const { findings } = await good(who.owner, resultItem, { query: { id: first.id, item: item?.id } })
    const fingerprint = findings[0]?.fingerprint
    const until = bed.http.deps.now() + MINUTE_MS
    const body = { task: first.id, item: item?.id, fingerprint, reason: 'guarded by the server', until }
    const { data: asked } = await good(who.member, suppress, { body })
    expect(asked).toMatchObject({ state: 'pending', by: 'member@example.com', approver: null, package_id: ID })
    expect((await who.owner.call(suppress, { body })).body['key']).toBe('task.exists')
    expect((await glance(second)).score.value).toBe(before.score.value)

    const denied = await who.member.call(approveSuppression, { body: { id: asked.id } })
    expect(denied.body['key']).toBe('permission.missing')
    const { data: approved } = await good(who.owner, approveSuppression, { body: { id: asked.id } })
    expect(approved).toMatchObject({ state: 'active', approver: 'owner@example.com', reason: body.reason, until })
    const after = await glance(second)
    expect(after.score.value).toBeGreaterThan(before.score.value)
    expect(after.verdicts.suppressed).toBe(1)
    expect(after.raw_score).toBe(before.score.value)
    const shown = await good(who.owner, resultItem, { query: { id: second.id, item: item?.id } })
    expect(shown.data).toMatchObject({ muted: true, suppressed: 1 })
    expect(shown.findings[0]?.suppression).toMatchObject({ reason: body.reason, by: 'member@example.com' })
    const listed = await good(who.owner, detectionTasks, { query: { search: '8.0.11' } })
    expect(listed.data[0]).toMatchObject({ score: after.score.value, suppressed: 1 })
    const analysis = await good(who.owner, vulnerabilityAnalysis, { query: { limit: 200 } })
    expect(analysis.data.some((one) => one.item === item?.id)).toBe(false)

    bed.http.clock.offset = MINUTE_MS + 1000
    const expired = await good(who.owner, suppressions, { query: { state: 'expired' } })
    expect(expired.data.map(({ id }) => id)).toEqual([asked.id])
    expect((await glance(second)).score.value).toBe(before.score.value)
    bed.http.clock.offset = 0
    const hidden = await good(who.stranger, suppressions)
    expect(hidden.total).toBe(0)
    expect(hidden.states).toEqual({ pending: 0, active: 0, expired: 0 })
    const all = await good(who.member, suppressions, { query: { search: 'GUARDED by' } })
    expect(all.data.map(({ id }) => id)).toEqual([asked.id])
    expect(all.total).toBe(all.states.active)
    const file = { list: { search: 'guarded by' }, title: 'Suppressions', format: 'csv' }
    const { job } = await good(who.member, exportSuppressions, { body: file })
    const lines = (await exportedText(bed.http, job.id)).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    for (const one of [ID, item?.id, fingerprint, body.reason, 'member@example.com', 'owner@example.com'])
      expect(lines[1]).toContain(one)
  })

  test('tasks are exported in a job: those that the filters leave, whole', async () => {
    const { data, total } = await good(who.member, detectionTasks, {
      query: { search: ID, limit: 200, order: 'asc' },
    })
    const file = { list: { search: ID, sort: 'created', order: 'asc' }, title: 'Tasks', format: 'csv' }
    const { job } = await good(who.member, exportTasks, { body: file })
    const [head, ...lines] = (await exportedText(bed.http, job.id)).trim().split('\r\n')
    expect(head).toContain('MD5')
    expect(lines).toHaveLength(total)
    expect(lines.map((line) => line.split(',')[0])).toEqual(data.map(({ id }) => id))
    const none = await good(who.member, exportTasks, { body: { ...file, list: { search: 'no such package' } } })
    expect((await exportedText(bed.http, none.job.id)).trim().split('\r\n')).toHaveLength(1)
  })

  test('of a whole item are taken back', async () => {
    const { data: failed } = await failedItems(second)
    const item = failed.at(-1)?.id
    const body = { task: second.id, item, reason: 'accepted' }
    const { data } = await good(who.owner, suppress, { body })
    expect(data).toMatchObject({ state: 'active', fingerprint: null })
    const muted = await good(who.owner, resultItems, { query: { id: second.id, verdict: 'suppressed' } })
    expect(muted.data.map(({ id }) => id)).toContain(item)
    await good(who.owner, withdrawSuppression, { body: { id: data.id } })
    const { total } = await failedItems(second)
    expect(total).toBe(failed.length)
  })
})

test('[DET-06] two tasks are compared: bytes behind the archive break its signature, the rest stays as it was', async () => {
  const compared = await good(who.owner, compareTasks, { query: { before: first.id, after: second.id } })
  expect(compared).toMatchObject({ same_package: true, same_rules: true, permissions: { added: [], removed: [] } })
  expect(compared.findings.unchanged).toBeGreaterThan(0)
  const differing = compared.items.filter(({ change }) => change !== 'unchanged').map(({ category }) => category)
  expect(new Set(differing)).toEqual(new Set(['signature']))
  expect(compared.package.map(({ field }) => field)).toEqual(['size', 'signed', 'schemes', 'sha256'])
  const hidden = await who.stranger.call(compareTasks, { query: { before: first.id, after: second.id } })
  expect(hidden.body['key']).toBe('data.missing')
})

test('[DET-07] analysis counts packages and versions that have an item, and opens them', async () => {
  const analysis = await good(who.owner, vulnerabilityAnalysis, { query: { sort: 'level', limit: 200 } })
  expect(analysis.examined).toEqual({ packages: 1, versions: 2 })
  const { data: failed } = await failedItems(second)
  const items = new Set([...failed, ...(await failedItems(first)).data].map(({ id }) => id))
  expect(new Set(analysis.data.map(({ item }) => item))).toEqual(items)
  const common = failed.find(({ category }) => category !== 'signature')?.id
  const line = analysis.data.find((one) => one.item === common)
  expect(line).toMatchObject({ packages: 1, versions: 2, open: 1, platform: 'android' })
  const affected = await good(who.owner, vulnerabilityAffected, { query: { item: common } })
  expect(affected.data.map(({ version }) => version).sort()).toEqual(['8.0.10', '8.0.11'])
  expect(affected.data.reduce((sum, { hits }) => sum + hits, 0)).toBe(line?.hits)
  expect(analysis.trend).toHaveLength(1)
  expect(analysis.trend[0]).toMatchObject({ tasks: 2 })
  expect((await good(who.stranger, vulnerabilityAnalysis)).total).toBe(0)
})

describe('[DET-03] the same question gives the same bytes, of the server twice and of the command line', () => {
  const corpus = process.env['CORPUS_DIR']
  const more = ['vuln/quark-ovaa.apk', 'apps/exodus-instapaper.apk', 'aab/bitrise-app-weak-algorithm-signed.aab']
  const packages = ['', ...(corpus ? more.map((name) => join(corpus, 'packages', name)) : [])]

  test.each(packages)(
    'server and command line give the same bytes for the package "%s"',
    { timeout: 300_000 },
    async (path) => {
      const bytes = path ? readFileSync(path) : Buffer.concat([PACKAGE, Buffer.from('once more')])
      const kind = path.endsWith('.aab') ? 'aab' : 'apk'
      const kinds = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content']
      const { object_list } = await good(who.owner, createApplication, {
        body: { name: `A${path}`.slice(-30), mimetype_list: [1] },
      })
      const { owner_id } = await bed.http.meta.db
        .selectFrom('applications')
        .select('owner_id')
        .where('id', '=', Number(object_list[0]?.id))
        .executeTakeFirstOrThrow()
      const fields = {
        application: Number(object_list[0]?.id),
        owner: owner_id,
        kind,
        version: '1',
        packageName: 'com.a',
      }
      const file = await bed.addFile(bytes, fields)
      const ask = async () => {
        const { data } = await good(who.owner, createTasks, { body: { files: [file], kinds } })
        const id = data[0]?.id ?? ''
        expect((await bed.ended(who.owner, id)).state).toBe('detected')
        const { text } = await who.owner.call(downloadResult, { query: { id } })
        await good(who.owner, deleteTasks, { body: { ids: [id] } })
        return text
      }
      const said = await ask()
      expect(await ask()).toBe(said)

      const folder = mkdtempSync(join(tmpdir(), 'aw-same-'))
      try {
        const [name, out] = [join(folder, `Wallet.${kind}`), join(folder, 'out.json')]
        writeFileSync(name, bytes)
        const args = [name, '--kinds', kinds.join(), '--format', 'json', '--out', out]
        scanCommand(args, () => {}, bed.http.deps.now())
        expect(readFileSync(out, 'utf8').trimEnd()).toBe(said)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})
