import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropUnnamed } from '#server/platform/file-references.ts'
import { applyRetention } from '#server/platform/retention.ts'
import { down, up } from '#storage/postgres/migrations/0067-copies-gone.ts'
import { up as toAll, down as toFirst } from '#storage/postgres/migrations/0072-copy-certificates.ts'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'

/** What happens to prints, files and copies beside the runs. */

const DAY_MS = 86_400_000
const hash = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('hex')
let bed: ScopeBed
let task = ''

beforeAll(async () => {
  bed = await startScopeBed()
  task = randomUUID()
  await bed.http.meta.db
    .insertInto('monitor_tasks')
    .values({
      ...{ id: task, application_id: Number(bed.alice.appid), by_user: null, keywords: [], kinds: [], markets: [] },
      ...{
        schedule: 'once',
        state: 'monitored',
        note: '',
        run: 3,
        starts: 0,
        created_at: 0,
        started_at: 1,
        ended_at: 2,
      },
      next_at: null,
    })
    .execute()
}, 120_000)
afterAll(() => bed?.close())

async function addCopy(name: string): Promise<void> {
  const none = { manual_verdict: null, manual_reason: '', manual_by: null, manual_at: null, gone_run: null }
  await bed.http.meta.db
    .insertInto('monitor_copies')
    .values({
      ...{ id: name, task_id: task, sha256: hash(name), size: 1, label: name, package_name: 'com.x', version: '1' },
      ...{ version_code: '1', certificates: [], verdict: 'clone', confidence: 1, judgement: '{}', ...none },
      ...{ first_run: 1, first_seen: 0, last_seen: 0 },
    })
    .execute()
}

test('[MON-01] prints of what is neither a copy nor a package go after 30 days, the others stay', async () => {
  const { meta, deps } = bed.http
  const now = Date.now()
  await addCopy('retained')
  const app = await meta.db.selectFrom('app_files').select('sha256').limit(1).executeTakeFirst()
  const old = [hash('nothing'), hash('retained'), ...(app ? [app.sha256] : [])]
  const print = { format: 1, print: null, problem: 'no package' }
  await meta.db
    .insertInto('package_prints')
    .values([
      ...old.map((sha256) => ({ sha256, ...print, made_at: now - 31 * DAY_MS })),
      { sha256: hash('young'), ...print, made_at: now - 29 * DAY_MS },
    ])
    .execute()
  await applyRetention({ meta, store: deps.store, files: deps.files }, deps.settings(), now)
  const left = (await meta.db.selectFrom('package_prints').select('sha256').execute()).map(({ sha256 }) => sha256)
  expect(left.sort()).toEqual([hash('retained'), hash('young'), ...(app ? [app.sha256] : [])].sort())
})

test('[MON-02] a file that symbols, scripts or copies name is not removed, one that nothing names is', async () => {
  const { meta, deps } = bed.http
  const [symbols, scripts] = await Promise.all([
    meta.db.selectFrom('symbol_files').select(['file', 'index_file']).execute(),
    meta.db.selectFrom('script_files').select(['sha256', 'output', 'map']).execute(),
  ])
  expect(symbols.length).toBeGreaterThan(0)
  expect(scripts.length).toBeGreaterThan(0)
  await addCopy('named')
  const named = [
    ...symbols.flatMap(({ file, index_file }) => [file, index_file]),
    ...scripts.flatMap(({ sha256, output, map }) => [sha256, output, map]),
    hash('named'),
  ]
  const { sha256: unnamed } = await deps.files.put(Readable.from([Buffer.from('nothing names this')]))
  expect(await dropUnnamed({ meta, files: deps.files }, [...named, unnamed])).toEqual([unnamed])
  expect(await deps.files.has(unnamed)).toBe(false)
  for (const { file } of symbols) expect(await deps.files.has(file)).toBe(true)
})

test('[MON-01] migration 0067 counts as gone only what markets that answered no longer offer', async () => {
  const { meta } = bed.http
  const ask = { task_id: task, run: 3, problem: '', detail: '', pages: 1, items: 1, asked_at: 1 } as const
  await meta.db
    .insertInto('monitor_asks')
    .values([
      { ...ask, market: 'answers', state: 'asked' },
      { ...ask, market: 'silent', state: 'unasked' },
    ])
    .execute()
  const offers = { offered: ['answers', 3], gone: ['answers', 2], silent: ['silent', 2] } as const
  for (const [name, [market, last_run]] of Object.entries(offers)) {
    await addCopy(name)
    await meta.db
      .insertInto('monitor_listings')
      .values({
        ...{ task_id: task, market, download: `https://x.example/${name}`, page: '', name, package_name: '' },
        ...{ version: '', developer: '', downloads: null, etag: '', sha256: hash(name), problem: '' },
        ...{ first_seen: 0, last_seen: 0, last_run },
      })
      .execute()
  }
  await down(meta.db as never)
  await up(meta.db as never)
  const rows = await meta.db
    .selectFrom('monitor_copies')
    .select(['id', 'gone_run'])
    .where('id', 'in', Object.keys(offers))
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { id: 'gone', gone_run: 3 },
    { id: 'offered', gone_run: null },
    { id: 'silent', gone_run: null },
  ])
})

test('[MON-02] migration 0072 takes all certificates of a copy from its print, and the way back keeps the first', async () => {
  const { meta } = bed.http
  const certificates = ['a'.repeat(64), 'b'.repeat(64)]
  await addCopy('printed')
  await addCopy('without a print')
  await meta.db
    .insertInto('package_prints')
    .values({
      ...{ sha256: hash('printed'), format: 1, problem: '', made_at: 0 },
      print: JSON.stringify({ signer: { certificates } }),
    })
    .execute()
  const names = ['printed', 'without a print']
  await meta.db.updateTable('monitor_copies').set({ certificates }).where('id', 'in', names).execute()
  await toFirst(meta.db as never)
  await toAll(meta.db as never)
  const rows = await meta.db
    .selectFrom('monitor_copies')
    .select(['id', 'certificates'])
    .where('id', 'in', names)
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { id: 'printed', certificates },
    { id: 'without a print', certificates: certificates.slice(0, 1) },
  ])
})
