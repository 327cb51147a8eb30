import { createHash } from 'node:crypto'
import type { Program } from '../dex/program.ts'
import type { Owner } from './inspected-package.ts'
import { descriptorOf } from './rules/hits.ts'
import type { Hit } from './rules/rule.ts'
import type { Finding, FindingLevel, Place } from './scan-result.ts'

export const MOST_FINDINGS = 50
const SNIPPET_LINES = 3
const ORDER: Record<FindingLevel, number> = { high: 0, middle: 1, low: 2, info: 3 }
const LONGEST = 1500

export interface JudgedHits {
  readonly findings: readonly Finding[]
  readonly hits: number
  readonly owner: 'own' | 'sdk'
  readonly level: FindingLevel
}

interface Sorted {
  readonly hit: Hit
  readonly owner: Owner
  readonly level: FindingLevel
}

/**
 * Hits as findings: worst level first, own code before SDKs, then by place. The level of the item is that of its worst hit in the code
 * that counts most; a strategy's level stands for all.
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
        Number(a.owner.kind === 'sdk') - Number(b.owner.kind === 'sdk') ||
        comparePlaces(a.hit, b.hit),
    )
  const findings: Finding[] = []
  const told = new Set<string>()
  for (const { hit, owner } of sorted) {
    if (findings.length >= MOST_FINDINGS) break
    const fingerprint = fingerprintOf(item, owner, hit)
    if (told.has(fingerprint)) continue
    told.add(fingerprint)
    findings.push({
      fingerprint,
      owner,
      evidence: withSnippet(hit, program),
      detail: { zh: cut(hit.detail.zh), en: cut(hit.detail.en) },
    })
  }
  const worst = sorted[0]!.level
  // The worst level decides; it counts as own where own code has a hit of that level.
  const own = sorted.some(({ level, owner }) => level === worst && owner.kind === 'own')
  return { findings, hits: hits.length, owner: own ? 'own' : 'sdk', level: worst }
}

const cut = (value: string): string => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value)

function ownerOfHit(hit: Hit, ownerOf: (descriptor: string) => Owner): Owner {
  if (hit.owner) return hit.owner
  return hit.place.class ? ownerOf(hit.site?.method.owner ?? descriptorOf(hit.place.class)) : { kind: 'own', sdk: null }
}

function withSnippet(hit: Hit, program: Program | null): Place {
  const place: Place = { ...hit.place, ...(hit.place.path && { path: hit.place.path.slice(0, 500) }) }
  const snippet = hit.site && program ? program.listing(hit.site, SNIPPET_LINES).map((line) => line.slice(0, 500)) : []
  return snippet.length ? { ...place, snippet } : place
}

/** Nothing that moves from version to version goes in: no offsets, no lines. */
function fingerprintOf(item: string, owner: Owner, { place, key }: Hit): string {
  const where = place.class ? `${place.class}\0${place.method ?? ''}` : `${place.entry}\0${place.path ?? ''}`
  return createHash('sha256')
    .update(`${item}\0${owner.kind}\0${owner.sdk ?? ''}\0${where}\0${key}`)
    .digest('hex')
    .slice(0, 16)
}

function comparePlaces(a: Hit, b: Hit): number {
  return compare(a.place.entry, b.place.entry) || a.place.offset - b.place.offset || compare(a.key, b.key)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
