import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FindingLevel } from '#engines/detect/result/scan-result.ts'
import { readTsv } from './tsv.ts'

export const JUDGEMENTS_FILE = 'docs/detection-judgements.tsv'
const COLUMNS = ['sample', 'package', 'item', 'level', 'location', 'judgement', 'why', 'second', 'why_second'] as const
/** Of the list that `sample` writes beside the dossiers. */
const INDEX_COLUMNS = ['number', 'package', 'item', 'level', 'location'] as const
const VERDICTS = ['right', 'wrong', 'unsure'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One finding as one or two judges saw it, independently of each other. */
export interface Judgement {
  readonly sample: string
  /** SHA-256 of the package. */
  readonly package: string
  readonly item: string
  readonly level: FindingLevel
  readonly location: string
  readonly judgement: Verdict
  readonly why: string
  /** Null where it was judged once. */
  readonly second: Verdict | null
  readonly whySecond: string
}

const isVerdict = (text: string): text is Verdict => (VERDICTS as readonly string[]).includes(text)

/** The judged findings of docs/detection-judgements.tsv. Throws Error with the line where a verdict is unknown. */
export function readJudgements(text = readFileSync(JUDGEMENTS_FILE, 'utf8')): Judgement[] {
  return readTsv(text, COLUMNS).map(({ judgement, second, level, why_second: whySecond, ...row }, at) => {
    if (!isVerdict(judgement) || (second && !isVerdict(second))) throw new Error(`${JUDGEMENTS_FILE}: line ${at + 2}`)
    return { ...row, level: level as FindingLevel, judgement, second: second ? (second as Verdict) : null, whySecond }
  })
}

/**
 * Joins INDEX.tsv of a folder of dossiers with what both judges wrote into a.tsv and b.tsv there (or parts of them: a1.tsv, a2.tsv; number, verdict, why; a first line with
 * the names of the columns may be missing), and puts the rows instead of those of the same sample. Throws Error where one of them left
 * a finding out.
 */
export function mergeJudgements(folder: string, sample: string, before: string): string {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const parts = (judge: string) =>
    readdirSync(folder)
      .filter((name) => new RegExp(`^${judge}\\d*\\.tsv$`).test(name))
      .map(read)
      .join('\n')
  const judged = { a: verdictsOf(parts('a')), b: verdictsOf(parts('b')) }
  const rows = readTsv(read('INDEX.tsv'), INDEX_COLUMNS).map(({ number, ...found }) => {
    const first = judged.a.get(Number(number))
    const second = judged.b.get(Number(number))
    if (!first || !second) throw new Error(`finding ${number} was not judged by both`)
    return [sample, found.package, found.item, found.level, found.location, ...first, ...second]
  })
  const kept = readTsv(before, COLUMNS)
    .filter((row) => row.sample !== sample)
    .map((row) => COLUMNS.map((name) => row[name]))
  return `${[COLUMNS, ...kept, ...rows].map((row) => row.join('\t')).join('\n')}\n`
}

function verdictsOf(text: string): Map<number, readonly [Verdict, string]> {
  const found = new Map<number, readonly [Verdict, string]>()
  for (const line of text.split('\n')) {
    const [number = '', verdict = '', ...why] = line.split('\t').map((part) => part.trim())
    if (/^\d+$/.test(number) && isVerdict(verdict.toLowerCase()))
      found.set(Number(number), [verdict.toLowerCase() as Verdict, why.join(' ')])
  }
  return found
}
