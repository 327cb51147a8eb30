import type { Finding, FindingLevel, ItemResult, ScanResult } from '#engines/detect/result/scan-result.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import type { Judgement } from './judgements.ts'
import { locationText } from './scan-packages.ts'

/**
 * Samples that were judged twice, by name: their seeds, and which engine they were drawn from. `unseen`: packages that no sample before it
 * used come first, or are the only ones, and no finding that one of them judged is drawn again.
 */
export const SAMPLES = {
  s5: { seed: 20_261_123, engine: 'before the rules were mended by what this sample showed' },
  s6: { seed: 20_261_124, engine: 'after that' },
  s7: {
    seed: 20_261_125,
    engine:
      'on packages that no sample before it used as far as they suffice; before the rules were mended by what it showed',
    unseen: 'first',
  },
  s8: {
    seed: 20_261_126,
    engine: 'on packages that no sample before it used, gathered after the rules were mended by what s7 showed',
    unseen: 'only',
  },
  s9: {
    seed: 20_261_127,
    engine:
      'smaller, on packages that no sample before it used, gathered after the rules were mended by what s8 showed',
    note: 'Findings of levels high and middle alone, at most 2 of an item in all. Unlike the others it was read once, by the author of the rules, who wrote two lists from it: their agreement proves nothing. The bound of 2 was chosen after counts of items were seen, before a finding was read. 48 of the 174 findings are of one application that is vulnerable on purpose (IBM): without it 79.4 % and 78.6 % are right, 8.7 % and 7.9 % wrong.',
    unseen: 'only',
    sizes: { high: 170, middle: 170, low: 0, info: 0 },
    mostOfAnItem: 2,
  },
  s10: {
    seed: 20_261_128,
    engine:
      'on packages that no sample before it used, gathered while the rules were mended by what s7 to s9 showed, and not scanned before the mends were committed',
    note: 'Findings of levels high and middle alone, with the bounds of the samples before s9. Of the repositories that were gathered (those whose snapshots had a package that no sample used), 26 were set aside to try the rules on (by a digest of their names, and one because it holds pieces of a build); the sample is drawn from the other 59. Two readers judged it, neither of them an author of the rules. The method was written down before a finding was read.',
    unseen: 'only',
    sizes: { high: 170, middle: 170, low: 0, info: 0 },
  },
  s11: {
    seed: 20_261_201,
    engine: 'on packages that no sample before it used, after the rules were mended by what s10 showed',
    note: 'Findings of levels high and middle alone, 45 of each, with the bounds of the samples before s9. Repositories were chosen by their names and the paths of their packages, so that kinds of application are mixed; 19 of the 30 that were gathered had a package below 4 MiB that is no piece of a build. Flutter and React Native are missing: their packages are larger. The findings are of 27 packages of 16 programs, several in two builds, and two thirds are facts of the manifest or the signature. Neither reader was an author of a rule; the second knew which findings of s10 were not right, and why. The method was written down before a finding was read.',
    unseen: 'only',
    sizes: { high: 45, middle: 45, low: 0, info: 0 },
  },
  s12: {
    seed: 20_261_202,
    engine: 'on packages that no sample before it used, after the rules were mended by what s11 showed',
    note: 'Findings of levels high and middle alone, 50 of each, with the bounds of the samples before s9. Packages are those below 4 MiB of all repositories that were gathered since for other purposes (proof of copies, reinforcement), but for three with pieces of builds and a collection of test artifacts. The rules were not changed by what these packages showed; their findings were listed once before, to compare two revisions. Neither reader was an author of a rule, and neither knew an earlier sample. The method was written down before a finding was read.',
    unseen: 'only',
    sizes: { high: 50, middle: 50, low: 0, info: 0 },
  },
  s13: {
    seed: 20_261_203,
    engine: 'on packages that no sample before it used, after the rules were mended by what s12 showed',
    note: 'Findings of levels high and middle alone, 40 of each, with the bounds of the samples before s9. Repositories were chosen by their names and the paths of their packages, so that kinds of application and countries are mixed; those that had lain beside the project before were left out, as were one with pieces of a build and one whose only package is a library of someone else. 60 of the 95 that were gathered are left; the other 33 had no package below 4 MiB, or one that a sample used. Flutter, React Native and Cordova are missing: their packages are larger. Of iOS there are two applications, of which nothing was drawn. The findings are of 52 packages of 40 programs, several in two or more builds. No package was scanned before the mends were committed. Neither reader was an author of a rule, and neither knew an earlier sample. The method was written down before a finding was read.',
    unseen: 'only',
    sizes: { high: 40, middle: 40, low: 0, info: 0 },
  },
  s14: {
    seed: 20_261_204,
    engine: 'on packages that no sample before it used, after the rules were mended by what s13 showed',
    note: 'Findings of levels high and middle alone, 40 of each, with the bounds of the samples before s9. Programs that are or were published or in use by others, as far as their README says so (a store, a download for users, a release page); chosen by that and by names and paths alone: 39 of 282 repositories that were fetched, with 47 packages below 4 MiB. Left out were course work, tutorials and samples, programs with more than two builds, and repositories with a package that a sample used. Most are programs of single authors; internal applications of companies and React Native are missing. No package was scanned before the mends were committed. Neither reader was an author of a rule, and neither knew an earlier sample. The method was written down before a finding was read.',
    unseen: 'only',
    sizes: { high: 40, middle: 40, low: 0, info: 0 },
  },
  s15: {
    seed: 20_261_205,
    engine: 'on packages that no sample before it used, after the rules were mended by what s14 showed',
    note: 'Findings of levels high and middle alone, 40 of each, with the bounds of the samples before s9. Smaller than planned: 15 of the 108 repositories that were fetched, with 20 packages below 4 MiB. Seven name a store, four a download for users, one is the application of a product; of three the README ties the program to an organisation or a group of users, but names no store. Left out were course work, pieces of builds, programs with more than two builds, and repositories with a package that a sample used. Five programs come in two builds, two of these to debug. Most are programs of single authors; internal applications of companies, Flutter and React Native are missing. No package was scanned before the mends were committed. Neither reader was an author of a rule, and neither knew an earlier sample. The method was written down before a finding was read.',
    unseen: 'only',
    sizes: { high: 40, middle: 40, low: 0, info: 0 },
  },
} as const satisfies Readonly<Record<string, Sample>>
export interface Sample {
  readonly seed: number
  readonly engine: string
  /** What a reader has to know of how it was judged. */
  readonly note?: string
  readonly unseen?: 'first' | 'only'
  /** `SAMPLE_SIZES` where absent. */
  readonly sizes?: Readonly<Record<FindingLevel, number>>
  /** `MOST_OF_AN_ITEM` where absent. */
  readonly mostOfAnItem?: number
}
export type SampleName = keyof typeof SAMPLES
/** Findings to judge of each level. */
export const SAMPLE_SIZES: Readonly<Record<FindingLevel, number>> = { high: 170, middle: 170, low: 60, info: 40 }
/** One item in one package gives at most so many, and one item in all. */
const MOST_OF_AN_ITEM_IN_A_PACKAGE = 3
const MOST_OF_AN_ITEM = 9

export interface DrawnFinding {
  readonly sha256: string
  readonly item: string
  readonly level: FindingLevel
  readonly location: string
  readonly finding: Finding
}

/** The findings of one result that can be drawn: each item and location once. */
export function candidates(sha256: string, { items }: Pick<ScanResult, 'items'>): DrawnFinding[] {
  const seen = new Set<string>()
  return items
    .filter(({ verdict }) => verdict === 'fail')
    .flatMap((item: ItemResult) =>
      item.findings.map((finding) => ({
        sha256,
        item: item.id,
        level: finding.level ?? item.level,
        location: locationText(finding.evidence),
        finding,
      })),
    )
    .filter(({ item, location }) => !seen.has(`${item} ${location}`) && seen.add(`${item} ${location}`))
}

/**
 * Draws the findings to judge, by level. The same finding in several versions of an application is drawn once. The same candidates and seed
 * give the same sample. What `earlier` judgements judged is not drawn again, and their packages give findings only where the others do not
 * suffice, or none at all.
 */
export function drawSample(
  all: readonly DrawnFinding[],
  seed: number = SAMPLES.s6.seed,
  earlier: readonly Pick<Judgement, 'package' | 'item' | 'location'>[] = [],
  {
    unseen = 'first',
    sizes = SAMPLE_SIZES,
    mostOfAnItem = MOST_OF_AN_ITEM,
  }: Omit<Sample, 'seed' | 'engine' | 'note'> = {},
): DrawnFinding[] {
  const random = new Random(seed)
  const seen = new Set(earlier.map((one) => one.package))
  const judged = new Set(earlier.map(({ package: sha256, item, location }) => keyOf({ sha256, item, location })))
  const isFit = (one: DrawnFinding) => !judged.has(keyOf(one)) && !(unseen === 'only' && seen.has(one.sha256))
  const order = all.filter(isFit).toSorted((a, b) => compare(keyOf(a), keyOf(b)))
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  order.sort((a, b) => Number(seen.has(a.sha256)) - Number(seen.has(b.sha256)))
  const left = { ...sizes }
  const counts = new Map<string, number>()
  const fingerprints = new Set<string>()
  const isFree = (key: string, most: number) => (counts.get(key) ?? 0) < most
  const drawn = order.filter(({ sha256, item, level, finding }) => {
    const here = `${sha256} ${item}`
    const known = `${item} ${finding.fingerprint} ${locationText(finding.evidence)}`
    if (left[level] === 0 || (finding.evidence.class && fingerprints.has(known))) return false
    if (!isFree(here, MOST_OF_AN_ITEM_IN_A_PACKAGE) || !isFree(item, mostOfAnItem)) return false
    left[level]--
    fingerprints.add(known)
    for (const key of [here, item]) counts.set(key, (counts.get(key) ?? 0) + 1)
    return true
  })
  return drawn.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
}

const keyOf = ({ sha256, item, location }: Pick<DrawnFinding, 'sha256' | 'item' | 'location'>): string =>
  `${sha256}\0${item}\0${location}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
