import type { XmlElement } from '../axml/read-axml.ts'
import type { DefinedPermission, Evidence, UsedPermission } from './apk-facts.ts'
import type { ManifestReader } from './manifest-reader.ts'

/** Element -> the SDK from which it counts. */
const USES: ReadonlyMap<string, number | null> = new Map([
  ['uses-permission', null],
  ['uses-permission-sdk-23', 23],
  ['uses-permission-sdk-m', 23],
])
const PREFIX = 'android.permission.'

/** Permissions that are asked for, and those that Android adds for the sake of old packages (as `aapt dump badging` lists them). */
export function readPermissions(reader: ManifestReader, manifest: XmlElement, targetSdk: number): UsedPermission[] {
  const used = new Map<string, UsedPermission>()
  for (const element of manifest.children) {
    const fromSdk = USES.get(element.name)
    const name = fromSdk === undefined ? undefined : reader.text(element, 'name')?.value
    if (fromSdk === undefined || !name || used.has(name)) continue
    const maxSdkVersion = reader.number(element, 'maxSdkVersion')?.value ?? null
    used.set(name, { name, fromSdk, maxSdkVersion, impliedBy: null, evidence: reader.evidence(element) })
  }
  imply(used, targetSdk, reader.evidence(manifest))
  return [...used.values()]
}

function imply(used: Map<string, UsedPermission>, targetSdk: number, manifest: Evidence): void {
  const add = (short: string, impliedBy: string, cause?: UsedPermission) => {
    const name = PREFIX + short
    const maxSdkVersion = cause?.maxSdkVersion ?? null
    const evidence = cause?.evidence ?? manifest
    if (!used.has(name)) used.set(name, { name, fromSdk: null, maxSdkVersion, impliedBy, evidence })
  }
  // As in aapt, what is asked for only from SDK 23 on implies nothing.
  const asked = (short: string) => {
    const permission = used.get(PREFIX + short)
    return permission?.fromSdk ? undefined : permission
  }
  if (targetSdk < 4) {
    add('WRITE_EXTERNAL_STORAGE', 'target SDK below 4')
    add('READ_PHONE_STATE', 'target SDK below 4')
  }
  const write = asked('WRITE_EXTERNAL_STORAGE')
  if (write) add('READ_EXTERNAL_STORAGE', 'WRITE_EXTERNAL_STORAGE', write)
  if (targetSdk >= 16) return
  for (const way of ['READ', 'WRITE']) {
    const contacts = asked(`${way}_CONTACTS`)
    if (contacts) add(`${way}_CALL_LOG`, `${way}_CONTACTS with a target SDK below 16`, contacts)
  }
}

/** Permissions that the package itself defines. */
export function readDefinedPermissions(reader: ManifestReader, manifest: XmlElement): DefinedPermission[] {
  const defined: DefinedPermission[] = []
  for (const element of manifest.children) {
    const name = element.name === 'permission' && reader.text(element, 'name')?.value
    if (!name) continue
    const protectionLevel = reader.text(element, 'protectionLevel')?.value ?? 'normal'
    defined.push({ name, protectionLevel, evidence: reader.evidence(element) })
  }
  return defined
}
