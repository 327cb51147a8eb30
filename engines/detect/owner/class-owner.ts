import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { Program } from '../../dex/program.ts'
import type { Owner } from '../input/inspected-package.ts'
import { sdkOfClass } from '../sdks/package-trie.ts'
import { ownPrefixes } from './own-prefixes.ts'

const OWN: Owner = { kind: 'own', sdk: null }

export interface Ownership {
  readonly prefixes: readonly string[]
  /** Share of own classes with shortened names, 0 to 1. */
  readonly obfuscated: number
  ownerOf(descriptor: string): Owner
}

/** Is every part of the package name as short as renaming makes them (`a.b.c`), or is there none at all? */
const isShort = (slashed: string): boolean => {
  const parts = slashed.split('/')
  const inPackage = parts.slice(0, -1)
  return inPackage.every((part) => part.length <= 2)
}

const simpleName = (descriptor: string): string => {
  const name = descriptor.slice(descriptor.lastIndexOf('/') + 1, -1)
  return name.slice(name.lastIndexOf('$') + 1) || name
}

const GENERATED = /(?:^|\/)(?:R(?:\$\w+)?|BuildConfig|BR|DataBinderMapperImpl)$/

/**
 * Separates own code from that of SDKs and libraries: an SDK's signature and the application's own prefixes, the longer prefix winning;
 * renamed code without a package of its own counts as own where it outweighs what kept its name; all else is a library under its
 * first three names.
 */
export function readOwnership(facts: ApkFacts | null, program: Program | null): Ownership {
  const prefixes = ownPrefixes(facts, program)
  const slashed = prefixes.map((prefix) => prefix.replaceAll('.', '/'))
  const inOwn = (name: string) => slashed.some((prefix) => name.startsWith(prefix))
  let named = 0
  let renamed = 0
  let shortNames = 0
  if (facts)
    for (const { descriptor } of program?.classes() ?? []) {
      const name = descriptor.slice(1, -1)
      if (GENERATED.test(name)) continue
      if (inOwn(name)) {
        named++
        if (simpleName(descriptor).length <= 2 && !/^\d+$/.test(simpleName(descriptor))) shortNames++
      } else if (isShort(name)) renamed++
    }
  const renamedIsOwn = renamed > named
  const known = new Map<string, Owner>()
  const decide = (descriptor: string): Owner => {
    const name = descriptor.startsWith('L') ? descriptor.slice(1, -1) : ''
    // Resources and files have no class: they are the application's.
    if (!name) return OWN
    const sdk = sdkOfClass(descriptor)
    const own = longest(slashed, name)
    if (sdk && !(own && longestPrefix(sdk.packages, name) < own)) return { kind: 'sdk', sdk: sdk.id }
    if (own || !facts) return OWN
    if (isShort(name)) return renamedIsOwn ? OWN : { kind: 'sdk', sdk: null }
    return { kind: 'sdk', sdk: name.split('/').slice(0, -1).slice(0, 3).join('.') }
  }
  const own = renamedIsOwn ? named + renamed : named
  return {
    prefixes,
    obfuscated: own === 0 ? 0 : (renamedIsOwn ? shortNames + renamed : shortNames) / own,
    ownerOf(descriptor) {
      let owner = known.get(descriptor)
      if (!owner) {
        owner = decide(descriptor)
        known.set(descriptor, owner)
      }
      return owner
    },
  }
}

function longest(prefixes: readonly string[], name: string): number {
  let length = 0
  for (const prefix of prefixes) if (prefix.length > length && name.startsWith(prefix)) length = prefix.length
  return length
}

const longestPrefix = (packages: readonly string[], name: string): number =>
  longest(
    packages.map((one) => one.replaceAll('.', '/')),
    name,
  )
