import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { decompiled, hasDecompiler } from './decompile.ts'
import { SAMPLES, type Sample, type SampleName } from './draw-sample.ts'
import { type Outcome, outcomeOf } from './judge-mutants.ts'
import { type Judgement, readJudgements, type Verdict } from './judgements.ts'
import { MUTANT_SEED, makeMutants } from './make-mutants.ts'
import { mobsfHits, readMobsfRules } from './mobsf-rules.ts'
import { FOLDERS, type ReportPackage, reportPackages } from './report-packages.ts'
import { scanPackageOf } from './scan-packages.ts'
import { isFound, packageOf, readWeaknesses, type Weakness } from './weaknesses.ts'

export const BEFORE_FILE = 'docs/detection-before.generated.json'

/** Results of the engine before the proof existed, kept as data: an old commit is not built again. */
export interface Before {
  readonly commit: string
  /** `application: weakness` that were found. */
  readonly found: readonly string[]
  /** Outcomes of the mutants by kind. */
  readonly mutants: Readonly<Record<string, Partial<Record<Outcome, number>>>>
}

const readBefore = (): Before | null =>
  existsSync(BEFORE_FILE) ? (JSON.parse(readFileSync(BEFORE_FILE, 'utf8')) as Before) : null

/** What this engine finds, in the form that is kept of an earlier one. */
export function measure(commit: string): Before {
  const { found } = measureWeaknesses(reportPackages(FOLDERS))
  return { commit, found: [...found.keys()], mutants: measureMutants() }
}

const nameOf = ({ application, weakness }: Weakness): string => `${application}: ${weakness}`

function measureWeaknesses(packages: readonly ReportPackage[]) {
  const found = new Map<string, boolean>()
  const missing = new Set<string>()
  const results = new Map<string, ScanResult>()
  for (const one of readWeaknesses()) {
    const source = packageOf(one, packages)
    if (!source) {
      missing.add(`${one.application} (${one.package})`)
      continue
    }
    const known = results.get(source.name)
    const scanned = known ? undefined : scanPackageOf(source)
    const result = known ?? (scanned && 'result' in scanned ? scanned.result : undefined)
    if (!result) continue
    results.set(source.name, result)
    if (isFound(one, result)) found.set(nameOf(one), true)
  }
  return { found, missing }
}

function measureMutants(): Record<string, Partial<Record<Outcome, number>>> {
  const rows: Record<string, Partial<Record<Outcome, number>>> = {}
  for (const one of makeMutants()) {
    const outcome = outcomeOf(one)
    rows[one.kind] = { ...rows[one.kind], [outcome]: (rows[one.kind]?.[outcome] ?? 0) + 1 }
  }
  return rows
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
const percent = (part: number, all: number): string => (all ? `${((100 * part) / all).toFixed(1)} %` : '-')
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** The text of docs/detection-proof.md. */
export function reportText(): string {
  const packages = reportPackages(FOLDERS)
  const before = readBefore()
  return `${[
    ...headPart(packages, before),
    ...weaknessPart(packages, before),
    ...mutantPart(before),
    ...judgementPart(),
  ].join('\n\n')}\n`
}

function headPart(packages: readonly ReportPackage[], before: Before | null): string[] {
  return [
    '# Detection: proof',
    '`npm run detection-report` writes this page. Packages: dev dependencies, `CORPUS_DIR` (a folder with `packages/` and `committed/`), `MIRRORS_DIR` (git\ndirectories `OWNER+NAME/repo`). What is not there is named. No package and no foreign rule is part of this repository.',
    `Packages looked at: ${packages.length} (${['npm', 'corpus', 'repository'].map((source) => `${packages.filter((one) => one.source === source).length} ${source}`).join(', ')}). Weaknesses are measured on those\nthat are there.${before ? ` *Before* is commit ${before.commit}.` : ''}`,
  ]
}

function weaknessPart(packages: readonly ReportPackage[], before: Before | null): string[] {
  const { found, missing } = measureWeaknesses(packages)
  const old = new Set(before?.found)
  const all = readWeaknesses().filter((one) => packageOf(one, packages))
  const rules = readMobsfRules()
  const mobsf = 'skipped' in rules || !hasDecompiler() ? null : mobsfPart(all, packages, rules)
  const skipped = 'skipped' in rules ? rules.skipped : 'enjarify or procyon is not installed'
  const applications = [...new Set(all.map(({ application }) => application))]
  const counted = all.filter(({ outside }) => !outside)
  const count = (list: readonly Weakness[], is: (name: string) => boolean) =>
    list.filter((one) => is(nameOf(one))).length
  const row = (name: string, list: readonly Weakness[]) => {
    const wanted = list.filter(({ outside }) => !outside)
    const now = count(wanted, (one) => found.has(one))
    return [
      name,
      list.length,
      list.length - wanted.length,
      wanted.length,
      before ? count(wanted, (one) => old.has(one)) : '-',
      now,
      percent(now, wanted.length),
      mobsf ? count(wanted, (one) => mobsf.found.has(one)) : '-',
    ]
  }
  const missed = counted.filter((one) => !found.has(nameOf(one)))
  const outside = all.filter((one) => one.outside)
  return [
    '## Documented weaknesses',
    'Of applications that are vulnerable on purpose, as their authors list them (docs/detection-weaknesses.tsv: items, location, and in advance what needs data flow,\nnative code, the server, or has no mark in the package). Found: an item fails at that location, or the protection that the author describes is seen.',
    table(
      ['application', 'documented', 'listed in advance', 'expected', 'found before', 'found', 'recall', 'MobSF rules'],
      [
        ...applications.map((name) =>
          row(
            name,
            all.filter((one) => one.application === name),
          ),
        ),
        row('all', all),
      ],
    ),
    ...(missing.size ? [`Not there: ${[...missing].join(', ')}.`] : []),
    missed.length ? `Missed: ${missed.map(nameOf).join('; ')}.` : 'Missed: none.',
    `Listed in advance: ${outside.map((one) => `${nameOf(one)} (${one.outside})${found.has(nameOf(one)) ? ', found all the same' : ''}`).join('; ')}.`,
    mobsf
      ? `MobSF: the rules of android_rules.yaml on Java sources of the own classes (enjarify, then procyon-decompiler); a rule counts where one of the sources fits it, at any\nplace. Of the ${counted.length} expected weaknesses ${mobsf.askable} can be asked of sources (the others are in the manifest, resources, or MobSF has no rule for them); of these MobSF finds ${mobsf.foundAskable}\n(${percent(mobsf.foundAskable, mobsf.askable)}), this engine ${mobsf.ownAskable(found)} (${percent(mobsf.ownAskable(found), mobsf.askable)}). Its manifest rules are code, not rules, and were not run. ${mobsf.failed.length ? `Decompilation fails: ${mobsf.failed.join('; ')}.` : 'Decompilation fails for none.'}`
      : `MobSF: skipped, ${skipped}.`,
  ]
}

function mobsfPart(
  all: readonly Weakness[],
  packages: readonly ReportPackage[],
  rules: Exclude<ReturnType<typeof readMobsfRules>, { skipped: string }>,
) {
  const folder = process.env['DECOMPILED_DIR'] ?? mkdtempSync(join(tmpdir(), 'decompiled-'))
  const found = new Set<string>()
  const failed: string[] = []
  const read = new Set<string>()
  for (const application of new Set(all.map((one) => one.application))) {
    const own = all.filter((one) => one.application === application)
    const sources = decompiled(packageOf(own[0]!, packages)!, own[0]!.classes, folder)
    if ('failed' in sources) {
      failed.push(`${application} (${sources.failed})`)
      continue
    }
    read.add(application)
    const hits = mobsfHits(rules, sources)
    for (const one of own) if (one.mobsf.some((id) => hits.has(id))) found.add(nameOf(one))
  }
  const askable = all.filter(
    ({ outside, mobsf, application }) => !outside && mobsf.length > 0 && mobsf[0] !== '-' && read.has(application),
  )
  return {
    found,
    failed,
    askable: askable.length,
    foundAskable: askable.filter((one) => found.has(nameOf(one))).length,
    ownAskable: (own: ReadonlyMap<string, boolean>) => askable.filter((one) => own.has(nameOf(one))).length,
  }
}

const OUTCOMES: readonly Outcome[] = ['reported', 'notAssessed', 'refused', 'gate', 'wrongClean']

function mutantPart(before: Before | null): string[] {
  const rows = measureMutants()
  const counts = (row: Partial<Record<Outcome, number>> | undefined) => OUTCOMES.map((one) => row?.[one] ?? 0)
  const silent = (row: Partial<Record<Outcome, number>> | undefined) => (row?.gate ?? 0) + (row?.wrongClean ?? 0)
  const old = (kind: string) => (before ? silent(before.mutants[kind]) : '-')
  const lines = Object.entries(rows).map(([kind, row]) => [kind, sum(counts(row)), ...counts(row), old(kind)])
  const total = OUTCOMES.map((one) => sum(Object.values(rows).map((row) => row[one] ?? 0)))
  const totalBefore = before ? sum(Object.values(before.mutants).map(silent)) : '-'
  return [
    '## Mutants and look-alikes of packers',
    `Made by tests/detection-report/make-mutants.ts (seed ${MUTANT_SEED}), unsigned and judged by the gate of the strategy *full* without a signature, but for those whose planted fact is a\nsignature. *Reported*: an item of the planted fact fails. *Not assessed*: the item, or a note about the file that holds the fact, says what could not be looked at. *Refused*: no readable package, exit\ncode 2. *Gate*: the gate fails on account of something else and nothing speaks of the fact. *Wrong clean*: the gate passes, and nothing speaks of it.`,
    table(
      ['kind', 'mutants', 'reported', 'not assessed', 'refused', 'gate', 'wrong clean', 'gate or wrong clean before'],
      [...lines, ['all', sum(total), ...total, totalBefore]],
    ),
    'Bytes of code that are changed within valid instructions make another program; that is no mutant here. Damage of a signed package is. *Before* was counted when\nany note of the result was enough: as it is counted now it would be the same or more.',
  ]
}

const LEVELS = ['high', 'middle', 'low', 'info'] as const

const first = (row: Judgement) => row.judgement
const second = (row: Judgement) => row.second!
const head = (name: string) => [name, 'judged', 'right', 'unsure', 'wrong', 'right', 'wrong']
function line(name: string, rows: readonly Judgement[], of: (row: Judgement) => Verdict): (string | number)[] {
  const count = (verdict: Verdict) => rows.filter((row) => of(row) === verdict).length
  return [
    name,
    rows.length,
    count('right'),
    count('unsure'),
    count('wrong'),
    percent(count('right'), rows.length),
    percent(count('wrong'), rows.length),
  ]
}

/** `page` with its part on judged findings, which is the last, written from docs/detection-judgements.tsv. */
export const withJudgements = (page: string): string => withPart(page, judgementPart())

/** `page` with its head and its part on documented weaknesses. */
export function withWeaknesses(page: string): string {
  const packages = reportPackages(FOLDERS)
  const before = readBefore()
  return withPart(withPart(page, headPart(packages, before)), weaknessPart(packages, before))
}

/** `page` with its part on mutants, which needs no packages. */
export const withMutants = (page: string): string => withPart(page, mutantPart(readBefore()))

/** `page` with these paragraphs in place of those from the same heading to the next. */
function withPart(page: string, part: readonly string[]): string {
  const from = page.indexOf(`${part[0]}\n`)
  const next = page.indexOf('\n## ', from + 1)
  return `${page.slice(0, from)}${part.join('\n\n')}\n${next < 0 ? '' : page.slice(next)}`
}

function judgementPart(): string[] {
  const all = readJudgements()
  const once = all.filter((row) => row.second === null)
  return [
    '## Judged findings',
    `docs/detection-judgements.tsv has ${all.length} judgements of findings in ${new Set(all.map((row) => row.package)).size} packages. The findings of a sample are drawn with its seed, at most 3 of an item in a package\nand 9 of an item in all, so that frequent items do not outweigh the others. Each was judged twice independently: neither judgement knew of the other, of the rules or of earlier\njudgements. Where a sample was drawn or judged in another way, its part says so.`,
    ...(Object.keys(SAMPLES) as SampleName[]).flatMap((name) =>
      samplePart(
        name,
        all.filter(({ sample }) => sample === name),
      ),
    ),
    '### Samples before these, judged once',
    table(
      head('level'),
      LEVELS.map((level) =>
        line(
          level,
          once.filter((row) => row.level === level),
          first,
        ),
      ),
    ),
  ]
}

function samplePart(name: SampleName, rows: readonly Judgement[]): string[] {
  const { seed, engine, note }: Sample = SAMPLES[name]
  const title = `### Sample ${name}, seed ${seed}: ${engine}`
  if (rows.length === 0)
    return [title, `Not judged yet: \`npm run detection-report -- merge ${name} FOLDER\` takes what both judges wrote.`]
  const split = rows.filter((row) => row.second !== row.judgement)
  const items = [...new Set(rows.map(({ item }) => item))].sort()
  return [
    title,
    ...(note ? [note] : []),
    table(head('level, judge'), [
      ...LEVELS.flatMap((level) => {
        const some = rows.filter((row) => row.level === level)
        return [line(`${level}, first`, some, first), line(`${level}, second`, some, second)]
      }),
      line('high and middle, first', rows.filter(isHighOrMiddle), first),
      line('high and middle, second', rows.filter(isHighOrMiddle), second),
    ]),
    `Disagreements: ${split.length} of ${rows.length}.`,
    ...(split.length
      ? [
          table(
            ['item', 'level', 'location', 'first', 'second'],
            split.map((row) => [
              row.item,
              row.level,
              `\`${row.location.replaceAll('|', '/')}\``,
              `${row.judgement}: ${cell(row.why)}`,
              `${row.second}: ${cell(row.whySecond)}`,
            ]),
          ),
        ]
      : []),
    table(
      ['item', 'judged', 'right by both', 'wrong by both', 'other'],
      items.map((item) => {
        const some = rows.filter((row) => row.item === item)
        const agreed = (verdict: Verdict) =>
          some.filter((row) => row.judgement === verdict && row.second === verdict).length
        return [item, some.length, agreed('right'), agreed('wrong'), some.length - agreed('right') - agreed('wrong')]
      }),
    ),
  ]
}

const isHighOrMiddle = ({ level }: Judgement): boolean => level === 'high' || level === 'middle'
const cell = (text: string): string => text.replaceAll('|', '/').slice(0, 160)
