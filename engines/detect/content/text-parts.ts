import { RESOURCES_ENTRY } from '../../arsc/resource-table.ts'
import { FormatError } from '../../bytes/format-error.ts'
import { dotted } from '../evidence/locations.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { Location } from '../result/scan-result.ts'

/** A text of the package that people may get to see or send: from code, resources or a file. */
export interface TextPart {
  readonly source: 'code' | 'resource' | 'file'
  readonly text: string
  readonly location: Location
}

export interface TextLimits {
  /** Bytes of one text file and of all. */
  readonly textFile: number
  readonly allText: number
}

export interface TextParts {
  readonly parts: readonly TextPart[]
  /** Text files that are larger than the limits. */
  readonly skipped: readonly string[]
}

const TEXT_NAME =
  /\.(?:txt|json|js|html?|xml|properties|ya?ml|ini|conf|cfg|md|csv|plist|strings|bundle|wxml|vue|css|lua)$/i
/** What is no text for people, though its name ends like one. */
const NO_TEXT = /^(?:META-INF\/|kotlin\/|AndroidManifest\.xml$)|(?:\.min\.js|\.css)$/

/** All texts of a package, each distinct one of code and resources once. */
export function gatherTexts(inspected: InspectedPackage, limits: TextLimits): TextParts {
  const parts: TextPart[] = []
  for (const { value, first, fields } of inspected.program?.stringConstants() ?? []) {
    const holder = fields[0]?.slice(0, fields[0].indexOf('->'))
    const location: Location = first
      ? { entry: first.entry, offset: first.offset, class: dotted(first.method.owner), method: first.method.name }
      : {
          entry: inspected.program!.classOf(holder ?? '')?.entry ?? 'classes.dex',
          offset: -1,
          ...(holder && { class: dotted(holder) }),
        }
    if (value.length > 1) parts.push({ source: 'code', text: value, location })
  }
  gatherResources(inspected, parts)
  return { parts, skipped: gatherFiles(inspected, limits, parts) }
}

function gatherResources(inspected: InspectedPackage, parts: TextPart[]): void {
  const { resources } = inspected
  if (!resources) return
  const seen = new Set<string>()
  try {
    for (const { name, value, offset, entry = RESOURCES_ENTRY } of resources.all()) {
      const text = value?.text
      if (text === undefined || text.length < 2 || text.startsWith('res/') || seen.has(text)) continue
      seen.add(text)
      parts.push({ source: 'resource', text, location: { entry, offset, path: name } })
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
  }
}

function gatherFiles(inspected: InspectedPackage, limits: TextLimits, parts: TextPart[]): string[] {
  const skipped: string[] = []
  let left = limits.allText
  for (const { name, size } of inspected.entries) {
    if (!TEXT_NAME.test(name) || NO_TEXT.test(name)) continue
    if (size > limits.textFile || size > left) {
      skipped.push(name)
      continue
    }
    const bytes = inspected.read(name)
    left -= size
    // Compiled XML and the like have zeros near their begin.
    if (!bytes || bytes.subarray(0, 512).includes(0)) continue
    parts.push({ source: 'file', text: Buffer.from(bytes).toString('utf8'), location: { entry: name, offset: 0 } })
  }
  return skipped
}
