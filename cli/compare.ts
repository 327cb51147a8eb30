import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  FINDING_LEVELS,
  type FindingLevel,
  PACKAGE_FIELDS,
  VERDICTS,
  type Verdict,
} from '#contracts/detection/kinds.ts'
import { ScanResultSchema } from '#contracts/detection/scan-result.ts'
import type { Gate } from '#contracts/http/detection/tasks.ts'
import { type Changes, type ComparedResults, compareResults } from '#engines/detect/result/compare-results.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { type Label, label, padded } from './labels.ts'
import { readWhole } from './open-file.ts'
import { printable } from './printable.ts'
import { refusal, scanFile } from './scan.ts'
import { readGate, readKinds, readLanguage, readStrategy } from './scan-options.ts'
import { UsageError } from './usage-error.ts'

export const COMPARE_USAGE =
  'appwarden compare BEFORE AFTER [--strategy full|release|surface|FILE] [--gate high=0,middle=5|none] [--format text|json] [--lang zh|en] [--out FILE]\n' +
  'BEFORE and AFTER are packages, or results of `appwarden scan --format json`. The gate counts items that fail in AFTER and did not in BEFORE.'

/**
 * `appwarden compare A B`: what changed from one package or result to another. Answers the exit code: 0 the gate passes, 1 it does not, 2
 * not understood or not readable.
 */
export function compareCommand(args: readonly string[], print: (text: string) => void, now: number): number {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        strategy: { type: 'string' },
        gate: { type: 'string' },
        format: { type: 'string', default: 'text' },
        lang: { type: 'string' },
        out: { type: 'string' },
      },
    })
    const [first, second, ...more] = positionals
    if (first === undefined || second === undefined || more.length > 0) throw new UsageError('Two files are wanted')
    if (values.format !== 'text' && values.format !== 'json') throw new UsageError(`Unknown format: ${values.format}`)
    const language = readLanguage(values.lang)
    const strategy = readStrategy(values.strategy)
    const gate = readGate(values.gate ?? 'high=0', strategy.gate)
    const order = {
      kinds: readKinds(undefined),
      applicationType: null,
      items: strategy.items,
      levels: strategy.levels,
      date: now - (now % 86_400_000),
      baselineSigners: null,
      reduced: false,
    }
    const open = (file: string) => readResult(file) ?? scanFile(file, order)
    const compared = compareResults(open(first), open(second))
    const text = values.format === 'json' ? JSON.stringify(compared) : textOf(compared, language)
    if (values.out === undefined) print(text)
    else writeFileSync(values.out, `${text}\n`)
    return passes(compared, gate) ? 0 : 1
  } catch (error) {
    print(refusal(error, COMPARE_USAGE))
    return 2
  }
}

/** A result that was written before; undefined where the file is something else. */
function readResult(file: string): ScanResult | undefined {
  const bytes = readWhole(file)
  if (bytes[0] !== 0x7b) return undefined
  const parsed = ScanResultSchema.safeParse(parsedJson(bytes, file))
  if (!parsed.success) throw new UsageError(`${file} is JSON, but no result of a scan`)
  return parsed.data
}

function parsedJson(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new UsageError(`${file} is no whole JSON: ${(error as Error).message}`)
  }
}

function passes({ items }: ComparedResults, gate: Gate): boolean {
  const added = items.filter(({ change }) => change === 'new')
  return (['high', 'middle', 'low'] as const).every((level) => {
    const most = gate.max[level]
    return most === null || added.filter((item) => item.level === level).length <= most
  })
}

const TWO_PACKAGES = { zh: '两份结果来自不同的应用', en: 'these are two packages' }
const TWO_PACKS = { zh: '规则包不同：差异可能由此而来', en: 'the rule packs differ: differences may come from that' }
const SIGNS = { new: '+', changed: '~', fixed: '-', verdict: '?', unchanged: ' ' } as const

function textOf(compared: ComparedResults, language: 'zh' | 'en'): string {
  const { findings, items } = compared
  const level = (one: FindingLevel) => FINDING_LEVELS[one][language]
  const word = (name: Label) => label(name, language)
  const verdict = (one: Verdict | null) => (one === null ? '-' : VERDICTS[one][language])
  const lines = [
    ...(compared.same_package ? [] : [TWO_PACKAGES[language]]),
    ...(compared.same_rules ? [] : [TWO_PACKS[language]]),
    `${padded(word('findings'))}${(['new', 'fixed', 'unchanged'] as const).map((one) => `${word(one)} ${findings[one]}`).join('  ')}`,
    ...compared.package.map(
      (one) => `${padded(PACKAGE_FIELDS[one.field]?.[language] ?? one.field, 16)}${one.before} -> ${one.after}`,
    ),
    ...changeLines(word('permission'), compared.permissions, (one) => one.name),
    ...changeLines(word('sdk'), compared.sdks, (one) => `${one.name[language]} ${one.version ?? ''}`),
    ...changeLines(word('domain'), compared.domains, (one) => one.host),
    ...changeLines(
      word('component'),
      compared.components,
      (one) => `${one.kind} ${one.name}${one.exported ? ` (${word('exported')})` : ''}`,
    ),
    ...changeLines(word('signer'), compared.certificates, (one) => `${one.subject} ${one.sha256}`),
    '',
    ...items
      .filter(({ change }) => change !== 'unchanged')
      .map(
        (item) =>
          `${SIGNS[item.change]} ${padded(level(item.level), 8)}${item.id}  ${item.name[language]}  ` +
          `(+${item.new_findings.length} -${item.fixed_findings.length} =${item.unchanged}, ${verdict(item.before)} -> ${verdict(item.after)})`,
      ),
  ]
  return lines.map(printable).join('\n')
}

function changeLines<T>(
  name: string,
  { added, removed, changed }: Changes<T>,
  textOfOne: (one: T) => string,
): string[] {
  return [
    ...added.map((one) => `+ ${name} ${textOfOne(one)}`),
    ...removed.map((one) => `- ${name} ${textOfOne(one)}`),
    ...changed.map(({ after }) => `~ ${name} ${textOfOne(after)}`),
  ]
}
