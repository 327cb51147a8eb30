// The proof of monitoring: npm run monitoring-report [-- wrong]. Packages come from CORPUS_DIR and MIRRORS_DIR, and from dev dependencies.
// It chooses the thresholds of the product too. `wrong` lists the pairs that are judged otherwise than they are, with their parts, instead of writing the page.
import { writeFileSync } from 'node:fs'
import { judgeCopy } from '#engines/similarity/judge-copy.ts'
import { FOLDERS, reportPackages } from '../detection-report/report-packages.ts'
import { measurePairs, verdictOf } from './measure-pairs.ts'
import { originalsAmong } from './originals.ts'
import { chooseThresholds, reportText } from './write-report.ts'

const REPORT_FILE = 'docs/monitoring-proof.md'
const THRESHOLDS_FILE = 'engines/similarity/thresholds.generated.json'
const UNRELATED_PAIRS = 6
const [command] = process.argv.slice(2)
if (command !== undefined && command !== 'wrong') {
  console.error('usage: npm run monitoring-report [-- wrong]')
  process.exitCode = 2
} else {
  const originals = originalsAmong(reportPackages(FOLDERS), Number(process.env['APPS'] ?? 70))
  const measured = measurePairs(originals, UNRELATED_PAIRS, (line) => console.error(line))
  if (command === 'wrong')
    for (const pair of measured.pairs.filter((one) => verdictOf(one) !== one.truth)) {
      const { verdict, likeness, notes } = judgeCopy([pair.reference], pair.copy)
      console.log(`${pair.reference.package} | ${pair.copy.package} | ${pair.kind}: ${verdict}`)
      console.log(`  ${JSON.stringify(likeness)} ${notes.join(' ')}`)
    }
  else {
    const missing = [!FOLDERS.corpus && 'CORPUS_DIR', !FOLDERS.mirrors && 'MIRRORS_DIR'].filter((one) => one !== false)
    const chosen = chooseThresholds(measured.pairs.filter(({ half }) => half === 'chosen'))
    const names = originals.map(({ name }) => name)
    writeFileSync(THRESHOLDS_FILE, `${JSON.stringify(chosen)}\n`)
    writeFileSync(REPORT_FILE, reportText(measured, chosen, names, missing))
    console.log(`${measured.pairs.length} pairs, ${REPORT_FILE}`)
  }
}
