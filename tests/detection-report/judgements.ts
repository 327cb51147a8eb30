import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FindingLevel } from '#engines/detect/result/scan-result.ts'

export const JUDGEMENTS_FILE = 'docs/detection-judgements.tsv'
const COLUMNS = ['sample', 'package', 'item', 'level', 'location', 'judgement', 'why', 'second', 'why_second'] as const
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
  return rowsOf(text).map((row, at) => {
    const [
      sample = '',
      hash = '',
      item = '',
      level = '',
      location = '',
      judgement = '',
      why = '',
      second = '',
      other = '',
    ] = row
    if (!isVerdict(judgement) || (second && !isVerdict(second))) throw new Error(`${JUDGEMENTS_FILE}: line ${at + 2}`)
    return {
      sample,
      package: hash,
      item,
      level: level as FindingLevel,
      location,
      judgement,
      why,
      second: second ? (second as Verdict) : null,
      whySecond: other,
    }
  })
}

const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

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
  const rows = rowsOf(read('INDEX.tsv')).map(([number = '', hash = '', item = '', level = '', location = '']) => {
    const first = judged.a.get(Number(number))
    const second = judged.b.get(Number(number))
    if (!first || !second) throw new Error(`finding ${number} was not judged by both`)
    return [sample, hash, item, level, location, ...first, ...second]
  })
  const kept = rowsOf(before)
    .filter(([one]) => one !== sample)
    .map((row) => [...row, ...Array<string>(COLUMNS.length - row.length).fill('')])
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
