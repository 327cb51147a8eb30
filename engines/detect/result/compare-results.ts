import type {
  CertificateSummary,
  ComponentResult,
  DomainResult,
  Finding,
  FindingLevel,
  ItemResult,
  PermissionResult,
  ScanResult,
  SdkResult,
  Text,
  Verdict,
} from './scan-result.ts'

/** new: fails now. fixed: failed before. changed: fails in both with other findings. verdict: another verdict, neither a failure. */
export type ItemChange = 'new' | 'fixed' | 'changed' | 'unchanged' | 'verdict'

export interface ComparedItem {
  readonly id: string
  readonly name: Text
  readonly category: string
  readonly level: FindingLevel
  readonly change: ItemChange
  /** null: the item was not asked. */
  readonly before: Verdict | null
  readonly after: Verdict | null
  readonly new_findings: Finding[]
  readonly fixed_findings: Finding[]
  readonly unchanged: number
}

export interface Changes<T> {
  readonly added: T[]
  readonly removed: T[]
  readonly changed: { readonly before: T; readonly after: T }[]
}

export interface ComparedResults {
  readonly same_package: boolean
  readonly same_rules: boolean
  readonly findings: { readonly new: number; readonly fixed: number; readonly unchanged: number }
  readonly items: ComparedItem[]
  readonly permissions: Changes<Omit<PermissionResult, 'uses'>>
  readonly sdks: Changes<Omit<SdkResult, 'evidence'>>
  readonly domains: Changes<Omit<DomainResult, 'place'>>
  readonly components: Changes<ComponentResult>
  readonly certificates: Changes<CertificateSummary>
  readonly package: { readonly field: string; readonly before: string; readonly after: string }[]
}

/**
 * What changed from one result to another. Findings are the same where their fingerprints are; an item that only one of them was asked is
 * neither new nor fixed on that account.
 */
export function compareResults(before: ScanResult, after: ScanResult): ComparedResults {
  const items = compareItems(before.items, after.items)
  const sum = (count: (item: ComparedItem) => number) => items.reduce((total, item) => total + count(item), 0)
  return {
    same_package: before.package.id === after.package.id && before.package.platform === after.package.platform,
    same_rules: before.rules.pack === after.rules.pack && before.rules.version === after.rules.version,
    findings: {
      new: sum((item) => item.new_findings.length),
      fixed: sum((item) => item.fixed_findings.length),
      unchanged: sum((item) => item.unchanged),
    },
    items,
    permissions: changesOf(
      before.permissions,
      after.permissions,
      ({ name }) => name,
      ({ uses: _, ...rest }) => rest,
    ),
    sdks: changesOf(
      before.sdks,
      after.sdks,
      ({ id }) => id,
      ({ evidence: _, ...rest }) => rest,
    ),
    domains: changesOf(
      before.domains,
      after.domains,
      ({ host }) => host,
      ({ place: _, ...rest }) => rest,
    ),
    components: changesOf(
      before.components,
      after.components,
      ({ kind, name }) => `${kind} ${name}`,
      (one) => one,
    ),
    certificates: changesOf(
      before.certificates,
      after.certificates,
      ({ sha256 }) => sha256,
      (one) => one,
    ),
    package: comparePackages(before.package, after.package),
  }
}

const CHANGE_RANK: Record<ItemChange, number> = { new: 0, changed: 1, fixed: 2, verdict: 3, unchanged: 4 }
const LEVEL_RANK: Record<FindingLevel, number> = { high: 0, middle: 1, low: 2, info: 3 }

function compareItems(before: readonly ItemResult[], after: readonly ItemResult[]): ComparedItem[] {
  const old = new Map(before.map((item) => [item.id, item]))
  const now = new Map(after.map((item) => [item.id, item]))
  const found: ComparedItem[] = []
  for (const id of new Set([...now.keys(), ...old.keys()])) {
    const compared = compareItem(old.get(id), now.get(id))
    if (compared) found.push(compared)
  }
  return found.sort(
    (a, b) =>
      CHANGE_RANK[a.change] - CHANGE_RANK[b.change] ||
      LEVEL_RANK[a.level] - LEVEL_RANK[b.level] ||
      (a.id < b.id ? -1 : 1),
  )
}

function compareItem(old: ItemResult | undefined, now: ItemResult | undefined): ComparedItem | undefined {
  const item = now ?? old
  if (!item) return undefined
  const known = new Set(old?.findings.map((one) => one.fingerprint))
  const still = new Set(now?.findings.map((one) => one.fingerprint))
  // Without the other side's answer nothing is known to be new or fixed.
  const answered = (one: ItemResult | undefined) => one?.verdict === 'fail' || one?.verdict === 'pass'
  const added = answered(old) ? (now?.findings ?? []).filter((one) => !known.has(one.fingerprint)) : []
  const fixed = answered(now) ? (old?.findings ?? []).filter((one) => !still.has(one.fingerprint)) : []
  const change = changeOf(old, now, added.length + fixed.length)
  if (!change) return undefined
  return {
    id: item.id,
    name: item.name,
    category: item.category,
    level: item.level,
    change,
    before: old?.verdict ?? null,
    after: now?.verdict ?? null,
    new_findings: added,
    fixed_findings: fixed,
    unchanged: [...still].filter((one) => known.has(one)).length,
  }
}

function changeOf(old: ItemResult | undefined, now: ItemResult | undefined, differing: number): ItemChange | undefined {
  if (now?.verdict === 'fail' && old?.verdict === 'fail') return differing > 0 ? 'changed' : 'unchanged'
  if (now?.verdict === 'fail' && old?.verdict === 'pass') return 'new'
  if (old?.verdict === 'fail' && now?.verdict === 'pass') return 'fixed'
  return old?.verdict === now?.verdict ? undefined : 'verdict'
}

/** Rows that are new, gone or different; `keyOf` says which rows are the same one, `plain` what of it is compared and answered. */
export function changesOf<T, U extends object>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => string,
  plain: (one: T) => U,
): Changes<U> {
  const old = new Map(before.map((one) => [keyOf(one), plain(one)]))
  const now = new Map(after.map((one) => [keyOf(one), plain(one)]))
  const changed: { before: U; after: U }[] = []
  for (const [key, one] of now) {
    const earlier = old.get(key)
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(one)) changed.push({ before: earlier, after: one })
  }
  return {
    added: [...now].filter(([key]) => !old.has(key)).map(([, one]) => one),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, one]) => one),
    changed,
  }
}

const FIELDS = [
  'name',
  'id',
  'version',
  'build',
  'minSdk',
  'targetSdk',
  'size',
  'mainClass',
  'abis',
  'dexCount',
  'classCount',
  'packer',
  'signed',
  'schemes',
  'sha256',
] as const

function comparePackages(before: ScanResult['package'], after: ScanResult['package']) {
  return FIELDS.map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) })).filter(
    (one) => one.before !== one.after,
  )
}

function textOf(value: string | number | boolean | readonly string[] | null): string {
  return value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}
