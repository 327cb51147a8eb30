import { CONTRADICTION_KINDS, type Contradiction, type KnownBuilds } from '#domain/baseline.ts'
import { EVENT_TYPES, RISK_TYPES } from '#domain/vocabulary.ts'
import type { Dialect } from './dialect.ts'

/**
 * Compares events with the baselines of their versions in SQL: the same rule as contractsOf of domain/baseline.ts, against which the
 * conformance suite checks it. Baseline columns start with `b_`, certificates of pirated copies are `p_certificates`, so event columns keep
 * their names.
 */

/** Events that report their build: environment reports, and the risks about the build. */
export const HAS_BUILD_FIELDS = `(type = ${EVENT_TYPES.env.code} OR (type = ${EVENT_TYPES.risk.code} AND risk IN (${RISK_TYPES.repackaging.code}, ${RISK_TYPES.integrity.code})))`

/** Whether a row joined with its baseline differs in this. */
const DIFFERS: Record<Contradiction, string> = {
  package: `(b_package <> '' AND package <> '' AND package <> b_package)`,
  signer: `(signer <> '' AND len(b_signers) > 0 AND NOT list_contains(b_signers, signer))`,
  hash: `(hashes <> '' AND len(b_parts) > 0 AND len(list_filter(string_split(hashes, chr(10)), lambda line: list_contains(b_parts, split_part(line, '=', 1)) AND NOT list_contains(b_lines, line))) > 0)`,
  channel: `(channel <> '' AND len(b_channels) > 0 AND NOT list_contains(b_channels, channel))`,
  pirated: `(signer <> '' AND list_contains(p_certificates, signer))`,
}

/** The kinds as bits, in the order of CONTRADICTION_KINDS; 0 where nothing contradicts. */
export const CONTRADICTION_BITS = CONTRADICTION_KINDS.map(
  (kind, index) => `CASE WHEN ${DIFFERS[kind]} THEN ${1 << index} ELSE 0 END`,
).join(' + ')

export function kindsOf(bits: number): Contradiction[] {
  return CONTRADICTION_KINDS.filter((_, index) => (bits & (1 << index)) !== 0)
}

export function bitsOf(kinds: readonly Contradiction[]): number {
  return CONTRADICTION_KINDS.reduce((bits, kind, index) => (kinds.includes(kind) ? bits | (1 << index) : bits), 0)
}

/**
 * ` JOIN (…) b ON … LEFT JOIN (…) p ON …`: each event with the baseline of its version and the pirated certificates of its application. Events
 * of versions without baseline are left out where no certificate is known. Undefined where nothing can contradict.
 */
export function baselineJoin({ baselines, pirated }: KnownBuilds, dialect: Dialect): string | undefined {
  if (baselines.length === 0 && pirated.length === 0) return undefined
  const list = (values: readonly string[]) => `[${values.map((value) => dialect.lit(value)).join(', ')}]::VARCHAR[]`
  const rows = baselines.map(({ app, version, packageName, signers, hashes, channels }) => {
    const lines = Object.entries(hashes).map(([name, hash]) => `${name}=${hash}`)
    const cells = [list(signers), list(channels), list(Object.keys(hashes)), list(lines)].join(', ')
    return `(${dialect.lit(app)}, ${dialect.lit(version)}, ${dialect.lit(packageName)}, ${cells})`
  })
  // Without a row of its own each table has one that no event is of.
  const none = `(-1, '', '', ${Array.from({ length: 4 }, () => list([])).join(', ')})`
  const names = 'b_app, b_version, b_package, b_signers, b_channels, b_parts, b_lines'
  const certificates = pirated.map(({ app, certificates: all }) => `(${dialect.lit(app)}, ${list(all)})`)
  const kind = pirated.length > 0 ? 'LEFT JOIN' : 'JOIN'
  return (
    ` ${kind} (VALUES ${rows.join(', ') || none}) b(${names}) ON app = b_app AND version = b_version` +
    ` LEFT JOIN (VALUES ${certificates.join(', ') || `(-1, ${list([])})`}) p(p_app, p_certificates) ON app = p_app`
  )
}
