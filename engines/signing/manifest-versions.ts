import { findAttribute } from '../axml/find-attribute.ts'
import { readAxml, type XmlElement } from '../axml/read-axml.ts'
import { numberOf, type TypedValue } from '../axml/typed-value.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'

/** What of a manifest decides how signatures are verified. */
export interface ManifestVersions {
  readonly minSdk: number
  readonly targetSdk: number
  readonly targetSandboxVersion: number
}

const TARGET_SANDBOX_VERSION = 0x0101054c

/** Code names of unreleased versions by first letter; letters behind the last one count on. */
const CODENAMES: readonly (readonly [string, number])[] = [
  ['C', 2],
  ['D', 3],
  ['E', 4],
  ['F', 7],
  ['G', 8],
  ['H', 10],
  ['I', 13],
  ['J', 15],
  ['K', 18],
  ['L', 20],
  ['M', 22],
  ['N', 23],
  ['O', 25],
]

/** Undefined where there is no manifest. Throws FormatError where it, or the lowest version in it, cannot be read. */
export function manifestVersions(zip: ZipArchive): ManifestVersions | undefined {
  const entry = zip.byName.get('AndroidManifest.xml')
  if (!entry) return undefined
  const { root } = readAxml(entryBytes(zip, entry))
  const sandbox = root.attributes.find(({ resourceId }) => resourceId === TARGET_SANDBOX_VERSION)
  const usesSdk = root.children.filter(({ name, namespace }) => name === 'uses-sdk' && !namespace)
  const minSdk = Math.max(1, ...usesSdk.map(minSdkOf))
  const target = usesSdk.map((element) => findAttribute(element, 'targetSdkVersion')).find((one) => one !== undefined)
  return {
    minSdk,
    targetSdk: (target && wholeNumber(target.value)) ?? minSdk,
    targetSandboxVersion: (sandbox && wholeNumber(sandbox.value)) ?? 1,
  }
}

function minSdkOf(usesSdk: XmlElement): number {
  const attribute = findAttribute(usesSdk, 'minSdkVersion')
  if (!attribute) return 1
  const { value, offset } = attribute
  const sdk = numberOf(value) ?? (value.text === undefined ? undefined : sdkOfCodename(value.text))
  if (sdk === undefined)
    throw new FormatError('manifest', 'min-sdk', offset, `minSdkVersion ${value.text ?? 'is no number'}`)
  return sdk
}

function sdkOfCodename(name: string): number | undefined {
  const letter = name[0] ?? ''
  if (letter < 'A' || letter > 'Z') return undefined
  const [known, sdk] = CODENAMES.findLast(([first]) => first <= letter) ?? [letter, 1]
  return sdk + letter.charCodeAt(0) - known.charCodeAt(0)
}

function wholeNumber(value: TypedValue): number | undefined {
  return numberOf(value) ?? (/^\d{1,9}$/.test(value.text ?? '') ? Number(value.text) : undefined)
}
