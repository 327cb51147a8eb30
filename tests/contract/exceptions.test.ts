import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationList, createApplication } from '#contracts/http/applications.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import {
  deleteSymbols,
  type ExceptionGroup,
  exceptionAssignees,
  exceptionGroup,
  exceptionGroups,
  exceptionStack,
  noteException,
  type StackSegment,
  type SymbolFile,
  setExceptionTriage,
  symbolFiles,
  type TriageChange,
  uploadSymbols,
} from '#contracts/http/exceptions.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { TotalAnswer } from '#domain/query.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { failureGroup } from '#engines/stack/failure-group.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'aw-exceptions-'))
const HOUR = 3_600_000
const now = Date.now()
const QUERY = { range: '-14d' }
const PLAIN =
  'java.lang.IllegalStateException: no bill\n\tat com.x.pay.PayFragment.onBill(PayFragment.kt:214)\n\tat com.x.pay.BillRepo.load(BillRepo.kt:88)\n\tat android.os.Looper.loop(Looper.java:294)'
const SHRUNK =
  'java.lang.IllegalStateException: no bill\n\tat a.b.a(SourceFile:1)\n\tat a.c.a(SourceFile:2)\n\tat android.os.Looper.loop(Looper.java:294)'
const OTHER = 'java.lang.NullPointerException: x\n\tat com.x.home.Feed.size(Feed.java:9)'
const MAPPING = `com.x.pay.PayFragment -> a.b:
# {"id":"sourceFile","fileName":"PayFragment.kt"}
    1:1:void onBill():214:214 -> a
com.x.pay.BillRepo -> a.c:
# {"id":"sourceFile","fileName":"BillRepo.kt"}
    2:2:void load():88:88 -> a
`
let http: HttpApp
let store: DuckStore
let app = 0
const who = {} as Record<'owner' | 'reader' | 'stranger', ConsoleClient>

beforeAll(async () => {
  http = await startHttpApp()
  store = await openDuckStore({ folder: join(folder, 'events') })
  http.deps.store = store
  http.deps.files = await openLocalFiles(join(folder, 'files'))
  for (const [name, role] of Object.entries({ owner: 'operator', reader: 'trial', stranger: 'operator' })) {
    await http.addUser(`${name}@example.com`, role)
    who[name as keyof typeof who] = new ConsoleClient(http.url, http.deps.now)
    await who[name as keyof typeof who].signIn(`${name}@example.com`, PASSWORD, CODE)
  }
  await who.owner.call(createApplication, { body: { name: 'Wallet', mimetype_list: [1] } })
  app = Number(((await ok(who.owner, applicationList)) as { object_list: { id: string }[] }).object_list[0]?.id)
  await store.load([
    ...crashes(3, PLAIN, '5.8.0', 72),
    ...crashes(2, PLAIN, '5.8.2', 30),
    ...crashes(4, SHRUNK, '5.8.1', 40),
    ...crashes(5, OTHER, '5.8.2', 20),
    madeEvent({ app, type: EVENT_TYPES.crash.code, risk: 0, level: 0, action: 0, receivedAt: now - HOUR }),
  ])
}, 60_000)
afterAll(async () => {
  await store?.close()
  await http?.close()
  rmSync(folder, { recursive: true, force: true })
})

function crashes(
  count: number,
  stack: string,
  version: string,
  hoursAgo: number,
  type: 'crash' | 'anr' = 'crash',
): StoredEvent[] {
  const code = EVENT_TYPES[type].code
  return Array.from({ length: count }, (_, index) =>
    madeEvent({
      app,
      type: code,
      risk: 0,
      level: 0,
      action: 0,
      version,
      device: hashKey(500 + index),
      user: hashKey(600 + (index % 2)),
      receivedAt: now - hoursAgo * HOUR + index * 1000,
      extra: JSON.stringify({ detail: { reason: 'x', stack } }),
      group: failureGroup({ stack }, { app, type: code, version, packageName: '' }),
    }),
  )
}
async function ok(client: ConsoleClient, endpoint: Endpoint, input: object = {}): Promise<unknown> {
  const { body } = await client.call(endpoint, input as never)
  expect(body).toMatchObject({ code: 0 })
  return body
}
type List = { data: ExceptionGroup[]; total: number; counts: Record<string, number>; ungrouped: number }
const list = (more: object = {}, client = who.owner) =>
  ok(client, exceptionGroups, { body: { query: QUERY, kind: 'crash', ...more } }) as Promise<List>
const ofType = ({ data }: List, type: string) => data.filter((one) => one.type.endsWith(type))
const upload = (content: Buffer, more: object = {}) => ({
  body: {
    appid: String(app),
    version: '5.8.1',
    kind: 'r8',
    upload: 'test-upload',
    part: 0,
    last: true,
    content: content.toString('base64'),
    ...more,
  },
})

describe('[EXC-01] groups', () => {
  test('are listed with exact counts, names and marks; events without content are distinguished', async () => {
    const all = await list()
    expect(all.total).toBe(3)
    expect(all.ungrouped).toBe(1)
    expect(all.data.map((one) => one.events)).toEqual([5, 5, 4])
    const [plain] = ofType(all, 'IllegalStateException').filter((one) => !one.obfuscated)
    expect(plain).toMatchObject({
      culprit: 'com.x.pay.PayFragment.onBill',
      devices: 3,
      users: 2,
      versions: ['5.8.2', '5.8.0'],
      is_new: true,
    })
    expect(plain?.trend.reduce((a, b) => a + b)).toBe(5)
    expect((await list({ search: 'feed' })).total).toBe(1)
    expect((await list({ query: { range: '-25h' }, mark: 'new' })).data.map((one) => one.type)).toEqual([
      'java.lang.NullPointerException',
    ])
    expect((await list({ kind: 'anr' })).total).toBe(0)
    expect((await list({}, who.stranger)).total).toBe(0)
  })

  test('failures of an application that is gone are counted without a name, and those of the others keep theirs', async () => {
    await http.addUser('everything@example.com', 'administrator')
    const everything = new ConsoleClient(http.url, http.deps.now)
    await everything.signIn('everything@example.com', PASSWORD, CODE)
    const failure = { app: 9_999, type: EVENT_TYPES.crash.code, version: '1.0', packageName: '' }
    await store.load([
      madeEvent({
        ...failure,
        ...{
          risk: 0,
          level: 0,
          action: 0,
          receivedAt: now - HOUR,
          extra: JSON.stringify({ detail: { stack: OTHER } }),
        },
        group: failureGroup({ stack: OTHER }, failure),
      }),
    ])
    const { data } = await list({}, everything)
    expect(data.filter((one) => one.appid === '9999').map(({ type, events }) => [type, events])).toEqual([['', 1]])
    expect(data.filter((one) => one.appid === String(app)).map(({ events }) => events)).toEqual([5, 5, 4])
  })

  test('[EXC-02] a mapping joins the shrunk group to the plain one, and every figure follows; its deletion parts them', async () => {
    const shrunk = ofType(await list(), 'IllegalStateException').find((one) => one.obfuscated) as ExceptionGroup
    const refused = await who.reader.call(uploadSymbols, upload(gzipSync('nonsense')) as never)
    expect(refused.body['code']).not.toBe(0)
    expect((await who.owner.call(uploadSymbols, upload(Buffer.from('no gzip')) as never)).body['key']).toBe(
      'input.invalid',
    )
    const packed = gzipSync(MAPPING)
    await ok(who.owner, uploadSymbols, upload(packed.subarray(0, 40), { last: false }))
    const { data: file } = (await ok(who.owner, uploadSymbols, upload(packed.subarray(40), { part: 1 }))) as {
      data: SymbolFile
    }
    expect(file).toMatchObject({ version: '5.8.1', entries: 2, size: MAPPING.length, by: 'owner@example.com' })

    const joined = await list()
    expect(joined.total).toBe(2)
    const [group] = ofType(joined, 'IllegalStateException') as [ExceptionGroup]
    expect(group).toMatchObject({ events: 9, devices: 4, obfuscated: false, versions: ['5.8.2', '5.8.1', '5.8.0'] })
    // A number is what its filter finds: the group in a filter means all of its fingerprints.
    const query = { ...QUERY, filters: [{ field: 'group', op: 'is', values: [group.group] }] }
    const answer = (await ok(who.owner, statistics, {
      body: { query, parts: { total: { kind: 'total', measures: ['crashes', 'devices'] } } },
    })) as { parts: { total: TotalAnswer } }
    expect(answer.parts.total.row).toEqual({ crashes: 9, devices: 4 })
    // The old address of the shrunk group opens the joined one.
    const one = (await ok(who.owner, exceptionGroup, { query: { kind: 'crash', group: shrunk.group } })) as {
      data: { group: string; versions: { version: string; events: number }[] }
    }
    expect(one.data.group).toBe(group.group)
    expect(one.data.versions.map(({ version, events }) => [version, events])).toEqual([
      ['5.8.2', 2],
      ['5.8.1', 4],
      ['5.8.0', 3],
    ])

    await ok(who.owner, deleteSymbols, { body: { id: file.id } })
    expect((await list()).total).toBe(3)
    expect(((await ok(who.owner, symbolFiles, { query: { appid: String(app) } })) as { data: unknown[] }).data).toEqual(
      [],
    )
  })

  test('the stack of an event comes raw and with its names', async () => {
    await ok(who.owner, uploadSymbols, upload(gzipSync(MAPPING)))
    const rows = await store.exceptionSamples(
      { apps: 'all' },
      crashes(1, SHRUNK, '5.8.1', 40).map((one) => one.group),
    )
    const { data } = (await ok(who.owner, exceptionStack, { query: { appid: String(app), id: rows[0]?.id } })) as {
      data: { text: string; raw: StackSegment[]; retraced: StackSegment[]; obfuscated: boolean }
    }
    expect(data.text).toBe(SHRUNK)
    expect(data.raw[0]?.frames[0]?.module).toBe('a.b')
    expect(
      data.retraced[0]?.frames.slice(0, 2).map((one) => [one.module, one.name, one.file, one.line, one.own]),
    ).toEqual([
      ['com.x.pay.PayFragment', 'onBill', 'PayFragment.kt', 214, true],
      ['com.x.pay.BillRepo', 'load', 'BillRepo.kt', 88, true],
    ])
    expect(data.obfuscated).toBe(false)
    expect(
      (await who.stranger.call(exceptionStack, { query: { appid: String(app), id: rows[0]?.id } } as never)).body[
        'key'
      ],
    ).toBe('data.missing')
  })

  test('state and assignee: several at once, taken back, with history; a later version brings a resolved group back', async () => {
    const [feed] = ofType(await list(), 'NullPointerException') as [ExceptionGroup]
    const change: TriageChange = {
      appid: String(app),
      group: feed.group,
      state: 'resolved',
      resolved_version: '5.8.2',
      ignored_until: null,
      assignee: 'owner@example.com',
    }
    expect((await who.reader.call(setExceptionTriage, { body: { changes: [change] } } as never)).body['key']).toBe(
      'permission.missing',
    )
    expect((await who.stranger.call(setExceptionTriage, { body: { changes: [change] } } as never)).body['key']).toBe(
      'data.missing',
    )
    expect(
      (
        await who.owner.call(setExceptionTriage, {
          body: { changes: [{ ...change, assignee: 'stranger@example.com' }] },
        } as never)
      ).body['key'],
    ).toBe('input.invalid')
    const people = (await ok(who.owner, exceptionAssignees, { query: { appid: String(app) } })) as { data: string[] }
    expect(people.data).toContain('owner@example.com')
    expect(people.data).not.toContain('stranger@example.com')
    const { before } = (await ok(who.owner, setExceptionTriage, { body: { changes: [change] } })) as {
      before: TriageChange[]
    }
    expect(before).toEqual([{ ...change, state: 'open', resolved_version: null, assignee: null }])
    expect((await list({ mark: 'resolved' })).data.map((one) => one.group)).toEqual([feed.group])
    expect((await list({ assignee: 'owner@example.com' })).total).toBe(1)

    // Seen again in the version that resolved it: still resolved. In a later one: back.
    const later = async (version: string) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const at = Date.now()
      await store.load(crashes(1, OTHER, version, 0).map((one) => ({ ...one, occurredAt: at, receivedAt: at })))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await later('5.8.2')
    expect((await list({ mark: 'regressed' })).total).toBe(0)
    await later('5.8.10')
    const [back] = (await list({ mark: 'regressed' })).data
    expect(back?.triage).toMatchObject({ state: 'open', resolved_version: '5.8.2', regressed: { version: '5.8.10' } })

    await ok(who.owner, noteException, { body: { appid: String(app), group: feed.group, text: 'seen in the field' } })
    await ok(who.owner, setExceptionTriage, { body: { changes: before } })
    const { data } = (await ok(who.owner, exceptionGroup, { query: { kind: 'crash', group: feed.group } })) as {
      data: { triage: object; history: { what: string; by: string }[] }
    }
    expect(data.triage).toMatchObject({ state: 'open', assignee: null, regressed: null })
    expect(data.history.map((one) => one.what)).toEqual(['open', 'assigned', 'note', 'resolved', 'assigned'])
  })

  test('an ignored group is open again when its time is over', async () => {
    const [feed] = ofType(await list(), 'NullPointerException') as [ExceptionGroup]
    const until = Date.now() + 60_000
    const change = {
      appid: String(app),
      group: feed.group,
      state: 'ignored',
      resolved_version: null,
      ignored_until: until,
      assignee: null,
    }
    await ok(who.owner, setExceptionTriage, { body: { changes: [change] } })
    expect((await list({ mark: 'ignored' })).total).toBe(1)
    http.clock.offset = 61_000
    expect((await list({ mark: 'ignored' })).total).toBe(0)
    http.clock.offset = 0
  })
})
