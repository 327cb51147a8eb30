import { comparePrints, isPlaceholder, type Likeness, PARTS, type Part } from './compare-prints.ts'
import type { PackagePrint } from './package-print.ts'
import { THRESHOLDS, type Thresholds } from './thresholds.ts'

export const COPY_VERDICTS = [
  'genuine',
  'other-version',
  're-signed',
  'repackaged',
  'clone',
  'look-alike',
  'unrelated',
] as const
export type CopyVerdict = (typeof COPY_VERDICTS)[number]

/** Verdicts that say someone else offers the application, or something that passes itself off as it. */
export const PIRATED: ReadonlySet<CopyVerdict> = new Set(['re-signed', 'repackaged', 'clone', 'look-alike'])

export interface PartPoints {
  readonly part: Part
  /** 0 to 1, null where it could not be compared; then it has no points and does not count. */
  readonly likeness: number | null
  readonly points: number
  /** Points that this part could give to the verdict. */
  readonly most: number
}

export interface CopyJudgement {
  readonly verdict: CopyVerdict
  /** 0 to 100: the sum of points as a share of those that could be given. */
  readonly confidence: number
  readonly parts: readonly PartPoints[]
  readonly likeness: Likeness
  /** What a person should know beside the parts. */
  readonly notes: readonly JudgementNote[]
  /** SHA-256 of the file that the copy was compared with. */
  readonly reference: string
}

export type JudgementNote =
  | 'reference-unsigned'
  | 'reference-public-key'
  | 'signature-broken'
  | 'copy-unsigned'
  | 'other-package-same-signer'
  | 'same-version-other-content'
  | 'code-hidden'
  | 'parts-unread'

const WHOLE: readonly (readonly [part: 'code' | 'resources' | 'native' | 'components', weight: number])[] = [
  ['code', 50],
  ['resources', 25],
  ['native', 15],
  ['components', 10],
]

/**
 * Points of each verdict: a positive number asks for likeness, a negative one for its absence. Each row says what a person would
 * name as the reasons for the verdict, so the parts that are left out say nothing about it.
 */
const POINTS: Readonly<Record<CopyVerdict, Partial<Record<Part, number>>>> = {
  genuine: { signer: 60, package: 20, content: 20 },
  'other-version': { signer: 60, package: 20, code: 10, icon: 5, label: 5 },
  're-signed': { signer: -30, package: 20, content: 50 },
  repackaged: { signer: -25, package: 20, code: 25, resources: 15, native: 5, components: 5, icon: 5, label: 5 },
  clone: { signer: -20, package: -5, code: 35, resources: 20, native: 10, components: 5, icon: 5, label: 5 },
  'look-alike': { signer: -15, code: -15, resources: -10, icon: 35, label: 25 },
  unrelated: { signer: -10, package: -15, code: -30, resources: -20, native: -5, icon: -10, label: -10 },
}

/**
 * Judges a copy against the packages of an application; the one that it is most like decides. Who signed it comes first: a copy signed by
 * the application's own keys is never called pirated, whatever it holds.
 * @param signers SHA-256 of further certificates of the application's owner
 */
export function judgeCopy(
  references: readonly PackagePrint[],
  copy: PackagePrint,
  signers: readonly string[] = [],
  thresholds: Thresholds = THRESHOLDS,
): CopyJudgement {
  if (!references.length) throw new Error('a copy is judged against at least one package')
  const compared = references.map((reference) => ({ reference, likeness: comparePrints(reference, copy, signers) }))
  const best = compared.reduce((a, b) =>
    nearness(b.likeness, b.reference, copy) > nearness(a.likeness, a.reference, copy) ? b : a,
  )
  const verdict = verdictOf(best.reference, copy, best.likeness, thresholds)
  const parts = pointsOf(verdict, best.likeness)
  const most = parts.reduce((sum, one) => sum + one.most, 0)
  const points = parts.reduce((sum, one) => sum + one.points, 0)
  return {
    verdict,
    confidence: most ? Math.round((100 * points) / most) : 0,
    parts,
    likeness: best.likeness,
    notes: notesOf(best.reference, copy, best.likeness),
    reference: best.reference.sha256,
  }
}

/** Equal content before equal version before likeness. */
function nearness(likeness: Likeness, reference: PackagePrint, copy: PackagePrint): number {
  return (
    4 * likeness.content +
    (likeness.package === 1 && reference.versionCode === copy.versionCode ? 1 : 0) +
    (wholeOf(likeness) ?? 0)
  )
}

function verdictOf(reference: PackagePrint, copy: PackagePrint, likeness: Likeness, limits: Thresholds): CopyVerdict {
  const samePackage = likeness.package === 1
  const derived = isDerived(likeness, limits)
  if (reference.sha256 === copy.sha256) return 'genuine'
  if (likeness.signer === 1) {
    if (samePackage) return sameVersion(reference, copy) ? 'genuine' : 'other-version'
    return derived ? 'other-version' : 'unrelated'
  }
  if (likeness.content === 1) {
    // Neither of them is signed.
    const unsigned =
      likeness.signer === null && copy.signer.state === 'unsigned' && reference.signer.state === 'unsigned'
    return unsigned ? 'genuine' : 're-signed'
  }
  if (derived) return samePackage ? 'repackaged' : 'clone'
  if (samePackage && !isPlaceholder(copy.package)) return 'look-alike'
  return isLookAlike(likeness, limits) ? 'look-alike' : 'unrelated'
}

const sameVersion = (a: PackagePrint, b: PackagePrint): boolean =>
  a.versionCode === b.versionCode && a.versionName === b.versionName

/** Mean of the parts that something made out of the reference would keep; null where none can be compared. */
export function wholeOf(likeness: Likeness): number | null {
  let sum = 0
  let weights = 0
  for (const [part, weight] of WHOLE) {
    const value = likeness[part]
    if (value === null) continue
    sum += weight * value
    weights += weight
  }
  return weights ? sum / weights : null
}

/**
 * Files that resources must have in common where code says nothing: icons and layouts of templates are in many applications. Below the second
 * number icon, label or a component must agree too: two projects made from one template had 25 files in common.
 */
const LEAST_RESOURCES = { withOthers: 20, alone: 100 }
/** Below this share of the larger one, code says nothing: that of the smaller one is hidden, or was left out. */
const LEAST_CODE = 0.2
/** Of a reference with too little to compare, all that it has must come to this, and this share of it must be in a copy with its id. */
const FEW = { members: 3, share: 0.6 }

/** Was the copy made out of the reference? Components alone decide nothing: their names are cheap to take over, and often generated. */
function isDerived(likeness: Likeness, limits: Thresholds): boolean {
  const { code, resources, native, counts } = likeness
  if (code !== null && code >= limits.code) return true
  const samePackage = likeness.package === 1
  const speaks =
    Math.min(counts.code.reference, counts.code.copy) >= LEAST_CODE * Math.max(counts.code.reference, counts.code.copy)
  // Code that can be compared and has nothing in common outweighs what builds have in common.
  if (code !== null && speaks && code < limits.code / 3) return samePackage && isMostOfFew(likeness)
  const common =
    samePackage ||
    counts.resources.both >= (agrees(likeness, limits) ? LEAST_RESOURCES.withOthers : LEAST_RESOURCES.alone)
  if (resources !== null && resources >= limits.resources && common) return true
  if (native !== null && native >= limits.native && (resources ?? 0) >= limits.resources / 3) return true
  if (common && (code !== null || resources !== null || native !== null) && (wholeOf(likeness) ?? 0) >= limits.whole)
    return true
  return samePackage && isMostOfFew(likeness)
}

const agrees = ({ icon, label, components }: Likeness, limits: Thresholds): boolean =>
  (components ?? 0) > 0 || (icon ?? 0) >= limits.icon || (label ?? 0) >= limits.label

/** Small packages with one id: most of the little that the reference has is in the copy. */
function isMostOfFew({ code, resources, counts }: Likeness): boolean {
  if (code !== null || resources !== null) return false
  const sum = (key: 'both' | 'reference') => counts.code[key] + counts.resources[key] + counts.components[key]
  return sum('reference') >= FEW.members && sum('both') >= FEW.share * sum('reference')
}

/** A name and an icon that people take for the application's; one alone is shared by chance. */
function isLookAlike({ icon, label, package: name }: Likeness, limits: Thresholds): boolean {
  const [sameIcon, sameLabel] = [(icon ?? 0) >= limits.icon, (label ?? 0) >= limits.label]
  if (sameIcon && sameLabel) return true
  // An id that differs in a letter or two, with one of both.
  return name >= 0.85 && (sameIcon || sameLabel)
}

function pointsOf(verdict: CopyVerdict, likeness: Likeness): PartPoints[] {
  const row = POINTS[verdict]
  return PARTS.flatMap((part) => {
    const wanted = row[part]
    if (wanted === undefined) return []
    const value = likeness[part]
    const most = Math.abs(wanted)
    if (value === null) return { part, likeness: null, points: 0, most: 0 }
    return { part, likeness: value, points: Math.round(10 * most * (wanted > 0 ? value : 1 - value)) / 10, most }
  })
}

function notesOf(reference: PackagePrint, copy: PackagePrint, likeness: Likeness): JudgementNote[] {
  const notes: JudgementNote[] = []
  if (reference.signer.state === 'unsigned') notes.push('reference-unsigned')
  if (reference.signer.isPublicKey) notes.push('reference-public-key')
  if (copy.signer.state === 'unsigned') notes.push('copy-unsigned')
  else if (copy.signer.state !== 'verified') notes.push('signature-broken')
  if (likeness.signer === 1 && likeness.package < 1) notes.push('other-package-same-signer')
  if (likeness.signer === 1 && likeness.package === 1 && sameVersion(reference, copy) && likeness.content === 0)
    notes.push('same-version-other-content')
  if ((reference.packer === '') !== (copy.packer === '')) notes.push('code-hidden')
  if (reference.gaps.length || copy.gaps.length) notes.push('parts-unread')
  return notes
}
