import { iconLikeness } from './icon-print.ts'
import { labelLikeness, textLikeness } from './label-likeness.ts'
import { type FilePrint, type PackagePrint, unpackNumbers } from './package-print.ts'

export const PARTS = [
  'signer',
  'package',
  'content',
  'code',
  'resources',
  'native',
  'components',
  'icon',
  'label',
] as const
export type Part = (typeof PARTS)[number]

/** How alike two packages are, part by part: 0 to 1, null where that part cannot be compared. */
export interface Likeness {
  /** 1 where the copy is signed by a key of the reference, 0 where it is not. */
  readonly signer: number | null
  readonly package: number
  /** 1 where everything but the signature is equal. */
  readonly content: number
  readonly code: number | null
  readonly resources: number | null
  readonly native: number | null
  readonly components: number | null
  readonly icon: number | null
  readonly label: number | null
  /** What lies behind the shares: members of both, of the reference, of the copy. */
  readonly counts: Readonly<Record<'code' | 'resources' | 'native' | 'components', Counts>>
}

export interface Counts {
  readonly both: number
  readonly reference: number
  readonly copy: number
}

/** Fewer members than this in the reference say nothing about a copy. */
const LEAST: Readonly<Record<keyof Likeness['counts'], number>> = { code: 8, resources: 6, native: 1, components: 3 }

/** @param signers SHA-256 of certificates that the application's owner signs with, beside those of the reference */
export function comparePrints(reference: PackagePrint, copy: PackagePrint, signers: readonly string[] = []): Likeness {
  const [before, after] = comparedMethods(reference, copy)
  const code = counted(before, after)
  const resources = counted(resourcesOf(reference), resourcesOf(copy))
  const native = counted(nativesOf(reference), nativesOf(copy))
  const components = counted(componentsOf(reference), componentsOf(copy))
  const hidden = !reference.code || !copy.code || (reference.packer === '') !== (copy.packer === '')
  return {
    signer: signerLikeness(reference, copy, signers),
    package: packageLikeness(reference.package, copy.package),
    content: reference.content === copy.content ? 1 : 0,
    code: hidden
      ? null
      : (share(code, LEAST.code) ?? libraryLikeness(reference, copy) ?? classLikeness(reference, copy)),
    resources: share(resources, LEAST.resources),
    native: share(native, LEAST.native),
    components: share(components, LEAST.components),
    icon: reference.icon && copy.icon ? iconLikeness(reference.icon, copy.icon) : null,
    label: labelLikeness(reference.label, copy.label),
    counts: { code, resources, native, components },
  }
}

/**
 * Methods of both that say something about whose code it is. Left out are those of known libraries, and packages that both have under one name
 * outside the reference's own names: a library that no list knows. What lies below the reference's id is its own, even where an SDK has that name.
 */
function comparedMethods(reference: PackagePrint, copy: PackagePrint): [reference: Set<number>, copy: Set<number>] {
  const [before, after] = [methodsByPackage(reference), methodsByPackage(copy)]
  const names = ownNames(reference)
  const masked = new Set([...libraryMethods(reference), ...libraryMethods(copy)])
  const own = new Set<number>()
  for (const [name, hashes] of before) {
    if (isBelow(name, reference.package)) for (const hash of hashes) own.add(hash)
    const others = after.get(name)
    if (!others || names.some((one) => isBelow(name, one)) || isShortened(name)) continue
    for (const hash of [...hashes, ...others]) masked.add(hash)
  }
  const counts = (hash: number) => own.has(hash) || !masked.has(hash)
  const ofLibraries = libraryMethods(copy).filter((hash) => own.has(hash))
  return [
    new Set([...before.values()].flatMap((hashes) => [...hashes].filter(counts))),
    new Set([...ofLibraries, ...[...after.values()].flatMap((hashes) => [...hashes].filter(counts))]),
  ]
}

/** The first two parts of the id and of the names of the components. */
const ownNames = ({ package: id, components }: PackagePrint): string[] => [
  ...new Set([id, ...components].filter((name) => name.includes('.')).map((name) => name.split('.', 2).join('.'))),
]

const isBelow = (name: string, above: string): boolean => name === above || name.startsWith(`${above}.`)

/** Names that a shrinker gives are the same in unrelated applications, and say nothing about a library. */
const isShortened = (name: string): boolean =>
  name === '' ||
  name
    .split('.')
    .slice(1)
    .some((part) => part.length <= 2) ||
  !name.includes('.')

/** Classes below the id that must be the same to the last text, by the number of their methods; more where anyone could have chosen the id. */
const LEAST_SAME = { methods: 2, ofPlaceholder: 8 }

/**
 * An application with little code: the share of its classes below its own id that the copy has with the same name and content. Null
 * where that says nothing, the absence of such classes included: a copy may have renamed them.
 */
function classLikeness(reference: PackagePrint, copy: PackagePrint): number | null {
  const known = new Map(copy.code?.classes.map(({ name, hash }) => [name, hash]))
  const classes = reference.code?.classes ?? []
  const same = classes.filter(({ name, hash }) => isBelow(name, reference.package) && known.get(name) === hash)
  const methods = same.reduce((sum, one) => sum + one.methods, 0)
  const least = isPlaceholder(reference.package) ? LEAST_SAME.ofPlaceholder : LEAST_SAME.methods
  return methods < least ? null : same.length / classes.length
}

/** Ids that examples and templates come with. */
export const isPlaceholder = (id: string): boolean =>
  /^(?:com\.example|com\.test|com\.my(?:company|app)|org\.example|test)\b/.test(id)

/** Methods of libraries below this number are the same in many applications. */
const LEAST_LIBRARY = 200

/**
 * An application without code of its own worth comparing: with the same id, the very same set of libraries says that one was made of the
 * other. Null where that says nothing: applications made from one template have the same libraries too.
 */
function libraryLikeness(reference: PackagePrint, copy: PackagePrint): number | null {
  if (reference.package !== copy.package) return null
  const { both, reference: one, copy: other } = counted(libraryMethods(reference), libraryMethods(copy))
  return one < LEAST_LIBRARY ? null : both / (one + other - both)
}

/** Null where it cannot be decided: the reference has no signature, or one that anyone can make. */
function signerLikeness(reference: PackagePrint, copy: PackagePrint, others: readonly string[]): number | null {
  const { signer } = reference
  const known = new Set([...others, ...(signer.isPublicKey ? [] : signer.certificates)])
  if (!known.size) return null
  if (copy.signer.state !== 'verified') return 0
  // All signers of the copy must be known: a second one is foreign.
  if (copy.signer.certificates.length > 0 && copy.signer.certificates.every((one) => known.has(one))) return 1
  const before = [...signer.lineage, ...known]
  const rotated = copy.signer.lineage.some((one) => known.has(one))
  return rotated || copy.signer.certificates.every((one) => before.includes(one)) ? 1 : 0
}

/** 1 for equal ids, else at most 0.9 by edit distance. */
function packageLikeness(a: string, b: string): number {
  if (!a || !b) return 0
  return a === b ? 1 : Math.min(0.9, textLikeness(a.slice(0, 200), b.slice(0, 200)))
}

function counted<T>(reference: Iterable<T>, copy: Iterable<T>): Counts {
  const known = new Set(reference)
  let both = 0
  const seen = new Set<T>()
  for (const one of copy) {
    if (seen.has(one)) continue
    seen.add(one)
    if (known.has(one)) both++
  }
  return { both, reference: known.size, copy: seen.size }
}

/**
 * What both have, of the smaller one; where one is much smaller than the other it counts as 30 % of it, since few members are alike by
 * chance. Null where one has too few members to say anything.
 */
function share({ both, reference, copy }: Counts, least: number): number | null {
  if (reference < least || copy === 0) return null
  const smaller = Math.min(reference, copy)
  return both / Math.max(smaller, 0.3 * Math.max(reference, copy), least)
}

const libraryMethods = ({ code }: PackagePrint): Uint32Array => unpackNumbers(code?.libraryMethods ?? '')
const methodsByPackage = ({ code }: PackagePrint): Map<string, Uint32Array> =>
  new Map(code?.methods.map(([name, hashes]) => [name, unpackNumbers(hashes)]))

/** By content alone: names of resources are often shortened. */
const resourcesOf = ({ files }: PackagePrint): string[] => files.filter(isOwn).map(({ hash }) => hash)
const isOwn = ({ common }: FilePrint): boolean => !common

const nativesOf = ({ natives }: PackagePrint): string[] =>
  natives.filter(({ common }) => !common).map(({ buildId, hash }) => buildId ?? hash)

const componentsOf = ({ components }: PackagePrint): readonly string[] => components
