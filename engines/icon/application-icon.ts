import type { Icon } from '../apk/apk-facts.ts'
import type { ResourceTable } from '../arsc/resource-table.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import { VALUE } from '../axml/typed-value.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type DrawableContext, drawableSvg } from './drawable-svg.ts'
import { rasterSvg } from './raster-svg.ts'
import { ICON_LIMITS, type IconLimits, SvgParts } from './svg-parts.ts'
import type { DecodeWebp } from './webp.ts'

const SIZE = 96
/** Larger ones are scaled down anyway, and cost. */
const DENSEST = 640
const SCALABLE = 0xfffe

export interface IconSource {
  readonly icons: readonly Icon[]
  readonly resources: ResourceTable | undefined
  /** Bytes of an entry of the package, undefined if it is absent or cannot be unpacked. */
  readonly readBytes: (path: string) => Uint8Array | undefined
  /** Without it WebP pictures are passed over. */
  readonly decodeWebp?: DecodeWebp
  /** Root of an entry that is XML in the package's form; may throw FormatError. */
  readonly readXml: (path: string) => XmlElement | undefined
}

/**
 * The launcher icon as SVG on a square: adaptive and vector drawables composed as a launcher does, raster images as they are.
 * Undefined where the package names none that can be drawn; the caller shows initials then.
 */
export function applicationIcon(source: IconSource, limits: IconLimits = ICON_LIMITS): string | undefined {
  const read = new Map<string, XmlElement | undefined>()
  const readXml = (entry: string) => {
    if (!read.has(entry))
      read.set(
        entry,
        orNothing(() => source.readXml(entry)),
      )
    return read.get(entry)
  }
  for (const { path } of candidates(source.icons)) {
    const parts = new SvgParts(limits)
    const context: DrawableContext = {
      parts,
      resources: source.resources,
      readBytes: source.readBytes,
      decodeWebp: source.decodeWebp ?? (() => null),
      readXml,
    }
    const drawn = orNothing(() => drawableSvg({ type: VALUE.string, data: 0, text: path }, SIZE, context))
    if (drawn) return parts.document(`0 0 ${SIZE} ${SIZE}`, drawn)
  }
  return undefined
}

/** A picture of another system's package as the system shows it: a square with rounded corners. Undefined where it cannot be drawn. */
export function pictureIcon(picture: Uint8Array, limits: IconLimits = ICON_LIMITS): string | undefined {
  const parts = new SvgParts(limits)
  const drawn = rasterSvg(picture, SIZE, parts)
  if (!drawn) return undefined
  const clip = parts.define((id) => `<clipPath id="${id}"><rect width="${SIZE}" height="${SIZE}" rx="21"/></clipPath>`)
  return parts.document(`0 0 ${SIZE} ${SIZE}`, `<g clip-path="url(#${clip})">${drawn}</g>`)
}

/** The icon before its round form; what scales first, then from dense to coarse, the very dense last. */
function candidates(icons: readonly Icon[]): Icon[] {
  const rank = ({ density }: Icon) => (density === SCALABLE ? 1e6 : density > DENSEST ? -density : density)
  return (['icon', 'roundIcon', 'logo'] as const).flatMap((attribute) =>
    icons.filter((icon) => icon.attribute === attribute).sort((a, b) => rank(b) - rank(a)),
  )
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}
