import data from '../data/component-vulnerabilities.json' with { type: 'json' }
import type { Text } from '../result/scan-result.ts'
import { compareVersions, olderThan } from './versions.ts'

/** `abi`: the flaw is in the code for processors of ABIs that begin so. */
type Range = readonly (readonly [cve: string, from: string, before: string, abi?: string])[]

/** Native components by the text that names their version. */
export const NATIVE_COMPONENTS = (
  data.native as unknown as readonly {
    readonly component: string
    readonly library?: string
    readonly pattern: string
    readonly ranges: Range
  }[]
).map((one) => ({
  component: one.component,
  /** Only libraries of this name are searched: the text alone says too little. */
  library: one.library === undefined ? null : new RegExp(one.library, 'i'),
  pattern: new RegExp(one.pattern),
  ranges: one.ranges,
}))

/** Java components by their Maven coordinates. */
export const JAVA_COMPONENTS = data.java as unknown as readonly {
  readonly sdk: string
  readonly component: string
  readonly artifact: string
  readonly ranges: Range
}[]

/** Vulnerabilities that act only where code does something, which a package may lack. */
export const PRECONDITIONS: readonly Precondition[] = data.preconditions

export interface Precondition {
  readonly cve: string
  /** Methods of which one must be there by its name: calls of a renamed one cannot be looked for. Any package will do where none is listed. */
  readonly has: readonly string[]
  /** Calls of which one must be there, by pattern. Where none is listed, the package must name a server by TLS. */
  readonly calls: readonly string[]
  /** Beginnings of classes whose calls do not count. */
  readonly except: readonly string[]
  /** What is said where no such call is there. */
  readonly lacks: Text
  /** The flaw is in what users of a library start: other code calls classes of it, or a component of it is declared. */
  readonly client?: {
    /** Beginning of the library's classes. */
    readonly of: string
    /** Classes of it, and its components, that start nothing: a pattern. */
    readonly common: string
    readonly components: string
    /** Ids of the SDKs whose classes it is, where names are shortened: a pattern. */
    readonly sdks: string
    /**
     * Texts that stay where names are shortened: in constructors of the class that every client extends, in other classes that make clients,
     * and in the method that posts.
     */
    readonly marks: { readonly base: string; readonly makers: readonly string[]; readonly posts: string }
    /** What is said where nothing starts it. */
    readonly lacks: Text
  }
}

/** Vulnerabilities (CVE) of a version, each once; those of one processor where the entry is for it, or its folder names none. */
export function affecting(ranges: Range, version: string, entry = ''): string[] {
  return [
    ...new Set(
      ranges
        .filter(([, from, before, abi]) => {
          const fits = (compareVersions(version, from) ?? -1) >= 0 && olderThan(version, before)
          return fits && (abi === undefined || isFor(abi, entry))
        })
        .map(([cve]) => cve),
    ),
  ]
}

function isFor(abi: string, entry: string): boolean {
  const folder = /(?:^|\/)((?:arm|mips|riscv|x86)\w*(?:-\w+)*)\//.exec(entry)?.[1]
  return folder === undefined ? entry.endsWith('.so') : folder.startsWith(abi)
}
