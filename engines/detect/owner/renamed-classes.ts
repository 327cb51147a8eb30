import type { Program } from '../../dex/program.ts'
import { sdkById } from '../catalogue/sdk-signatures.ts'
import type { Owner } from '../input/inspected-package.ts'
import { librariesOfTexts } from '../sdks/library-marks.ts'

const OWN: Owner = { kind: 'own', sdk: null }
export const UNKNOWN: Owner = { kind: 'unknown', sdk: null }

/** A package is own as a whole with that many classes that name own ones, and this share of them. */
const LEAST_OWN = 2
const OWN_SHARE = 1 / 3
/** Calls from a library can be the work of an optimiser, which calls the only implementation of a callback directly: one alone says nothing. */
const LEAST_CALLED = 2
/** So many packages of libraries below a prefix, and none of another kind, decide about the rest below it. */
const LEAST_PACKAGES = 3
/** Of an id so many of the classes that tell one must speak, else it stays open which library it is. */
const ID_SHARE = 2 / 3
/** Names of packages are looked at down to this depth. */
const DEEPEST = 32
/** Classes that a build generates into packages of libraries: they name classes of the application. */
const GENERATED = /DataBinderMapper|\/Generated|_Impl\b/

/** What speaks for an owner of one class. */
interface Evidence {
  /** Its code names a class of the application by name. Libraries do not know who uses them. */
  namesOwn: boolean
  /** It holds texts of a library, or a library's class extends or implements it. */
  isLibrary: boolean
  /** A library's code calls or reads it. */
  isCalled: boolean
  readonly ids: Set<string>
}

/**
 * The owners of classes that lost their names, by what renaming leaves: texts, hierarchy and references. Where evidence disagrees (an
 * optimiser merged or inlined classes), and without evidence, the owner is unknown. A package is renamed as a whole: the classes with
 * evidence decide about the rest of it, unless they disagree. Classes and references are read once, however deep or circular a hierarchy is.
 * @param ownerByName whose a class is by its name; null for a class that lost it
 */
export function ownersOfRenamed(
  program: Program,
  ownerByName: (descriptor: string) => Owner | null,
): ReadonlyMap<string, Owner> {
  const evidence = gatherEvidence(program, ownerByName)
  const owners = new Map<string, Owner>()
  for (const [descriptor, { namesOwn, isLibrary, ids }] of evidence)
    if (namesOwn) owners.set(descriptor, isLibrary ? UNKNOWN : OWN)
    else if (isLibrary) owners.set(descriptor, { kind: 'sdk', sdk: only(ids) })
  for (const descriptor of evidence.keys()) {
    const owner = owners.get(descriptor) ?? owners.get(outermost(descriptor))
    if (owner) owners.set(descriptor, owner)
  }
  decidePackages(evidence, owners)
  return owners
}

function gatherEvidence(
  program: Program,
  ownerByName: (descriptor: string) => Owner | null,
): ReadonlyMap<string, Evidence> {
  const found = new Map<string, Evidence>()
  const isOfLibrary = (descriptor: string) => {
    const id = GENERATED.test(descriptor) ? null : ownerByName(descriptor)?.sdk
    return id ? sdkById(id) !== undefined : false
  }
  for (const { descriptor } of program.classes())
    if (!ownerByName(descriptor))
      found.set(descriptor, { namesOwn: false, isLibrary: false, isCalled: false, ids: new Set() })
  for (const [descriptor, evidence] of found) {
    // Classes inside of another one are callbacks mostly, which an optimiser lets libraries call directly.
    for (const type of program.typesNamedBy(program.classOf(descriptor)!))
      if (!found.has(type) && !type.includes('$') && program.classOf(type) && ownerByName(type)?.kind === 'own')
        evidence.namesOwn = true
    for (const by of program.classesNaming(descriptor)) if (!found.has(by) && isOfLibrary(by)) evidence.isCalled = true
  }
  for (const [descriptor, id] of librariesOfTexts(program)) {
    const evidence = found.get(descriptor)
    if (!evidence) continue
    evidence.isLibrary = true
    evidence.ids.add(id)
  }
  const isKnown = (descriptor: string) => found.get(descriptor)?.isLibrary ?? isOfLibrary(descriptor)
  const above = ({ superclass, interfaces }: { superclass: string | null; interfaces: readonly string[] }) =>
    superclass === null ? interfaces : [superclass, ...interfaces]
  const pending = [...program.classes()].filter(({ descriptor }) => isKnown(descriptor))
  for (const one of pending)
    for (const parent of above(one)) {
      const evidence = found.get(parent)
      if (!evidence || evidence.isLibrary) continue
      evidence.isLibrary = true
      pending.push(program.classOf(parent)!)
    }
  return found
}

const packageOf = (descriptor: string): string => descriptor.slice(1, Math.max(1, descriptor.lastIndexOf('/')))

function outermost(descriptor: string): string {
  const dollar = descriptor.indexOf('$', descriptor.lastIndexOf('/') + 2)
  return dollar < 0 ? descriptor : `${descriptor.slice(0, dollar)};`
}

/** Settles the classes that nothing decides by itself: with their package, or with the packages around it. */
function decidePackages(evidence: ReadonlyMap<string, Evidence>, owners: Map<string, Owner>): void {
  const packages = new Map<string, string[]>()
  for (const descriptor of evidence.keys()) {
    const name = packageOf(descriptor)
    const classes = packages.get(name)
    if (classes) classes.push(descriptor)
    else packages.set(name, [descriptor])
  }
  // Renaming may put everything into the default package: it says nothing.
  packages.delete('')
  const decided = new Map<string, Owner>()
  for (const [name, classes] of packages) {
    const owner = ownerOfPackage(
      classes.map((one) => evidence.get(one)!),
      classes.map((one) => owners.get(one)),
    )
    if (owner) decided.set(name, owner)
  }
  const around = librariesBelow(decided)
  for (const [name, classes] of packages) {
    const nearest = [name, ...prefixesOf(name)].map((prefix) => around.get(prefix)).find((one) => one !== undefined)
    let owner = decided.get(name) ?? nearest ?? UNKNOWN
    if (owner.kind === 'sdk' && owner.sdk === null && nearest) owner = nearest
    for (const one of classes) {
      const known = owners.get(one)
      if (!known || (known.sdk === null && owner.sdk !== null)) owners.set(one, owner)
    }
  }
}

/** UNKNOWN where its classes disagree, undefined without evidence. */
function ownerOfPackage(evidence: readonly Evidence[], owners: readonly (Owner | undefined)[]): Owner | undefined {
  const count = (is: (owner: Owner | undefined, index: number) => boolean) => owners.filter(is).length
  const own = count((owner) => owner?.kind === 'own')
  const library = count((owner) => owner?.kind === 'sdk')
  const called = evidence.filter(({ isCalled, namesOwn }) => isCalled && !namesOwn).length
  if (count((owner) => owner?.kind === 'unknown') > 0 || (own > 0 && library > 0)) return UNKNOWN
  if (library > 0 || (own === 0 && called >= LEAST_CALLED)) return { kind: 'sdk', sdk: mostNamed(owners) }
  if (own === 0) return undefined
  return own >= LEAST_OWN && own >= OWN_SHARE * owners.length && called === 0 ? OWN : UNKNOWN
}

function mostNamed(owners: readonly (Owner | undefined)[]): string | null {
  const counts = new Map<string, number>()
  for (const owner of owners) if (owner?.sdk) counts.set(owner.sdk, (counts.get(owner.sdk) ?? 0) + 1)
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0)
  return first && first[1] >= ID_SHARE * all ? first[0] : null
}

/** `a/b`, `a` of `a/b/c`. */
const prefixesOf = (name: string): string[] =>
  [...name.matchAll(/\//g)]
    .slice(0, DEEPEST)
    .map(({ index }) => name.slice(0, index))
    .reverse()

/** Prefixes below which enough packages are of libraries and none is anything else; with the id where all that have one agree. */
function librariesBelow(decided: ReadonlyMap<string, Owner>): ReadonlyMap<string, Owner> {
  const below = new Map<string, Owner[]>()
  for (const [name, owner] of decided)
    for (const prefix of [name, ...prefixesOf(name)]) {
      const owners = below.get(prefix)
      if (owners) owners.push(owner)
      else below.set(prefix, [owner])
    }
  const libraries = new Map<string, Owner>()
  for (const [prefix, owners] of below)
    if (owners.length >= LEAST_PACKAGES && owners.every(({ kind }) => kind === 'sdk'))
      libraries.set(prefix, { kind: 'sdk', sdk: only(new Set(owners.flatMap(({ sdk }) => sdk ?? []))) })
  return libraries
}

const only = (ids: ReadonlySet<string>): string | null => (ids.size === 1 ? [...ids][0]! : null)
