import type { ClassFacts, Program } from '../../dex/program.ts'
import type { SdkSignature } from '../catalogue/sdk-signatures.ts'
import { dotted } from '../evidence/locations.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { Location } from '../result/scan-result.ts'
import { sdkOfClass } from './package-trie.ts'

const VERSION = /^v?(\d+(?:\.\d+){1,3}(?:[-.+][\w.-]{1,24})?)$/i
const FIELD = /^(?:SDK_?VERSION(?:_?NAME)?|VERSION(?:_?NAME)?|LIBRARY_?VERSION|versionName|sdkVersion)$/i
/** Names of version files (META-INF/*.version, *.properties in the root) and their SDK in the signatures. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  fcm: ['firebase-messaging'],
  'firebase-analytics': ['firebase-analytics', 'play-services-measurement'],
  crashlytics: ['firebase-crashlytics'],
  admob: ['play-services-ads', 'play-services-ads-lite'],
  glide: ['glide'],
  'kotlin-coroutines': ['kotlinx_coroutines_core', 'kotlinx_coroutines_android'],
}
const BEGIN_OF_NAME = /^(?:com\.google\.(?:android\.gms|firebase)_)?/

/** A version and what says it. */
export interface FoundVersion {
  readonly version: string
  readonly location: Location
}

/**
 * The version of an SDK where the package says it: a version file, else a constant of a class (BuildConfig above all), else what the library
 * calls itself. Null where none is there.
 */
export function readVersion(inspected: InspectedPackage, signature: SdkSignature): FoundVersion | null {
  return (
    fromFiles(inspected, signature) ??
    fromConstants(inspected.program, signature) ??
    fromText(inspected.program, TEXTS[signature.id])
  )
}

function fromFiles(inspected: InspectedPackage, signature: SdkSignature): FoundVersion | null {
  const names = FILES[signature.id] ?? []
  const groups = signature.packages.filter((one) => one.endsWith('.')).map((one) => one.slice(0, -1))
  for (const { name } of inspected.entries) {
    const [, inMeta, plain] = /^(?:META-INF\/(.+)\.version|([\w.-]+)\.properties)$/.exec(name) ?? []
    const file = inMeta ?? plain
    if (!file) continue
    const artefact = file.replace(BEGIN_OF_NAME, '')
    if (
      !names.includes(artefact) &&
      !(inMeta && groups.some((group) => group.includes('.') && file.startsWith(`${group}_`)))
    )
      continue
    const bytes = inspected.read(name)
    const text = bytes && bytes.length <= 4096 ? Buffer.from(bytes).toString('utf8') : ''
    const version = VERSION.exec((/^version\s*=\s*(\S+)/m.exec(text)?.[1] ?? text).trim())?.[1]
    if (version) return { version, location: { entry: name, offset: 0 } }
  }
  return null
}

/** What some libraries call themselves where they speak to servers. */
const TEXTS: Readonly<Record<string, RegExp>> = { okhttp: /^okhttp\/(\d+(?:\.\d+){1,2})$/ }

function fromText(program: Program | null, pattern: RegExp | undefined): FoundVersion | null {
  if (!program || !pattern) return null
  for (const { value, locations } of program.stringConstants()) {
    const version = value.length < 40 ? pattern.exec(value)?.[1] : undefined
    for (const { method } of version ? locations : []) {
      const holder = program.classOf(method.owner)
      if (version && holder) return { version, location: locationOf(holder) }
    }
  }
  return null
}

const locationOf = ({ descriptor, entry, offset }: Pick<ClassFacts, 'descriptor' | 'entry' | 'offset'>): Location => ({
  entry,
  offset,
  class: dotted(descriptor),
})

type Ranked = FoundVersion & { readonly rank: number }
/** Program -> SDK id -> its best version constant; one pass over the classes serves all SDKs. */
const constants = new WeakMap<Program, Map<string, Ranked>>()

function fromConstants(program: Program | null, signature: SdkSignature): FoundVersion | null {
  if (!program) return null
  const found = constants.get(program) ?? gatherConstants(program)
  constants.set(program, found)
  return found.get(signature.id) ?? null
}

/** A BuildConfig without a version of its own: what the build writes then. */
const isTemplate = ({ descriptor, fields }: ClassFacts): boolean =>
  descriptor.endsWith('/BuildConfig;') &&
  fields.some(({ name, constant }) => name === 'VERSION_NAME' && constant === '1.0') &&
  fields.some(({ name, constant }) => name === 'VERSION_CODE' && Number(constant) === 1)

function gatherConstants(program: Program): Map<string, Ranked> {
  const found = new Map<string, Ranked>()
  const holders = new Set<string>()
  for (const { value, fields } of program.stringConstants())
    if (fields.length && VERSION.test(value))
      for (const field of fields) holders.add(field.slice(0, field.indexOf('->')))
  for (const holder of program.classes()) {
    const { descriptor } = holder
    const own = holders.has(descriptor) && !isTemplate(holder) ? sdkOfClass(descriptor) : null
    if (!own) continue
    // A class named for it says more than any other, one near the root of the package more than one deep inside.
    const rank = (/\/(?:BuildConfig|Version|SDKVersion)[$;]/.test(descriptor) ? 0 : 100) + descriptor.split('/').length
    for (const { name, constant } of holder.fields) {
      const version = typeof constant === 'string' && FIELD.test(name) ? VERSION.exec(constant)?.[1] : undefined
      const before = found.get(own.id)
      if (version && (!before || rank < before.rank)) found.set(own.id, { version, rank, location: locationOf(holder) })
    }
  }
  return found
}
