import { SDK_SIGNATURES, type SdkSignature, WEAK_PACKAGES } from '../catalogue/sdk-signatures.ts'

/** A name of a package or class that signatures claim; several may claim the same one. */
interface Node {
  readonly next: Map<string, Node>
  claims: Claim[]
}

export interface Claim {
  readonly signature: SdkSignature
  /** The prefix as the data has it. */
  readonly prefix: string
  readonly weak: boolean
}

const node = (): Node => ({ next: new Map(), claims: [] })
const ROOT = node()
/** `crc64*`: the first part of a name begins like this. */
const STARRED: { readonly begin: string; readonly claim: Claim }[] = []

for (const signature of SDK_SIGNATURES)
  for (const prefix of signature.packages) {
    const claim = { signature, prefix, weak: WEAK_PACKAGES.has(prefix) }
    if (prefix.endsWith('*')) {
      STARRED.push({ begin: prefix.slice(0, -1), claim })
      continue
    }
    let at = ROOT
    for (const part of prefix.split('.')) {
      if (!part) continue
      const next = at.next.get(part) ?? node()
      at.next.set(part, next)
      at = next
    }
    at.claims.push(claim)
  }

/**
 * Signatures that claim a class by its package: the longest prefix wins, and it ends where a name ends. `Lcom/foo/Bar$1;` is claimed
 * by `com.foo.` and by `com.foo.Bar`.
 */
export function claimsOf(descriptor: string): readonly Claim[] {
  let at: Node | undefined = ROOT
  let claims: readonly Claim[] = []
  let begin = 1
  while (at) {
    const slash = descriptor.indexOf('/', begin)
    const part = slash < 0 ? simpleName(descriptor, begin) : descriptor.slice(begin, slash)
    at = at.next.get(part)
    if (at?.claims.length) claims = at.claims
    if (slash < 0) break
    begin = slash + 1
  }
  if (claims.length) return claims
  const starred = STARRED.filter(({ begin }) => descriptor.startsWith(begin, 1) && descriptor.includes('/'))
  return starred.map(({ claim }) => claim)
}

function simpleName(descriptor: string, begin: number): string {
  const end = descriptor.indexOf('$', begin)
  return descriptor.slice(begin, end < 0 ? descriptor.length - 1 : end)
}

/** The SDK whose package a class is in, by a prefix that can stand alone. */
export function sdkOfClass(descriptor: string): SdkSignature | null {
  return claimsOf(descriptor).find((claim) => !claim.weak)?.signature ?? null
}
