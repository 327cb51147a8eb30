import { FormatError } from '../bytes/format-error.ts'
import {
  PLIST_LIMITS,
  type PlistLimits,
  type PlistNode,
  plistAt,
  plistFlag,
  plistText,
  plistTexts,
} from '../plist/plist-node.ts'
import { readPlist } from '../plist/read-plist.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { readSignedData, type SignedData } from '../x509/signed-data.ts'
import { verifySignedData } from '../x509/verify-signed-data.ts'

/** An embedded.mobileprovision: who may install the application where, until when. Times are milliseconds since 1970. */
export interface Provision {
  readonly name: string | null
  readonly uuid: string | null
  readonly appIdName: string | null
  readonly teamIds: readonly string[]
  readonly teamName: string | null
  readonly platforms: readonly string[]
  readonly created: number | null
  readonly expires: number | null
  readonly devices: readonly string[]
  readonly allDevices: boolean
  readonly kind: 'development' | 'ad-hoc' | 'enterprise' | 'store'
  readonly entitlements: PlistNode | null
  /** With which applications of this profile are signed. */
  readonly certificates: readonly Certificate[]
  /** Of who signed the profile; empty where its envelope cannot be read. */
  readonly signedBy: readonly Certificate[]
  /** Null where the envelope cannot be read. */
  readonly signatureHolds: boolean | null
  /** The whole list; offsets count from `plistOffset` of the file. */
  readonly plist: PlistNode
  readonly plistOffset: number
  readonly notes: readonly { readonly key: 'envelope' | 'certificate'; readonly detail: string }[]
}

/** Throws FormatError of `provision` (`no-plist`), `plist` and `xml`. */
export function readProvision(bytes: Uint8Array, limits: PlistLimits = PLIST_LIMITS): Provision {
  const notes: Provision['notes'][number][] = []
  const envelope = openEnvelope(bytes, notes)
  const content = envelope?.content ?? plainPlist(bytes)
  const plist = readPlist(content, limits)
  const devices = plistTexts(plist, 'ProvisionedDevices')
  const allDevices = plistFlag(plist, 'ProvisionsAllDevices') ?? false
  const debuggable = plistFlag(plist, 'Entitlements', 'get-task-allow') ?? false
  return {
    name: plistText(plist, 'Name') ?? null,
    uuid: plistText(plist, 'UUID') ?? null,
    appIdName: plistText(plist, 'AppIDName') ?? null,
    teamIds: plistTexts(plist, 'TeamIdentifier'),
    teamName: plistText(plist, 'TeamName') ?? null,
    platforms: plistTexts(plist, 'Platform'),
    created: dateOf(plist, 'CreationDate'),
    expires: dateOf(plist, 'ExpirationDate'),
    devices,
    allDevices,
    kind: allDevices ? 'enterprise' : debuggable ? 'development' : devices.length ? 'ad-hoc' : 'store',
    entitlements: plistAt(plist, 'Entitlements') ?? null,
    certificates: certificatesOf(plist, notes),
    signedBy: envelope?.certificates ?? [],
    signatureHolds: envelope ? verifySignedData(envelope, content) : null,
    plist,
    plistOffset: Math.max(
      0,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(content.subarray(0, 4096)),
    ),
    notes,
  }
}

function openEnvelope(bytes: Uint8Array, notes: Provision['notes'][number][]): SignedData | undefined {
  try {
    return readSignedData(bytes)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({ key: 'envelope', detail: error.message })
    return undefined
  }
}

/** The list as it lies in the file, for a profile whose envelope is broken. */
function plainPlist(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const begin = file.indexOf('<?xml')
  const end = begin < 0 ? -1 : file.indexOf('</plist>', begin)
  if (end < 0) throw new FormatError('provision', 'no-plist', -1, 'no property list in the profile')
  return bytes.subarray(begin, end + 8)
}

function dateOf(plist: PlistNode, key: string): number | null {
  const found = plistAt(plist, key)
  return found?.type === 'date' ? found.value : null
}

function certificatesOf(plist: PlistNode, notes: Provision['notes'][number][]): Certificate[] {
  const list = plistAt(plist, 'DeveloperCertificates')
  if (list?.type !== 'array') return []
  return list.items.flatMap((item) => {
    if (item.type !== 'data') return []
    try {
      return [readCertificate(item.value)]
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      notes.push({ key: 'certificate', detail: error.message })
      return []
    }
  })
}
