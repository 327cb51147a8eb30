// The proof of detection: npm run detection-report [-- sample NAME FOLDER | merge NAME FOLDER | owners SEED FOLDER | weaknesses | mutants | before COMMIT]
// Packages come from CORPUS_DIR and MIRRORS_DIR, and from dev dependencies; what is missing is named in the report. DECOMPILED_DIR keeps
// Java sources from one run to the next. `owners` draws classes to judge whose they are. `weaknesses` and `mutants` write that part alone.
// `before` keeps what this checkout measures as the results of an earlier commit.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Dossiers } from './dossier.ts'
import { writeOwners } from './draw-owners.ts'
import { candidates, type DrawnFinding, drawSample, SAMPLES, type Sample, type SampleName } from './draw-sample.ts'
import { JUDGEMENTS_FILE, type Judgement, mergeJudgements, readJudgements } from './judgements.ts'
import { FOLDERS, reportPackages } from './report-packages.ts'
import { scanPackageOf } from './scan-packages.ts'
import { BEFORE_FILE, measure, reportText, withJudgements, withMutants, withWeaknesses } from './write-report.ts'

const REPORT_FILE = 'docs/detection-proof.md'
const [command, argument, folder] = process.argv.slice(2)
const sample = argument !== undefined && argument in SAMPLES ? (argument as SampleName) : undefined
if (command === undefined) writeFileSync(REPORT_FILE, reportText())
else if (command === 'sample' && sample && folder) writeSample(folder, sample)
else if (command === 'merge' && sample && folder) {
  writeFileSync(JUDGEMENTS_FILE, mergeJudgements(folder, sample, readFileSync(JUDGEMENTS_FILE, 'utf8')))
  writeFileSync(REPORT_FILE, withJudgements(readFileSync(REPORT_FILE, 'utf8')))
} else if (command === 'owners' && argument && folder) writeOwners(folder, Number(argument), reportPackages(FOLDERS))
else if (command === 'weaknesses') writeFileSync(REPORT_FILE, withWeaknesses(readFileSync(REPORT_FILE, 'utf8')))
else if (command === 'mutants') writeFileSync(REPORT_FILE, withMutants(readFileSync(REPORT_FILE, 'utf8')))
else if (command === 'before' && argument) writeFileSync(BEFORE_FILE, `${JSON.stringify(measure(argument), null, 1)}\n`)
else {
  console.error(
    'usage: npm run detection-report [-- sample NAME FOLDER | merge NAME FOLDER | owners SEED FOLDER | weaknesses | mutants | before COMMIT]',
  )
  process.exitCode = 2
}

/** Draws findings to judge and writes for each what a judge needs, INDEX.tsv and the packages. The folder is outside of the repository: it contains foreign code. */
function writeSample(into: string, sample: SampleName): void {
  mkdirSync(join(into, 'packages'), { recursive: true })
  const packages = reportPackages(FOLDERS)
  const all: DrawnFinding[] = []
  for (const one of packages) {
    const scanned = scanPackageOf(one)
    if ('refused' in scanned) console.error(`${one.name}: ${scanned.refused}`)
    else all.push(...candidates(one.sha256, scanned.result))
  }
  const how: Sample = SAMPLES[sample]
  const drawn = drawSample(all, how.seed, how.unseen ? judgedBefore(sample) : [], how)
  const numbers = new Map(drawn.map((one, at) => [one, String(at + 1).padStart(3, '0')]))
  for (const one of packages) {
    const wanted = drawn.filter(({ sha256 }) => sha256 === one.sha256)
    const scanned = wanted.length ? scanPackageOf(one) : undefined
    if (!scanned || 'refused' in scanned) continue
    const dossiers = new Dossiers(scanned)
    writeFileSync(join(into, 'packages', `${one.sha256}.${scanned.source.kind}`), one.bytes())
    for (const finding of wanted) {
      const number = numbers.get(finding)!
      writeFileSync(join(into, `${number}.txt`), dossiers.of(number, finding))
    }
  }
  const index = drawn.map((one) => [numbers.get(one), one.sha256, one.item, one.level, one.location].join('\t'))
  writeFileSync(join(into, 'INDEX.tsv'), `${['number\tpackage\titem\tlevel\tlocation', ...index].join('\n')}\n`)
  console.log(`${drawn.length} of ${all.length} findings on ${packages.length} packages`)
}

/** The judgements of the samples before one. */
function judgedBefore(name: SampleName): Judgement[] {
  const names = Object.keys(SAMPLES)
  return readJudgements().filter(({ sample }) => !names.slice(names.indexOf(name)).includes(sample))
}
