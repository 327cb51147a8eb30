import type { CodeLocation } from '../../dex/program.ts'
import { ANDROID_PERMISSIONS } from '../catalogue/permission-data.ts'
import { SDK_SIGNATURES, type SdkSignature, sdkById } from '../catalogue/sdk-signatures.ts'
import { descriptorOf, dotted } from '../evidence/locations.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { PermissionUses } from '../permissions/permission-uses.ts'
import type { Location, SdkResult } from '../result/scan-result.ts'
import { calledSdks } from './called-sdks.ts'
import { isEmptyStub } from './empty-stubs.ts'
import { gatherFileSigns } from './file-signs.ts'
import { findIosSdks } from './ios-sdks.ts'
import { shownByTexts } from './library-marks.ts'
import { claimsOf } from './package-trie.ts'
import { readVersion } from './sdk-version.ts'
import type { Sign } from './signs.ts'

const EVIDENCE = 8

/**
 * SDKs, libraries and packers that a package holds, with what shows them. A packer is reported with two signs of it, or with its application
 * class; what many unrelated packages share counts only beside another sign.
 */
export function findSdks(
  inspected: InspectedPackage,
  uses: PermissionUses,
  signs: Signs = inspected.ios ? new Map() : gatherSigns(inspected),
): readonly SdkResult[] {
  if (inspected.ios) return findIosSdks(inspected.ios)
  const found = [...signs].filter(([id, own]) => {
    const signature = sdkById(id)!
    return enough(signature, own, inspected) && !isEmptyStub(id, inspected.program)
  })
  const called = calledSdks(inspected, new Set(found.map(([id]) => id)))
  const permissions = permissionsBySdk(uses)
  const order = new Map(SDK_SIGNATURES.map((one, index) => [one.id, index]))
  return found
    .sort(([one], [other]) => order.get(one)! - order.get(other)!)
    .map(([id, own]) => {
      const signature = sdkById(id)!
      const found = readVersion(inspected, signature)
      const shown = distinct(own).map((sign) => sign.location)
      return {
        id,
        name: { zh: signature.zh, en: signature.en },
        vendor: signature.vendor,
        category: signature.category,
        country: signature.country,
        version: found?.version ?? null,
        state: called.has(id) ? 'called' : 'present',
        personalInfo: signature.info,
        permissions: [...(permissions.get(id) ?? [])].sort(),
        // What says the version comes first: the bill of materials names it.
        evidence: (found ? [found.location, ...shown.filter((one) => !isSame(one, found.location))] : shown).slice(
          0,
          EVIDENCE,
        ),
        confidence: confidence(signature, own),
      }
    })
}

/** Id of the packer that hides the code, null where none does; asked before the code is judged. */
export function findPacker(
  inspected: Omit<InspectedPackage, 'packer' | 'codeGap'>,
  signs: Signs = gatherSigns(inspected),
): SdkSignature | null {
  for (const [id, own] of signs) {
    const signature = sdkById(id)!
    if (signature.category === 'packer' && !NO_CODE_HIDDEN.has(id) && enough(signature, own, inspected))
      return signature
  }
  return null
}

/** They shrink or rename, hide texts, or check who installed: the code stays readable. */
const NO_CODE_HIDDEN = new Set(['pk-andresguard', 'pk-apkprotect', 'pk-dexguard', 'pk-pairip'])

/** Signs of SDKs in classes, manifest and files, by id of the SDK. */
export type Signs = ReadonlyMap<string, readonly Sign[]>

/** One look at all classes and files, for packers and SDKs alike. */
export function gatherSigns(inspected: Omit<InspectedPackage, 'packer' | 'codeGap'>): Signs {
  const signs = new Map<string, Sign[]>()
  const add = (id: string, sign: Sign) => {
    const own = signs.get(id)
    if (own) own.push(sign)
    else signs.set(id, [sign])
  }
  gatherClassSigns(inspected, add)
  if (inspected.program)
    for (const [id, { value, first }] of shownByTexts(inspected.program))
      if (first && !signs.has(id)) add(id, textSign(value, first))
  gatherFileSigns(inspected.entries, add)
  return signs
}

/** Of a library whose classes lost their names. */
const textSign = (what: string, { entry, offset, method }: CodeLocation): Sign => ({
  kind: 'class',
  what,
  weak: false,
  location: { entry, offset, class: dotted(method.owner) },
})

type Add = (id: string, sign: Sign) => void

const CLASS_OWNERS = new Map<string, string[]>()
for (const { id, classes } of SDK_SIGNATURES)
  for (const name of classes) CLASS_OWNERS.set(name, [...(CLASS_OWNERS.get(name) ?? []), id])
const SUBSTRINGS = SDK_SIGNATURES.flatMap(({ id, substrings }) => substrings.map((text) => ({ id, text })))

/** One look at each package of classes and at each component of the manifest. */
function gatherClassSigns(inspected: Omit<InspectedPackage, 'packer' | 'codeGap'>, add: Add): void {
  const seen = new Set<string>()
  const own = `${inspected.facts?.package?.value ?? ''}.`
  const look = (descriptor: string, name: string, locate: () => Location) => {
    for (const claim of claimsOf(descriptor)) {
      // The maker's own application is not its own SDK.
      if (own.startsWith(claim.prefix)) continue
      const key = `${claim.signature.id} ${claim.prefix}`
      if (seen.has(key)) continue
      seen.add(key)
      add(claim.signature.id, { kind: 'package', what: claim.prefix, weak: claim.weak, location: locate() })
    }
    for (const id of CLASS_OWNERS.get(name) ?? [])
      add(id, { kind: 'class', what: name, weak: false, location: locate() })
    for (const { id, text } of SUBSTRINGS)
      if (name.includes(text) && !seen.has(`${id} ${text}`)) {
        seen.add(`${id} ${text}`)
        add(id, { kind: 'package', what: text, weak: false, location: locate() })
      }
  }
  for (const found of inspected.program?.classes() ?? []) {
    const name = dotted(found.descriptor)
    look(found.descriptor, name, () => ({ entry: found.entry, offset: found.offset, class: name }))
  }
  // Of a package whose code is hidden the manifest still names the classes.
  for (const { name, kind, evidence } of inspected.facts?.components ?? [])
    if (name && kind !== 'activity-alias')
      look(descriptorOf(name), dotted(descriptorOf(name)), () => ({ ...evidence, class: name }))
  const application = inspected.facts?.applicationClass
  if (application)
    look(descriptorOf(application.value), dotted(descriptorOf(application.value)), () => ({
      ...application.evidence,
      class: application.value,
    }))
}

const isSame = (one: Location, other: Location): boolean => one.entry === other.entry && one.class === other.class

function distinct(signs: readonly Sign[]): Sign[] {
  const seen = new Set<string>()
  return signs.filter(({ what }) => !seen.has(what) && seen.add(what))
}

function enough(
  signature: SdkSignature,
  signs: readonly Sign[],
  inspected: Omit<InspectedPackage, 'packer' | 'codeGap'>,
): boolean {
  const strong = distinct(signs).filter((sign) => !sign.weak)
  if (signature.category !== 'packer') {
    if (strong.some((sign) => sign.kind !== 'asset')) return true
    const assetsOnly = !signature.packages.length && !signature.so.length && !signature.classes.length
    return strong.length >= 2 || (strong.length === 1 && (assetsOnly || signs.length > 1))
  }
  const application = inspected.facts?.applicationClass?.value
  if (application && signature.classes.includes(application)) return true
  return new Set(strong.map((sign) => sign.kind)).size >= 2 || strong.length >= 2
}

function confidence(signature: SdkSignature, signs: readonly Sign[]): SdkResult['confidence'] {
  const strong = distinct(signs).filter((sign) => !sign.weak)
  if (strong.length === 0 || strong.every((sign) => sign.kind === 'asset')) return 'low'
  return signature.confidence === 'high' && strong.length === 1 && strong[0]!.kind === 'library'
    ? 'medium'
    : signature.confidence
}

/** Permissions whose APIs the code of an SDK calls. */
function permissionsBySdk(uses: PermissionUses): Map<string, Set<string>> {
  const permissions = new Map<string, Set<string>>()
  for (const { name, apis, kind } of ANDROID_PERMISSIONS) {
    if (kind === 'normal') continue
    for (const api of apis)
      for (const { owner, codeLocation } of uses.byApi.get(api) ?? []) {
        if (!owner.sdk || !codeLocation) continue
        const own = permissions.get(owner.sdk) ?? new Set()
        permissions.set(owner.sdk, own.add(name))
      }
  }
  return permissions
}
