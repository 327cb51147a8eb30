import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { FINDING_LEVELS, type FindingLevel, OWNER_KINDS, VERDICTS, type Verdict } from '#contracts/detection/kinds.ts'
import { GATE_WORDS } from '#domain/verdict-words.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { BUILT_IN_WORDS } from '#engines/detect/content/built-in-words.ts'
import { type Judged, judgeResult } from '#engines/detect/result/judge-result.ts'
import type { Location, ScanResult } from '#engines/detect/result/scan-result.ts'
import { signatureText } from '#engines/detect/result/signature-text.ts'
import { cyclonedxOf } from '#engines/report/cyclonedx.ts'
import { sarifOf } from '#engines/report/sarif.ts'
import { NO_EXTRAS, type PackageOrder } from '#server/modules/detection/scan-messages.ts'
import { scanPackage } from '#server/modules/detection/scan-package.ts'
import { type Label, label, padded } from './labels.ts'
import { readWhole } from './open-file.ts'
import { printable } from './printable.ts'
import { readGate, readKinds, readLanguage, readStrategy, readType } from './scan-options.ts'
import { UsageError } from './usage-error.ts'

export const SCAN_USAGE =
  'appwarden scan FILE [--kinds a,b] [--strategy full|release|surface|FILE] [--type T] [--gate high=0,middle=5,score=70,own,assessed,unsigned,forbid=ID|none]\n' +
  '               [--format text|json|sarif|cyclonedx] [--lang zh|en] [--date YYYY-MM-DD] [--policy FILE] [--out FILE]'

const FORMATS = ['text', 'json', 'sarif', 'cyclonedx'] as const
const DAY_MS = 86_400_000
const SHOWN_LOCATIONS = 3

/**
 * `appwarden scan FILE`: examines a package without a server. Answers the exit code: 0 the gate passes, 1 it does not, 2 not understood or
 * not readable.
 */
export function scanCommand(args: readonly string[], print: (text: string) => void, now: number): number {
  try {
    const { file, format, language, out, gate, order, policy } = readArguments(args, now)
    const result = scanFile(file, order, policy === undefined ? null : readWhole(policy).toString('utf8'))
    const judged = judgeResult(result, () => false, gate)
    const text = {
      text: () => textOf(file, result, judged, language),
      json: () => JSON.stringify(result),
      sarif: () => sarif(result, language),
      cyclonedx: () => JSON.stringify(cyclonedxOf(result, order.date)),
    }[format]()
    if (out === undefined) print(text)
    else writeFileSync(out, `${text}\n`)
    return judged.gate.verdict === 'pass' ? 0 : 1
  } catch (error) {
    print(refusal(error, SCAN_USAGE))
    return 2
  }
}

/** Reads and scans a file. Throws FormatError where it is no package. */
export function scanFile(
  file: string,
  order: Omit<PackageOrder, 'name'>,
  policyText: string | null = null,
): ScanResult {
  const bytes = readWhole(file)
  const words = BUILT_IN_WORDS.map((list) => ({ group: list.zh, words: list.words }))
  return scanPackage(bytes, { ...order, name: basename(file) }, () => {}, { ...NO_EXTRAS, words, policyText })
}

/** What to say of what cannot be done; throws what is no refusal. */
export function refusal(error: unknown, usage: string): string {
  if (error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
    return `${printable((error as Error).message)}\n\n${usage}`
  if (error instanceof FormatError) {
    const said = printable(error.message)
    return error.format === 'zip' ? `damaged ZIP: ${said.replace(/^zip: /, '')}` : `${error.key}: ${said}`
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return printable((error as Error).message)
  throw error
}

function readArguments(args: readonly string[], now: number) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kinds: { type: 'string' },
      strategy: { type: 'string' },
      type: { type: 'string' },
      policy: { type: 'string' },
      gate: { type: 'string' },
      format: { type: 'string', default: 'text' },
      lang: { type: 'string' },
      date: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('One file is wanted')
  const { format, out } = values
  const wanted = FORMATS.find((one) => one === format)
  if (!wanted) throw new UsageError(`--format knows ${FORMATS.join(', ')}, not ${format}`)
  const strategy = readStrategy(values.strategy)
  return {
    file,
    policy: values.policy,
    format: wanted,
    out,
    language: readLanguage(values.lang),
    gate: readGate(values.gate, strategy.gate),
    order: {
      kinds: readKinds(values.kinds),
      applicationType: readType(values.type),
      items: strategy.items,
      levels: strategy.levels,
      date: readDate(values.date, now),
      baselineSigners: null,
      reduced: false,
    },
  }
}

/** The day, so that a scan of the same day says the same. */
function readDate(text: string | undefined, now: number): number {
  if (text === undefined) return Math.floor(now / DAY_MS) * DAY_MS
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // A 31st of February is read as a day of March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text)
    throw new UsageError('--date wants YYYY-MM-DD')
  return day
}

function sarif(result: ScanResult, language: 'zh' | 'en'): string {
  return JSON.stringify(sarifOf(result, { language, isSuppressed: () => false }))
}

function textOf(file: string, result: ScanResult, judged: Judged, language: 'zh' | 'en'): string {
  const { package: summary } = result
  const word = (verdict: Verdict) => VERDICTS[verdict][language]
  const head = (name: Label) => padded(label(name, language))
  const levels = Object.entries(FINDING_LEVELS) as [FindingLevel, { zh: string; en: string }][]
  const failed = judged.items
    .filter((item) => item.verdict === 'fail')
    .toSorted((a, b) => RANK[a.level] - RANK[b.level])
  const lines = [
    `${head('gate')}${GATE_WORDS[judged.gate.conditions.length === 0 ? 'none' : judged.gate.verdict][language]}`,
    ...judged.gate.reasons.map((reason) => `          ${reason[language]}`),
    `${head('package')}${summary.name} ${summary.id} ${summary.version} (${summary.kind}, ${summary.size} bytes)`,
    `${head('file')}${file}`,
    `${head('sha256')}${summary.sha256}`,
    `${head('signature')}${signatureText(result)[language]}`,
    ...(summary.packer === null ? [] : [`${head('packer')}${summary.packer}`]),
    `${head('rules')}${result.rules.pack} ${result.rules.version} (${result.rules.items})`,
    `${head('score')}${judged.score.value}`,
    `${head('items')}${levels.map(([level, name]) => `${name[language]} ${judged.counts[level]}`).join('  ')}  ${word('not_assessed')} ${judged.verdicts.not_assessed}`,
    ...(judged.unknownOwners === 0 ? [] : [`${head('owner')}${UNKNOWN_OWNERS(judged.unknownOwners)[language]}`]),
    '',
    ...failed.flatMap((item) => [
      `${padded(FINDING_LEVELS[item.level][language], 8)}${item.id}  ${item.name[language]}  (${item.hits}, ${item.owner ? OWNER_KINDS[item.owner][language] : ''})`,
      ...item.findings
        .slice(0, SHOWN_LOCATIONS)
        .map((one) => `        ${locationText(one.evidence)}  ${one.detail[language]}`),
      ...(item.hits > SHOWN_LOCATIONS ? [`        … ${item.hits - SHOWN_LOCATIONS}`] : []),
    ]),
    ...result.notAssessed.map((note) => `${word('not_assessed')}: ${note.text[language]}`),
  ]
  return lines.map(printable).join('\n')
}

/** A gate about own code alone counts them. */
const UNKNOWN_OWNERS = (count: number) => ({
  zh: `${count} 项所在代码归属未知，按自有代码计`,
  en: `${count} failed items lie in code of unknown owner, which counts as own`,
})

const RANK: Record<FindingLevel, number> = { high: 0, middle: 1, low: 2, info: 3 }

function locationText({ entry, offset, path, class: owner, method, line }: Location): string {
  const at = line !== undefined ? `:${line}` : offset >= 0 ? `+0x${offset.toString(16)}` : ''
  const name = owner === undefined ? path : `${owner}${method === undefined ? '' : `->${method}`}`
  return [`${entry}${at}`, name].filter(Boolean).join(' ')
}
