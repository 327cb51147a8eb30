import type { BenchLine, BenchOptions } from './bench-line.ts'

/**
 * `npm run bench [-- NAME …]`: one JSON line a figure, {name, value, unit, peer, peer_value, ratio, limit}. Ratios are taken within one
 * run, since machines differ and are shared. `compare REVISION` measures this checkout against an earlier one (compare.ts). Options of a benchmark come from the environment (BENCH_ROWS, BENCH_SECONDS).
 */
type Bench = { run(options: BenchOptions): Promise<BenchLine[]> }

const benches: Record<string, () => Promise<Bench>> = {
  ingest: () => import('./ingest.ts'),
  'fan-out': () => import('./fan-out.ts'),
  'end-to-end': () => import('./end-to-end.ts'),
  queries: () => import('./queries.ts'),
  pages: () => import('./pages.ts'),
  'page-times': () => import('./page-times.ts'),
  restart: () => import('./restart.ts'),
  walks: () => import('./walks.ts'),
  search: () => import('./search.ts'),
  knowledge: () => import('./knowledge.ts'),
  export: () => import('./export.ts'),
  policy: () => import('./policy.ts'),
  scan: () => import('./scan.ts'),
  verify: () => import('./verify.ts'),
  sign: () => import('./sign.ts'),
  'encrypted-requests': () => import('./encrypted-requests.ts'),
  gateway: () => import('./gateway.ts'),
}
const wanted = process.argv.slice(2)
if (wanted[0] === 'compare') {
  const [, revision, ...names] = wanted
  if (!revision) {
    console.error('usage: npm run bench -- compare REVISION [ingest|queries|first-paint|scan-cpu|scan-memory …]')
    process.exit(2)
  }
  const { compare } = await import('./compare.ts')
  const lines = await compare(revision, names)
  for (const one of lines) console.log(JSON.stringify(one))
  process.exit(lines.every(({ ok }) => ok) ? 0 : 1)
}
for (const name of wanted)
  if (!benches[name]) {
    console.error(`no benchmark '${name}'; there are ${Object.keys(benches).join(', ')}`)
    process.exit(2)
  }
const options = {
  rows: Number(process.env['BENCH_ROWS'] ?? 10_000_000),
  seconds: Number(process.env['BENCH_SECONDS'] ?? 20),
}
let missed = 0
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length && !wanted.includes(name)) continue
  const { run } = await load()
  for (const line of await run(options)) {
    console.log(JSON.stringify(line))
    if (!line.ok) missed++
  }
}
if (missed) console.error(`${missed} limits were missed`)
process.exit(missed ? 1 : 0)
