import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { Program } from '../../dex/program.ts'
import { sdkOfClass } from '../sdks/package-trie.ts'

/** Names that say nothing about whose code it is when they stand alone. */
const SHORTEST_PREFIX = 2
const MOST_PREFIXES = 100
/** Roots of libraries that carry no signature of their own. */
const LIBRARY_ROOT =
  /^(?:android|androidx|java|javax|kotlin|kotlinx|dalvik|com\.android|com\.google|org\.(?:apache|json|xmlpull|xml|w3c|intellij|jetbrains|slf4j|junit|hamcrest|mockito|checkerframework|jsoup|greenrobot|reactivestreams|aopalliance|codehaus|eclipse|hamcrest|objectweb|conscrypt)|io\.(?:reactivex|netty|grpc|opencensus|ktor|github)|okhttp3|okio|retrofit2?|rx|dagger|butterknife|junit|j\$|_COROUTINE|com\.(?:squareup|fasterxml|bumptech|facebook|airbnb|jakewharton|github|nostra13|thoughtworks|sun|caverock))(?:\.|$)/

const packageOf = (className: string): string => className.slice(0, Math.max(0, className.lastIndexOf('.')))
const parts = (name: string, count: number): string => name.split('.').slice(0, count).join('.')

/**
 * Package prefixes of the developer's own code, each with a point at its end: of the application id and its neighbours, and of the
 * components that the manifest names, as far as they belong to no known SDK or library. A library (no manifest) is all its own.
 */
export function ownPrefixes(facts: ApkFacts | null, program: Program | null): readonly string[] {
  const found = new Set<string>()
  const id = facts?.package?.value ?? ''
  const add = (name: string) => {
    if (name && !LIBRARY_ROOT.test(name)) found.add(`${name}.`)
  }
  // Of `com.maker.app.debug` the classes are in com.maker.
  if (id.includes('.')) found.add(`${near(id)}.`)
  for (const { name, kind, targetActivity } of facts?.components ?? []) {
    const className = targetActivity ?? name
    if (kind === 'activity-alias' && !targetActivity) continue
    const holder = packageOf(className)
    const descriptor = `L${className.replaceAll('.', '/')};`
    if (holder.split('.').length < SHORTEST_PREFIX || sdkOfClass(descriptor) || LIBRARY_ROOT.test(holder)) continue
    if (program && !program.classOf(descriptor)) continue
    add(near(holder))
  }
  const application = facts?.applicationClass?.value
  if (application && !sdkOfClass(`L${application.replaceAll('.', '/')};`)) {
    const holder = packageOf(application)
    if (holder.split('.').length >= SHORTEST_PREFIX) add(near(holder))
  }
  const sorted = [...found].sort()
  return sorted
    .filter((prefix) => !sorted.some((other) => other !== prefix && prefix.startsWith(other)))
    .slice(0, MOST_PREFIXES)
}

/** The maker's part of a package name: two names, three under hosts that many makers share. */
const near = (name: string): string => parts(name, COMMON_MAKERS.test(`${name}.`) ? 3 : 2)

/** Second names under which many makers publish. */
const COMMON_MAKERS =
  /^(?:com\.(?:example|github|google|android|amazon|microsoft|tencent|alibaba|baidu|huawei|xiaomi|bytedance|netease|facebook)|io\.github|io\.appium|org\.(?:apache|example|owasp)|net\.sourceforge|com\.gitlab|me\.\w+|cn\.com|com\.cn|co\.uk)\./
