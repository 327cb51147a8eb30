import { type PlistNode, plistAt, plistFlag, plistText } from '../plist/plist-node.ts'

/** What the seal of a bundle (`_CodeSignature/CodeResources`) says of one of its files. */
export interface SealedFile {
  /** From the folder of the bundle. */
  readonly name: string
  readonly optional: boolean
  readonly digests: readonly { readonly hash: 'sha1' | 'sha256'; readonly value: Uint8Array }[]
  /** Where a symbolic link leads. */
  readonly link: string | null
  /** Of nested code, which has a signature of its own: the hash of its code directory in hexadecimal. */
  readonly cdHash: string | null
}

/**
 * The files that a seal names: those of the younger list, and of the older one (SHA-1 alone) what the younger one leaves out. A file that
 * nothing is said of but its name has no digest.
 */
export function readCodeResources(plist: PlistNode): SealedFile[] {
  const files = new Map<string, SealedFile>()
  for (const list of ['files', 'files2']) {
    const named = plistAt(plist, list)
    if (named?.type === 'dictionary') for (const [name, node] of named.entries) files.set(name, sealedFile(name, node))
  }
  return [...files.values()]
}

/**
 * Does the seal itself leave a file out? Its rules are patterns that fit anywhere in a name. Only plain texts at the end of a name are taken, as older
 * versions of Xcode wrote them: `Info.plist` with `omit` leaves out `VersionInfo.plist` too. The younger list counts where there is one.
 */
export function leavesOut(plist: PlistNode): (name: string) => boolean {
  const rules = plistAt(plist, 'rules2') ?? plistAt(plist, 'rules')
  if (rules?.type !== 'dictionary') return () => false
  const omitted: string[] = []
  const kept: string[] = []
  for (const [pattern, node] of rules.entries)
    if (/^[\w.]+$/.test(pattern)) (plistFlag(node, 'omit') ? omitted : kept).push(pattern)
  return (name) => omitted.some((one) => name.endsWith(one)) && !kept.some((one) => name.includes(one))
}

function sealedFile(name: string, node: PlistNode): SealedFile {
  const data = (key: string) => {
    const found = plistAt(node, key)
    return found?.type === 'data' ? found.value : undefined
  }
  const [old, hash, younger, cdHash] = [
    node.type === 'data' ? node.value : undefined,
    data('hash'),
    data('hash2'),
    data('cdhash'),
  ]
  const sha1 = old ?? hash
  return {
    name,
    optional: plistFlag(node, 'optional') ?? false,
    digests: [
      ...(younger ? [{ hash: 'sha256' as const, value: younger }] : []),
      ...(sha1 && !younger ? [{ hash: 'sha1' as const, value: sha1 }] : []),
    ],
    link: plistText(node, 'symlink') ?? null,
    cdHash: cdHash ? Buffer.from(cdHash).toString('hex') : null,
  }
}
