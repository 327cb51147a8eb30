import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { Program } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { sdkOfClass } from '../sdks/package-trie.ts'

/** Names that say nothing about whose code it is when they stand alone. */
const SHORTEST_PREFIX = 2
const MOST_PREFIXES = 100
/** Roots of libraries that carry no signature of their own. */
const LIBRARY_ROOT =
  /^(?:android|androidx|java|javax|kotlin|kotlinx|dalvik|com\.android|com\.google|org\.(?:apache|json|xmlpull|xml|w3c|intellij|jetbrains|slf4j|junit|hamcrest|mockito|checkerframework|jsoup|greenrobot|reactivestreams|aopalliance|codehaus|eclipse|hamcrest|objectweb|conscrypt)|io\.(?:reactivex|netty|grpc|opencensus|ktor|github)|okhttp3|okio|retrofit2?|rx|dagger|butterknife|junit|j\$|_COROUTINE|com\.(?:squareup|fasterxml|bumptech|facebook|airbnb|jakewharton|github|nostra13|thoughtworks|sun|caverock))(?:\.|$)/

export const isLibraryName = (packageName: string): boolean => LIBRARY_ROOT.test(packageName)

const packageOf = (className: string): string => className.slice(0, Math.max(0, className.lastIndexOf('.')))
const parts = (name: string, count: number): string => name.split('.').slice(0, count).join('.')

/** Package prefixes, each with a point at its end. */
export interface OwnPrefixes {
  readonly own: readonly string[]
  /** Of components that nothing connects with the application: of its maker, or of an SDK without signature. */
  readonly unclear: readonly string[]
}

/**
 * Package prefixes of the developer's own code: of the application id and its neighbours, of the application class, of the activity that
 * opens first, and of other components that the manifest names, as far as they belong to no known SDK or library. Components of
 * a foreign package are own where their package names classes of the former, or where the former have no classes at all.
 */
export function ownPrefixes(facts: ApkFacts | null, program: Program | null): OwnPrefixes {
  const own = new Set<string>()
  const id = facts?.package?.value ?? ''
  // Of `com.maker.app.debug` the classes are in com.maker.
  if (id.includes('.')) own.add(`${near(id)}.`)
  const add = (to: Set<string>, className: string) => {
    const holder = packageOf(className)
    const descriptor = descriptorOf(className)
    if (holder.split('.').length < SHORTEST_PREFIX || sdkOfClass(descriptor) || LIBRARY_ROOT.test(holder)) return
    to.add(`${near(holder)}.`)
  }
  if (facts?.applicationClass) add(own, facts.applicationClass.value)
  const components = new Set<string>()
  for (const { name, kind, targetActivity } of facts?.components ?? []) {
    const className = targetActivity ?? name
    if (kind === 'activity-alias' && !targetActivity) continue
    if (program && !program.classOf(descriptorOf(className))) continue
    const isFirst = name === facts?.launchableActivity?.value
    add(isFirst ? own : components, className)
  }
  const foreign = [...components].filter((one) => !own.has(one))
  const unclear = program && foreign.length ? unconnected(program, [...own], foreign) : []
  for (const one of foreign) if (!unclear.includes(one)) own.add(one)
  // An application whose id lies in an SDK's package, as a demo of its maker: the longer prefix makes its own code its own.
  const inSdk = id.includes('.') && sdkOfClass(descriptorOf(`${id}.R`)) ? [`${id}.`] : []
  return { own: [...shortest(own), ...inSdk], unclear: shortest(unclear) }
}

function shortest(prefixes: Iterable<string>): string[] {
  const sorted = [...prefixes].sort()
  return sorted
    .filter((prefix) => !sorted.some((other) => other !== prefix && prefix.startsWith(other)))
    .slice(0, MOST_PREFIXES)
}

/** Foreign prefixes whose classes name none of the own ones, though there are such. */
function unconnected(program: Program, own: readonly string[], foreign: readonly string[]): string[] {
  const begins = (prefixes: readonly string[]) => prefixes.map((prefix) => `L${prefix.replaceAll('.', '/')}`)
  const ownBegins = begins(own)
  const isOwn = (descriptor: string) => ownBegins.some((begin) => descriptor.startsWith(begin))
  const left = new Map(begins(foreign).map((begin, index) => [begin, foreign[index]!]))
  let hasOwn = false
  for (const found of program.classes()) {
    hasOwn ||= isOwn(found.descriptor)
    for (const begin of left.keys())
      if (found.descriptor.startsWith(begin) && [...program.typesNamedBy(found)].some(isOwn)) left.delete(begin)
    if (left.size === 0) break
  }
  return hasOwn ? [...left.values()] : []
}

/** The maker's part of a package name: two names, three under hosts that many makers share. */
const near = (name: string): string => parts(name, COMMON_MAKERS.test(`${name}.`) ? 3 : 2)

/** Second names under which many makers publish. */
const COMMON_MAKERS =
  /^(?:com\.(?:example|github|google|android|amazon|microsoft|tencent|alibaba|baidu|huawei|xiaomi|bytedance|netease|facebook)|io\.github|io\.appium|org\.(?:apache|example|owasp)|net\.sourceforge|com\.gitlab|me\.\w+|cn\.com|com\.cn|co\.uk)\./
