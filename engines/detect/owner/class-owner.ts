import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { Program } from '../../dex/program.ts'
import type { Owner } from '../input/inspected-package.ts'
import { lostName } from '../sdks/lost-name.ts'
import { sdkOfClass } from '../sdks/package-trie.ts'
import { isLibraryName, ownPrefixes } from './own-prefixes.ts'
import { ownersOfRenamed, UNKNOWN } from './renamed-classes.ts'

const OWN: Owner = { kind: 'own', sdk: null }

export interface Ownership {
  readonly prefixes: readonly string[]
  /** Share of own classes with shortened names, 0 to 1. */
  readonly obfuscated: number
  ownerOf(descriptor: string): Owner
}

const simpleName = (descriptor: string): string => {
  const name = descriptor.slice(descriptor.lastIndexOf('/') + 1, -1)
  return name.slice(name.lastIndexOf('$') + 1) || name
}

const GENERATED = /(?:^|\/)(?:R(?:\$\w+)?|BuildConfig|BR|DataBinderMapperImpl)$/

/**
 * Separates own code from that of SDKs and libraries: an SDK's signature and the application's own prefixes, the longer prefix winning;
 * other named code is a library under its first three names. Of classes whose package lost its name, and of components that nothing connects
 * with the application, the owner is unknown unless evidence in the code decides it. Without a manifest all but known SDKs is own.
 */
export function readOwnership(facts: ApkFacts | null, program: Program | null): Ownership {
  const { own, unclear } = ownPrefixes(facts, program)
  const ownSlashed = own.map(slashes)
  const unclearSlashed = unclear.map(slashes)
  const byName = (descriptor: string): Owner | null => {
    const name = descriptor.startsWith('L') ? descriptor.slice(1, -1) : ''
    // Resources and files have no class: they are the application's.
    if (!name) return OWN
    const sdk = sdkOfClass(descriptor)
    const inOwn = longest(ownSlashed, name)
    if (sdk && !(inOwn && longest(sdk.packages.map(slashes), name) < inOwn)) return { kind: 'sdk', sdk: sdk.id }
    if (inOwn || !facts) return OWN
    const holder = name.split('/').slice(0, -1)
    if (isLibraryName(holder.join('.'))) return libraryOf(holder)
    if (lostName(name)) return null
    return longest(unclearSlashed, name) ? UNKNOWN : libraryOf(holder)
  }
  const known = new Map<string, Owner | null>()
  const ownerByName = (descriptor: string): Owner | null => {
    let owner = known.get(descriptor)
    if (owner === undefined) {
      owner = byName(descriptor)
      known.set(descriptor, owner)
    }
    return owner
  }
  const names = facts && program ? [...program.classes()].map(({ descriptor }) => descriptor) : []
  const renamed =
    program && names.some((one) => !ownerByName(one)) ? ownersOfRenamed(program, ownerByName) : new Map<string, Owner>()
  const ownerOf = (descriptor: string): Owner => ownerByName(descriptor) ?? renamed.get(descriptor) ?? UNKNOWN
  return { prefixes: own, obfuscated: shareShortened(names, ownerByName, renamed), ownerOf }
}

const slashes = (name: string): string => name.replaceAll('.', '/')
const libraryOf = (holder: readonly string[]): Owner => ({ kind: 'sdk', sdk: holder.slice(0, 3).join('.') })

/** Where what lost its name outweighs what is own by name, it is taken to be own for the most part. */
function shareShortened(
  names: readonly string[],
  ownerByName: (descriptor: string) => Owner | null,
  renamed: ReadonlyMap<string, Owner>,
): number {
  const count = (kind: Owner['kind']) => [...renamed.values()].filter((owner) => owner.kind === kind).length
  const own = names.filter((one) => ownerByName(one)?.kind === 'own' && !GENERATED.test(one.slice(1, -1)))
  const short = own.map(simpleName).filter((name) => name.length <= 2 && !/^\d+$/.test(name)).length
  const unknown = count('unknown')
  const shortened = count('own') + (unknown > own.length ? unknown : 0)
  return own.length + shortened === 0 ? 0 : (short + shortened) / (own.length + shortened)
}

function longest(prefixes: readonly string[], name: string): number {
  let length = 0
  for (const prefix of prefixes) if (prefix.length > length && name.startsWith(prefix)) length = prefix.length
  return length
}
