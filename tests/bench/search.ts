import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { search } from '#contracts/http/search.ts'
import { createToken } from '#server/modules/tokens/access-tokens.ts'
import { type Api, apiWith } from '#tests/support/api.ts'
import { type HttpApp, startHttpApp } from '#tests/support/http-app.ts'
import { type BenchLine, line, percentile } from './bench-line.ts'
import { loadRows, startStoreBed } from './store-bed.ts'
import { makePopulation, type Population } from './store-population.ts'

/** What an installation of that many events has beside them. */
const BESIDE = { applications: 200, files: 5000, tasks: 5000, cases: 2000, vulnerabilities: 10_000, accounts: 500 }
const LIMIT_MS = 100

/**
 * 200 searches as they are typed (names, parts of them, ids of each kind), through HTTP, at `rows` stored events: how long until the answer
 * of all kinds is there. The client asks for the kinds of the event store apart, so its first results come earlier.
 */
export async function run({ rows }: { rows: number }): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  const rowsAt = process.env['BENCH_STORE'] ?? join(folder, 'e')
  const population = makePopulation(1)
  const lines = await loadRows(rowsAt, population, rows)
  const bed = await startStoreBed(folder, rowsAt)
  const http = await startHttpApp()
  try {
    http.deps.store = bed.store
    const api = await fill(http)
    const texts = await searches(http, population, (await recentEvents(bed.store)).slice(0, 20))
    const times: number[] = []
    const byKind = new Map<string, number[]>()
    let unanswered = 0
    let empty = 0
    await Promise.all(texts.slice(0, 10).map(({ text }) => api(search, { query: { text, kinds: '', limit: 5 } })))
    for (const { kind, text } of texts) {
      const began = performance.now()
      const answer = await api(search, { query: { text, kinds: '', limit: 5 } })
      const took = performance.now() - began
      times.push(took)
      byKind.set(kind, [...(byKind.get(kind) ?? []), took])
      unanswered += answer.unanswered.length
      if (answer.data.length === 0) empty++
    }
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
    const { rows: stored } = await bed.store.status()
    lines.push(
      {
        ...line('search: p95', p95, 'ms', 'p50', p50, `value < ${LIMIT_MS}`, p95 < LIMIT_MS),
        detail: { searches: times.length, events: stored, without_hits: empty, max: Math.round(Math.max(...times)) },
      },
      line('search: kinds without an answer', unanswered, 'kinds', null, null, 'value = 0', unanswered === 0),
      ...[...byKind].map(([kind, some]) =>
        line(`search: ${kind}: p95`, percentile(some, 0.95), 'ms', 'p50', percentile(some, 0.5), '', true),
      ),
    )
  } finally {
    await http.close()
    await bed.close()
    await rm(folder, { recursive: true, force: true })
  }
  return lines
}

async function recentEvents(store: Awaited<ReturnType<typeof startStoreBed>>['store']): Promise<string[]> {
  const to = (await store.status()).storedTo ?? Date.now()
  const query = { span: { from: to - 86_400_000, to: to + 1 }, basis: 'received', filters: [] } as const
  const answer = await store.answer(
    { ...query, scope: { apps: 'all' }, zone: 'Asia/Shanghai' },
    { kind: 'rows', limit: 50, order: 'desc', and: [] },
  )
  return answer.kind === 'rows' ? answer.rows.map(({ id }) => id) : []
}

/** 200 searches: ten groups of 20. */
async function searches({ meta }: HttpApp, population: Population, events: readonly string[]) {
  const shas = await meta.db.selectFrom('app_files').select('sha256').limit(20).execute()
  const twenty = (make: (n: number) => string) => Array.from({ length: 20 }, (_, n) => make(n))
  const groups: Record<string, readonly string[]> = {
    'application name': twenty((n) => `Application ${n * 7}`),
    'part of a name': ['支付', '银行', 'pay', 'bank', 'app', 'a', '1.', 'org', '签名', 'ssl'].flatMap((one) => [
      one,
      `${one}p`,
    ]),
    'package name': twenty((n) => `com.example.app${n * 31}`),
    'sha-256': shas.map(({ sha256 }) => sha256),
    'device hash': twenty((n) => population.device(n * 1000)),
    'start of a hash': twenty((n) => population.device(n * 777).slice(0, 4 + (n % 5))),
    'event id': events,
    'detection item': ['webview', 'janus', 'debuggable', '明文', '备份'].flatMap((one) => [
      one,
      one.slice(0, 2),
      `${one} `,
      one,
    ]),
    'vulnerability number': twenty((n) => (n % 2 ? `CVE-2099-${10_000 + n * 13}` : 'CVE-2017-13156')),
    'case or account': twenty((n) => (n % 2 ? `Case ${n * 11}` : `person${n * 5}@`)),
  }
  return Object.entries(groups).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })))
}

/** Fills PostgreSQL; answers calls of an account that may see everything. */
async function fill({ addUser, meta, deps, url }: HttpApp): Promise<Api> {
  const user = await addUser('bench@example.com', 'administrator')
  const at = deps.now()
  const { applications, files, tasks, cases, vulnerabilities, accounts } = BESIDE
  await sql`insert into applications (uuid, name, mime_type, protect_type, has_file, owner_id, created_at)
    select gen_random_uuid(), 'Application ' || n || ' 移动支付', 1 + n % 2, '0', true, ${user}, ${at}
    from generate_series(1, ${applications}::int) n`.execute(meta.db)
  await sql`insert into users (username, password_hash, password_history, role, super, must_change_password, disabled, created_at)
    select 'person' || n || '@example.com', '', '{}', 'operator', false, false, false, ${at}
    from generate_series(1, ${accounts}::int) n`.execute(meta.db)
  await sql`insert into app_files (application_id, by_user, name, file_name, version, version_code, size, md5, sha256, package_name, kind,
      file_type, platform, type, protection, packer, signers, signature, facts, uploaded_at)
    select 1 + n % ${applications}::int, ${user}, 'Application ' || n % ${applications}::int, 'a.apk', n || '.0', n::text, 1, md5(n::text),
      md5(n::text) || md5((n + 1)::text), 'com.example.app' || n % 1000, 'apk', '1', 'android', '', 'unreinforced', '', '{}', 'verified',
      '{}', ${at} from generate_series(1, ${files}::int) n`.execute(meta.db)
  await sql`insert into detection_tasks (id, application_id, file_id, owner_id, by_user, name, package_id, version, package_kind, platform,
      size, md5, sha256, application_type, kinds, strategy_id, strategy_name, strategy, engine, identity, priority, state, stage,
      progress, note, note_detail, stages, isolation, attempt, suppressed, not_assessed, created_at, pictures)
    select 't' || n, 1 + n % ${applications}::int, n, ${user}, ${user}, 'Application ' || n, 'com.example.app' || n % 1000, '1.0', 'apk',
      'android', 1, '', n::text, '', '{static}', 'all', '{}', '{}', '', 't' || n, 1, 'detected', 'done', 1, '', '', '[]', '{}', 1, 0, 0,
      ${at}::int8 + n, '{}' from generate_series(1, ${tasks}::int) n`.execute(meta.db)
  const { CATALOGUE } = await import('#server/modules/detection/catalogue.ts')
  const items = CATALOGUE.items.slice(0, 40).map(({ id }) => id)
  await sql`insert into detection_failures (task_id, item, level, category, hits, muted)
    select 't' || n, item, 'middle', 'x', 1, false
    from generate_series(1, ${tasks}::int) n, unnest(${sql.val(items)}::text[]) item`.execute(meta.db)
  await sql`insert into cases (id, title, state, owner_id, version, created_at, updated_at)
    select 'c' || n, 'Case ' || n || ' 银行', 'open', ${user}, 1, ${at}, ${at} from generate_series(1, ${cases}::int) n`.execute(
    meta.db,
  )
  const entry = { level: 'high', component: 'libssl', platform: 'android', released: '2024-01-02', type: 'x' }
  for (let n = 0; n < vulnerabilities; n++) {
    const number = `CVE-2099-${10_000 + n}`
    const name = { zh: `漏洞 ${n}`, en: `Vulnerability ${n}` }
    const introduction = { zh: 'x'.repeat(300), en: 'x'.repeat(300) }
    await meta.db
      .insertInto('vulnerabilities')
      .values({ number, entry: JSON.stringify({ ...entry, number, name, introduction }), by_user: user, added_at: at })
      .execute()
  }
  await sql`analyze`.execute(meta.db)
  const scopes = ['events.read', 'asset.read', 'detect.view', 'user.manage', 'rule.edit'] as const
  const { token } = await createToken(
    { meta, now: deps.now },
    { userId: user, name: `bench ${randomUUID().slice(0, 4)}`, scopes: [...scopes], days: 30 },
  )
  return apiWith(url, token, 60_000)
}
