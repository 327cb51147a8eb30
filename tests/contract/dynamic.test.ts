import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import {
  detectionResult,
  resultDynamic,
  resultItem,
  resultItems,
  resultPrivacy,
  resultScreenshot,
} from '#contracts/http/detection/result.ts'
import { createTasks, deleteTasks, detectionTask, retryTask, stopTasks } from '#contracts/http/detection/tasks.ts'
import { TELLING } from '#mocks/phone/behaviour.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import type { ConsoleClient } from '#tests/support/console-client.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '#tests/support/detection-bed.ts'
import { phonePackage } from '#tests/support/phone-package.ts'

const ID = 'org.maker.wallet'
const PACKAGE = phonePackage(ID)

let bed: DetectionBed
let client: ConsoleClient
let phone: SimulatedPhone
let file = ''
let task = ''

beforeAll(async () => {
  bed = await detectionBed()
  client = await bed.signIn('owner', 'operator')
  const { object_list } = await good(client, createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  const application = Number(object_list[0]?.id)
  const row = await bed.http.meta.db
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', application)
    .executeTakeFirstOrThrow()
  file = await bed.addFile(PACKAGE, { application, owner: row.owner_id ?? 0, kind: 'apk', packageName: ID })
  phone = new SimulatedPhone({ behaviours: { [ID]: { ...TELLING, crashes: [`${ID}.Share`] } } })
  bed.phones.push(phone)
})
afterAll(() => bed?.close())

const ask = async (more: object = {}): Promise<string> => {
  const { data } = await good(client, createTasks, {
    body: { files: [file], kinds: ['dynamic'], run: 'short', ...more },
  })
  return data[0]?.id ?? ''
}

describe('[DET-01] dynamic detection', { timeout: 60_000 }, () => {
  test('[DET-02] goes through stages of its own to a result, and the phone is as it was', async () => {
    task = await ask()
    const ended = await bed.ended(client, task)
    expect(ended).toMatchObject({
      state: 'detected',
      kinds: ['dynamic'],
      phone: { serial: 'simulated-1', model: 'Simulated_phone', run: 'short' },
    })
    const { stages, log } = await good(client, detectionTask, { query: { id: task } })
    expect(stages.map(({ stage }) => stage)).toEqual([
      'queued',
      'unpack',
      'manifest',
      'code',
      'native',
      'install',
      'untouched',
      'exercise',
      'survey',
      'result',
    ])
    expect(log.map(({ text }) => text.en)).toContain('The phone is as it was before')
    expect(phone.apps.size).toBe(0)
  })

  test('[DET-03] its items are those of the catalogue, with what was seen as evidence; nothing is judged that was not seen', async () => {
    const { data } = await good(client, resultItems, { query: { id: task } })
    const verdict = Object.fromEntries(data.map((item) => [item.id, item.verdict]))
    expect(verdict).toEqual({
      'android-component-local-dos': 'fail',
      'android-external-storage-sensitive': 'fail',
      'android-log-sensitive': 'fail',
      'android-privacy-call-log': 'pass',
      'android-privacy-clipboard-read': 'fail',
      'android-privacy-contacts': 'fail',
      'android-privacy-imei': 'pass',
      'android-privacy-installed-apps': 'pass',
      'android-privacy-location': 'fail',
      'android-privacy-overseas-endpoint': 'fail',
      'android-privacy-running-apps': 'pass',
      'android-privacy-sensors': 'pass',
      'android-privacy-sms': 'pass',
      'android-privacy-wifi-scan': 'pass',
      'android-sharedpref-sensitive': 'fail',
      'android-strictmode-debug': 'fail',
      'android-webview-like-local-server': 'fail',
      'android-world-readable-file': 'fail',
    })
    expect(data.find(({ id }) => id === 'android-privacy-sms')?.reason?.en).toMatch(/not seen while it ran for \d+ s/)
    const crash = await good(client, resultItem, { query: { id: task, item: 'android-component-local-dos' } })
    expect(crash.findings[0]).toMatchObject({ evidence: { entry: 'phone/log', class: `${ID}.Share` } })
    expect(crash.findings[0]?.evidence.snippet?.join('\n')).toMatch(/NullPointerException/)
    const privacy = await good(client, resultPrivacy, { query: { id: task } })
    expect(privacy.data).toMatchObject([{ id: 'm3-1', verdict: 'fail', chains: [{ info: 'READ_CLIPBOARD' }] }])
    const { data: result } = await good(client, detectionResult, { query: { id: task } })
    expect(result).toMatchObject({ kinds: ['dynamic'], not_assessed: [], rules: { items: 18 } })
  })

  test('screenshots are files that go with the task; other users cannot see them', async () => {
    const { data } = await good(client, resultDynamic, { query: { id: task } })
    const [first] = data?.screenshots ?? []
    expect(data?.screenshots).toHaveLength(3)
    const query = { id: task, file: first?.file }
    const picture = await client.call(resultScreenshot, { query })
    expect(picture.headers.get('content-type')).toBe('image/png')
    const stranger = await bed.signIn('stranger', 'operator')
    expect((await stranger.call(resultScreenshot, { query })).status).not.toBe(200)
    expect((await client.call(resultScreenshot, { query: { id: task, file: 'a'.repeat(64) } })).status).not.toBe(200)
    await good(client, deleteTasks, { body: { ids: [task] } })
    expect(await bed.http.deps.files.has(first?.file ?? '')).toBe(false)
  })

  test('[DET-02] stopping tidies the phone; it can be done again', async () => {
    task = await ask({ run: 'long' })
    for (let tries = 0; phone.apps.size === 0 && tries < 200; tries++) await sleep(50)
    expect(phone.apps.size).toBe(1)
    await good(client, stopTasks, { body: { ids: [task] } })
    for (let tries = 0; phone.apps.size > 0 && tries < 200; tries++) await sleep(50)
    expect(phone.apps.size).toBe(0)
    expect((await bed.ended(client, task)).state).toBe('stopped')
  })

  test('[DET-05] without its phone a task says so and nothing else', async () => {
    phone.gone = true
    await good(client, retryTask, { body: { id: task } })
    const ended = await bed.ended(client, task)
    const { body } = await client.call(detectionTask, { query: { id: task } }, ENGLISH)
    expect(ended.state).toBe('failed')
    expect(body).toMatchObject({ data: { note: 'The computer is not connected to the mobile phone...' } })
    phone.gone = false
  })
})
