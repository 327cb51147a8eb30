import { COPY_VERDICTS, type CopyVerdict, PIRATED } from '#engines/similarity/judge-copy.ts'
import type { Thresholds } from '#engines/similarity/thresholds.ts'
import { type Measured, PAIR_SEED, type Pair, verdictOf } from './measure-pairs.ts'

export interface ClassResult {
  readonly verdict: CopyVerdict
  readonly pairs: number
  readonly precision: number | null
  readonly recall: number | null
}

/** Precision and recall of each verdict. */
export function resultsOf(pairs: readonly Pair[], thresholds: Thresholds): ClassResult[] {
  const judged = pairs.map((pair) => ({ truth: pair.truth, verdict: verdictOf(pair, thresholds) }))
  return COPY_VERDICTS.map((verdict) => {
    const right = judged.filter((one) => one.truth === verdict && one.verdict === verdict).length
    const of = (key: 'truth' | 'verdict') => judged.filter((one) => one[key] === verdict).length
    const share = (count: number) => (count ? right / count : null)
    return { verdict, pairs: of('truth'), precision: share(of('verdict')), recall: share(of('truth')) }
  })
}

/** The mean of the F1 measures of the verdicts that occur. */
export function meanF1(pairs: readonly Pair[], thresholds: Thresholds): number {
  const measures = resultsOf(pairs, thresholds)
    .filter((one) => one.pairs > 0)
    .map(({ precision, recall }) => {
      const sum = (precision ?? 0) + (recall ?? 0)
      return sum ? (2 * (precision ?? 0) * (recall ?? 0)) / sum : 0
    })
  return measures.reduce((sum, one) => sum + one, 0) / Math.max(1, measures.length)
}

const GRID: Readonly<Record<keyof Thresholds, readonly number[]>> = {
  code: [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7],
  resources: [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
  native: [0.4, 0.6, 0.8],
  whole: [0.15, 0.2, 0.3, 0.4, 0.5, 0.6],
  icon: [0.7, 0.75, 0.8, 0.85, 0.9],
  label: [0.7, 0.8, 0.9, 1],
}

/**
 * One threshold after the other is set to the value with the best mean F1, twice around. Of equally good values the one in the middle is
 * taken, which is farthest from where it would begin to fail.
 */
export function chooseThresholds(pairs: readonly Pair[]): Thresholds {
  let chosen: Thresholds = { code: 0.3, resources: 0.6, native: 0.6, whole: 0.5, icon: 0.8, label: 0.9 }
  for (let round = 0; round < 2; round++)
    for (const key of Object.keys(GRID) as (keyof Thresholds)[]) {
      const tried = GRID[key].map((value) => ({ value, f1: meanF1(pairs, { ...chosen, [key]: value }) }))
      const best = Math.max(...tried.map(({ f1 }) => f1))
      const good = tried.filter(({ f1 }) => f1 === best)
      chosen = { ...chosen, [key]: good[Math.floor(good.length / 2)]!.value }
    }
  return chosen
}

export function reportText(
  { pairs, left }: Measured,
  chosen: Thresholds,
  originals: readonly string[],
  missing: readonly string[],
): string {
  const half = (name: Pair['half']) => pairs.filter((one) => one.half === name)
  const reported = half('reported')
  return `# Proof of the judgements of copies

\`npm run monitoring-report\` writes this page: packages are published by made keys, copied with the product's own writers (tests/monitoring-report/make-copies.ts, seed ${PAIR_SEED}), and every pair of published package and copy is judged by engines/similarity. \`APPS=N\` sets how many packages are taken. Packages: dev dependencies, \`CORPUS_DIR\` (a folder with \`packages/\` and \`committed/\`) and \`MIRRORS_DIR\` (git directories). ${missing.length ? `Missing in this run: ${missing.join(', ')}.` : 'Nothing was missing in this run.'}

${pairs.length} pairs of ${originals.length} packages. Packages are divided by the hash of their names: thresholds are chosen on ${half('chosen').length} pairs of one half and results reported on ${reported.length} pairs of the other.

What it does not show: the copies are made here, not found in markets. Packages without components (parts of applications, programs that test others) are left out, since no market offers them: under another name most of them have nothing to be known by, so that numbers with them are lower. A copy with renamed classes is renamed in place, which Android would refuse. Nothing here shows how often people who repackage change more than this.

## Thresholds

| threshold | chosen on the first half |
|---|---|
${Object.entries(chosen)
  .map(([key, value]) => `| ${key} | ${value} |`)
  .join('\n')}

## Reported half

Judged with the chosen thresholds, which are those of the product. Pirated copies called genuine, another version or unrelated: ${missed(reported, chosen).length} of ${reported.filter((one) => PIRATED.has(one.truth)).length}. Others called pirated: ${falselyPirated(reported, chosen).length} of ${reported.filter((one) => !PIRATED.has(one.truth)).length}.

${table(reported, chosen)}

## Both halves, judgement against truth

${confusion(pairs, chosen)}

## By kind of copy, both halves

| copy | truth | pairs | judged so | judged otherwise |
|---|---|---|---|---|
${[...new Set(pairs.map(({ kind }) => kind))]
  .map((kind) =>
    kindRow(
      pairs.filter((one) => one.kind === kind),
      chosen,
    ),
  )
  .join('\n')}

## Left out

${left.size ? [...left].map(([what, count]) => `- ${what}: ${count}`).join('\n') : 'Nothing.'}
`
}

const missed = (pairs: readonly Pair[], chosen: Thresholds) =>
  pairs.filter((one) => PIRATED.has(one.truth) && !PIRATED.has(verdictOf(one, chosen)))
const falselyPirated = (pairs: readonly Pair[], chosen: Thresholds) =>
  pairs.filter((one) => !PIRATED.has(one.truth) && PIRATED.has(verdictOf(one, chosen)))

const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)

const table = (pairs: readonly Pair[], chosen: Thresholds): string =>
  [
    '| verdict | pairs | precision | recall |',
    '|---|---|---|---|',
    ...resultsOf(pairs, chosen).map(
      (one) => `| ${one.verdict} | ${one.pairs} | ${percent(one.precision)} | ${percent(one.recall)} |`,
    ),
  ].join('\n')

function confusion(pairs: readonly Pair[], chosen: Thresholds): string {
  const judged = pairs.map((pair) => ({ truth: pair.truth, verdict: verdictOf(pair, chosen) }))
  const rows = COPY_VERDICTS.map((truth) => {
    const of = judged.filter((one) => one.truth === truth)
    return `| **${truth}** | ${COPY_VERDICTS.map((verdict) => of.filter((one) => one.verdict === verdict).length).join(' | ')} |`
  })
  return [`| truth | ${COPY_VERDICTS.join(' | ')} |`, `|---|${'---|'.repeat(COPY_VERDICTS.length)}`, ...rows].join('\n')
}

function kindRow(pairs: readonly Pair[], chosen: Thresholds): string {
  const wrong = new Map<CopyVerdict, number>()
  for (const pair of pairs) {
    const verdict = verdictOf(pair, chosen)
    if (verdict !== pair.truth) wrong.set(verdict, (wrong.get(verdict) ?? 0) + 1)
  }
  const count = [...wrong.values()].reduce((sum, one) => sum + one, 0)
  const names = [...wrong].map(([verdict, times]) => `${verdict} ${times}`).join(', ')
  return `| ${pairs[0]!.kind} | ${pairs[0]!.truth} | ${pairs.length} | ${pairs.length - count} | ${names || '–'} |`
}
