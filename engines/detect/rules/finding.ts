import { createHash } from 'node:crypto'
import type { Program } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import type { Owner } from '../input/inspected-package.ts'
import type { Finding, FindingLevel, Location, OwnerKind } from '../result/scan-result.ts'
import { masked } from './mask.ts'
import type { Hit } from './rule.ts'

export const MOST_FINDINGS = 50
const SNIPPET_LINES = 3
const ORDER: Record<FindingLevel, number> = { high: 0, middle: 1, low: 2, info: 3 }
const LONGEST = 1500
/** In the order in which findings count: an unknown owner may be the application. */
const OWNERS: readonly OwnerKind[] = ['own', 'unknown', 'sdk']

export interface JudgedHits {
  readonly findings: readonly Finding[]
  readonly hits: number
  readonly owner: OwnerKind
  readonly level: FindingLevel
}

interface Sorted {
  readonly hit: Hit
  readonly owner: Owner
  readonly level: FindingLevel
}

/**
 * Hits as findings: worst level first, own code before that of unknown owner before SDKs, then by location. The level of the item is that of its worst hit in the code
 * that counts most; a strategy's level applies to all.
 */
export function judgeHits(
  item: string,
  base: FindingLevel,
  forced: FindingLevel | undefined,
  hits: readonly Hit[],
  program: Program | null,
  ownerOf: (descriptor: string) => Owner,
): JudgedHits {
  const sorted = hits
    .map((hit): Sorted => ({ hit, owner: ownerOfHit(hit, ownerOf), level: forced ?? hit.level ?? base }))
    .sort(
      (a, b) =>
        ORDER[a.level] - ORDER[b.level] ||
        OWNERS.indexOf(a.owner.kind) - OWNERS.indexOf(b.owner.kind) ||
        compareLocations(a.hit, b.hit),
    )
  const worst = sorted[0]!.level
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const { hit, owner, level } of sorted) {
    if (findings.length >= MOST_FINDINGS) break
    const fingerprint = fingerprintOf(item, owner, hit)
    if (seen.has(fingerprint)) continue
    seen.add(fingerprint)
    findings.push({
      fingerprint,
      owner,
      evidence: withSnippet(hit, program),
      detail: { zh: cut(hit.detail.zh), en: cut(hit.detail.en) },
      ...(level !== worst && { level }),
    })
  }
  // The worst level decides; within it the hits are sorted by owner.
  return { findings, hits: hits.length, owner: sorted[0]!.owner.kind, level: worst }
}

const cut = (value: string): string => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value)

function ownerOfHit(hit: Hit, ownerOf: (descriptor: string) => Owner): Owner {
  if (hit.owner) return hit.owner
  return hit.location.class
    ? ownerOf(hit.codeLocation?.method.owner ?? descriptorOf(hit.location.class))
    : { kind: 'own', sdk: null }
}

function withSnippet(hit: Hit, program: Program | null): Location {
  const location: Location = { ...hit.location, ...(hit.location.path && { path: hit.location.path.slice(0, 500) }) }
  const snippet =
    hit.codeLocation && program
      ? program.listing(hit.codeLocation, SNIPPET_LINES).map((line) => withoutSecret(line, hit.secret).slice(0, 500))
      : []
  return snippet.length ? { ...location, snippet } : location
}

/** A listing quotes a text as JSON does, a long one cut: what follows the begin of a secret there belongs to it. */
function withoutSecret(line: string, secret: string | undefined): string {
  if (!secret) return line
  const quoted = JSON.stringify(secret).slice(1, -1)
  const whole = line.replaceAll(quoted, masked(secret))
  const cutAt = line.includes('…"') ? whole.indexOf(quoted.slice(0, CERTAIN)) : -1
  return cutAt < 0 ? whole : `${whole.slice(0, cutAt)}${masked(secret)}…"`
}
/** So many characters of a secret are enough to recognise it. */
const CERTAIN = 12

/**
 * Nothing that moves from version to version goes in: no offsets, no lines. An unknown owner counts as own, so that a finding stays the same
 * when it becomes known.
 */
function fingerprintOf(item: string, owner: Owner, { location, key }: Hit): string {
  const where = location.class
    ? `${location.class}\0${location.method ?? ''}`
    : `${location.entry}\0${location.path ?? ''}`
  return createHash('sha256')
    .update(`${item}\0${owner.kind === 'sdk' ? 'sdk' : 'own'}\0${owner.sdk ?? ''}\0${where}\0${key}`)
    .digest('hex')
    .slice(0, 16)
}

function compareLocations(a: Hit, b: Hit): number {
  return compare(a.location.entry, b.location.entry) || a.location.offset - b.location.offset || compare(a.key, b.key)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
