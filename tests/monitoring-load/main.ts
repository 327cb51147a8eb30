/**
 * Channel monitoring over many simulated markets: `main.ts [MARKETS]`, 600 without it. Serves them with rate limits of their own, hostile ones among
 * them, runs one task over all, kills the process of all jobs in the middle, and says what that took and whether all was found. Runs the bundles
 * in dist/node, which are what is delivered. Ends with `N passed, N failed`.
 */
process.env['APPWARDEN_BUNDLES'] ??= 'dist/node'
const { HOSTILE_KINDS, HOSTILE_PROBLEMS, runMarkets } = await import('./run-markets.ts')
const count = Number(process.argv[2] ?? 600)
const LIMIT_MB = 400
const HOSTILE_SHARE = 0.1
const hostile = Array.from(
  { length: Math.round(count * HOSTILE_SHARE) },
  (_, at) => HOSTILE_KINDS[at % HOSTILE_KINDS.length]!,
)
console.log(`monitoring: ${count} markets, ${hostile.length} of them hostile`)
const run = await runMarkets(count, hostile, console.log)
const results: boolean[] = []
const check = (name: string, ok: boolean, note: string) => {
  results.push(ok)
  console.log(`${ok ? 'ok' : 'FAILED'} ${name} (${note})`)
}
const { peak } = run
console.log(
  `${run.requests} requests in ${(run.seconds / 60).toFixed(1)} minutes; peak PSS ${Math.round(peak.own)} MB, with workers ${Math.round(peak.all)} MB`,
)
check('the run ends', run.state === 'monitored', `${run.state}, ${run.asked} markets answered`)
check(
  `the process of all jobs stays below ${LIMIT_MB} MB`,
  Math.round(peak.own) <= LIMIT_MB,
  `${Math.round(peak.own)} MB`,
)
check('no market is asked faster than it allows', run.tooFast.length === 0, run.tooFast.join(', ') || 'none')
check(
  'markets that had answered before the kill are not asked again',
  run.askedAgain.length === 0,
  `${run.answeredBefore} had`,
)
const odd = Object.keys(run.problems).filter((one) => !Object.values(HOSTILE_PROBLEMS).some((known) => known === one))
check('only hostile markets gave no answer', odd.length === 0, JSON.stringify(run.problems))
check(
  'every copy is found and judged as what it is',
  run.wrong.length === 0,
  run.wrong.join(', ') || `${run.copies} copies`,
)
const passed = results.filter(Boolean).length
console.log(`${passed} passed, ${results.length - passed} failed`)
process.exit(passed === results.length ? 0 : 1)
