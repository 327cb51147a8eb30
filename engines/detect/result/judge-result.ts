import type {
  FindingLevel,
  ItemResult,
  OwnerKind,
  PackageSummary,
  ScanResult,
  Score,
  Text,
  Verdict,
} from './scan-result.ts'
import { scoreItems } from './score-items.ts'

/** Says whether a finding (or, with null, a whole item) is suppressed. */
export type IsSuppressed = (item: string, fingerprint: string | null) => boolean

export interface Gate {
  /** The lowest score that passes. */
  readonly min_score: number | null
  /** Failed items of a level that pass at most; null: any number. */
  readonly max: Readonly<Record<'high' | 'middle' | 'low', number | null>>
  /** Items that may not fail. */
  readonly forbidden: readonly string[]
  /** Count failures in own code alone, and those whose owner is unknown: they may be own. */
  readonly own_only: boolean
  /** An item that could not be assessed does not pass. */
  readonly need_assessed: boolean
  /** The signature must verify and be the expected one; false for bundles and builds before signing. */
  readonly need_signature: boolean
}

export interface JudgedItem extends ItemResult {
  /** Findings that are suppressed. */
  readonly suppressed: number
  /** Failed, but nothing of it counts. */
  readonly muted: boolean
}

type LevelCounts = Readonly<Record<FindingLevel, number>>

/** A result after suppressions: what counts, and what the gate says. */
export interface Judged {
  readonly items: readonly JudgedItem[]
  readonly score: Score
  readonly counts: LevelCounts
  /** Of the failed items that count: those with a finding in code that is own or may be. */
  readonly ownCounts: LevelCounts
  /** Of the failed items that count: those found in no own code, but in code of unknown owner. */
  readonly unknownOwners: number
  readonly verdicts: Readonly<Record<Verdict | 'suppressed', number>>
  readonly suppressedFindings: number
  readonly gate: {
    readonly verdict: 'pass' | 'fail'
    /** Of the conditions that are not met. */
    readonly reasons: Text[]
    readonly conditions: GateCondition[]
  }
}

/** Applies suppressions and asks the gate. Pure: the same result, suppressions and gate say the same. */
export function judgeResult(
  result: Pick<ScanResult, 'items' | 'package'>,
  isSuppressed: IsSuppressed,
  gate: Gate,
): Judged {
  const items = result.items.map((item) => judgeItem(item, isSuppressed))
  const failed = items.filter((item) => item.verdict === 'fail' && !item.muted)
  const counts = countLevels(failed)
  const ownCounts = countLevels(failed.filter((item) => item.owner !== 'sdk'))
  const score = scoreItems(items.filter((item) => !item.muted))
  const verdicts = { pass: 0, fail: 0, not_applicable: 0, not_assessed: 0, suppressed: 0 }
  for (const item of items) verdicts[item.muted ? 'suppressed' : item.verdict]++
  const conditions = askGate(items, score, gate, result.package)
  const reasons = conditions.filter(({ met }) => !met).map((one) => reasonOf(one, items))
  return {
    items,
    score,
    counts,
    ownCounts,
    unknownOwners: failed.filter((item) => item.owner === 'unknown').length,
    verdicts,
    suppressedFindings: items.reduce((sum, item) => sum + item.suppressed, 0),
    gate: { verdict: reasons.length > 0 ? 'fail' : 'pass', reasons, conditions },
  }
}

const OWNERS: readonly OwnerKind[] = ['own', 'unknown', 'sdk']

function judgeItem(item: ItemResult, isSuppressed: IsSuppressed): JudgedItem {
  if (item.verdict !== 'fail') return { ...item, suppressed: 0, muted: false }
  if (isSuppressed(item.id, null)) return { ...item, suppressed: item.hits, muted: true }
  const counting = item.findings.filter((one) => !isSuppressed(item.id, one.fingerprint))
  const suppressed = item.findings.length - counting.length
  // Findings beyond those that are kept were never looked at by anybody: they count.
  const unseen = item.hits > item.findings.length
  const muted = suppressed > 0 && counting.length === 0 && !unseen
  const owner =
    counting.length === 0 || unseen
      ? item.owner
      : (OWNERS.find((kind) => counting.some((one) => one.owner.kind === kind)) ?? null)
  return { ...item, suppressed, muted, owner }
}

function countLevels(items: readonly ItemResult[]): LevelCounts {
  const counts = { high: 0, middle: 0, low: 0, info: 0 }
  for (const { level } of items) counts[level]++
  return counts
}

/** What a gate asks, and the current value. */
export interface GateCondition {
  readonly key: 'min_score' | 'high' | 'middle' | 'low' | 'forbidden' | 'assessed' | 'signature'
  /** Of `forbidden`: the item that may not fail. */
  readonly item: string | null
  /** The score, how many items fail (0 or 1 of `forbidden` and `signature`), or how many were not assessed. */
  readonly now: number
  /** At least this of the score, at most this of all others. */
  readonly required: number
  readonly met: boolean
}

function askGate(items: readonly JudgedItem[], score: Score, gate: Gate, summary: PackageSummary): GateCondition[] {
  // A strategy of a version before this condition has no answer to it: the condition holds.
  const needsSignature = gate.need_signature !== false
  const failed = items.filter(
    (one) =>
      one.verdict === 'fail' &&
      !one.muted &&
      (!gate.own_only || one.owner !== 'sdk') &&
      (needsSignature || !MISSING_SIGNATURE.has(one.id)),
  )
  const counts = countLevels(failed)
  const conditions: GateCondition[] = []
  const atMost = (key: GateCondition['key'], now: number, required: number, item: string | null = null) =>
    conditions.push({ key, item, now, required, met: now <= required })
  if (gate.min_score !== null)
    conditions.push({
      key: 'min_score',
      item: null,
      now: score.value,
      required: gate.min_score,
      met: score.value >= gate.min_score,
    })
  for (const level of ['high', 'middle', 'low'] as const) {
    const most = gate.max[level]
    if (most !== null) atMost(level, counts[level], most)
  }
  const failing = new Set(failed.map(({ id }) => id))
  for (const id of new Set(gate.forbidden)) atMost('forbidden', failing.has(id) ? 1 : 0, 0, id)
  if (gate.need_assessed) atMost('assessed', items.filter((one) => one.verdict === 'not_assessed').length, 0)
  if (needsSignature) atMost('signature', signatureProblem(items, summary) ? 1 : 0, 0)
  return conditions
}

const MISSING_SIGNATURE: ReadonlySet<string> = new Set(['android-signature-missing', 'ios-signature-missing'])
const SIGNATURE_ITEMS: ReadonlySet<string> = new Set(
  ['android', 'ios'].flatMap((platform) =>
    ['missing', 'broken', 'untrusted'].map((state) => `${platform}-signature-${state}`),
  ),
)
const LIBRARIES: ReadonlySet<string> = new Set(['aar', 'jar', 'so'])

/** The items decide where they were asked, so that a suppression counts; else the state of the package does. */
function signatureProblem(items: readonly JudgedItem[], { kind, signature }: PackageSummary): boolean {
  const asked = items.filter(({ id }) => SIGNATURE_ITEMS.has(id))
  if (asked.some(({ verdict, muted }) => verdict === 'fail' && !muted)) return true
  if (LIBRARIES.has(kind) || signature === undefined) return false
  return asked.length < SIGNATURE_ITEMS.size / 2 ? signature !== 'verified' : signature === 'unknown'
}

const LEVEL_NAMES = { high: '高危', middle: '中危', low: '低危' } as const

function reasonOf({ key, item, now, required }: GateCondition, items: readonly JudgedItem[]): Text {
  if (key === 'min_score') return { zh: `评分 ${now} 低于 ${required}`, en: `Score ${now} is below ${required}` }
  if (key === 'signature')
    return { zh: '签名缺失、无效或不受信任', en: 'The signature is missing, broken or not trusted' }
  if (key === 'assessed') return { zh: `${now} 项未能评估`, en: `${now} items could not be assessed` }
  if (key === 'forbidden') {
    const name = items.find((one) => one.id === item)?.name ?? { zh: item ?? '', en: item ?? '' }
    return { zh: `不允许不通过：${name.zh}`, en: `May not fail: ${name.en}` }
  }
  return {
    zh: `${LEVEL_NAMES[key]}项 ${now} 个，最多允许 ${required} 个`,
    en: `${now} ${key} items failed, at most ${required} may`,
  }
}
