import type { XmlElement } from '../axml/read-axml.ts'
import type { TypedValue } from '../axml/typed-value.ts'
import { attributeValue, numberAt, paintOf } from './drawable-xml.ts'
import { shapeGradient } from './gradient-svg.ts'
import { rasterSvg } from './raster-svg.ts'
import { svgNumber } from './svg-parts.ts'
import { type VectorContext, vectorSvg } from './vector-svg.ts'
import type { DecodeWebp } from './webp.ts'

export interface DrawableContext extends VectorContext {
  /** Bytes of an entry of the package. */
  readonly readBytes: (path: string) => Uint8Array | undefined
  readonly decodeWebp: DecodeWebp
}

/** Adaptive icons are drawn on 108 units, of which a launcher shows the middle 72. */
const FULL = 108
const SHOWN = 72
const EDGE = (FULL - SHOWN) / 2

/** The SVG of a drawable in a box from the origin; undefined where it is of a kind, or in a state, that cannot be drawn. */
export function drawableSvg(
  value: TypedValue | undefined,
  size: number,
  context: DrawableContext,
  depth = 0,
): string | undefined {
  context.parts.step()
  if (!value || depth > context.parts.limits.depth) return undefined
  const color = paintOf(value)
  if (color)
    return context.parts.part(
      `<rect width="${svgNumber(size)}" height="${svgNumber(size)}" fill="${color.color}" fill-opacity="${color.opacity}"/>`,
    )
  if (!value.text) return undefined
  if (!/\.xml$/i.test(value.text)) {
    const bytes = context.readBytes(value.text)
    const raster = bytes && rasterSvg(bytes, size, context.parts, context.decodeWebp)
    if (raster) return raster
  }
  const root = context.readXml(value.text)
  return root && elementSvg(root, size, context, depth)
}

function elementSvg(element: XmlElement, size: number, context: DrawableContext, depth: number): string | undefined {
  const { resources } = context
  context.parts.step()
  const inner = (name: string, box = size) =>
    drawableSvg(attributeValue(element, name, resources), box, context, depth + 1)
  switch (element.name) {
    case 'vector':
      return vectorSvg(element, { width: size, height: size }, context)
    case 'adaptive-icon':
      return adaptiveSvg(element, size, context, depth)
    case 'bitmap':
    case 'nine-patch':
      return inner('src')
    case 'color':
      return drawableSvg(attributeValue(element, 'color', resources), size, context, depth + 1)
    case 'shape':
      return shapeSvg(element, size, context)
    case 'inset':
      return insetSvg(element, size, context, depth)
    case 'rotate':
    case 'scale':
    case 'clip':
      return inner('drawable') ?? firstChild(element, size, context, depth)
    case 'layer-list':
    case 'transition':
      return layers(element, size, context, depth)
    case 'selector':
    case 'level-list':
    case 'animated-selector': {
      // The state without conditions is last.
      const last = element.children.filter((child) => child.name === 'item').at(-1)
      return last && itemSvg(last, size, context, depth)
    }
    default:
      return undefined
  }
}

function layers(element: XmlElement, size: number, context: DrawableContext, depth: number): string | undefined {
  const drawn = element.children
    .filter((child) => child.name === 'item')
    .flatMap((item) => itemSvg(item, size, context, depth) ?? [])
  return drawn.length ? drawn.join('') : undefined
}

function itemSvg(item: XmlElement, size: number, context: DrawableContext, depth: number): string | undefined {
  return (
    drawableSvg(attributeValue(item, 'drawable', context.resources), size, context, depth + 1) ??
    firstChild(item, size, context, depth)
  )
}

function firstChild(element: XmlElement, size: number, context: DrawableContext, depth: number): string | undefined {
  const [child] = element.children
  return child && depth < context.parts.limits.depth ? elementSvg(child, size, context, depth + 1) : undefined
}

/** Background, then foreground; a launcher cuts the middle out with rounded corners. */
function adaptiveSvg(element: XmlElement, size: number, context: DrawableContext, depth: number): string | undefined {
  const layer = (name: string) => {
    const found = element.children.find((child) => child.name === name)
    return found && itemSvg(found, FULL, context, depth)
  }
  const background = layer('background')
  const foreground = layer('foreground')
  // A background alone is a coloured square: that is no picture of this application.
  if (!foreground) return undefined
  const clip = context.parts.define(
    (id) =>
      `<clipPath id="${id}"><rect x="${EDGE}" y="${EDGE}" width="${SHOWN}" height="${SHOWN}" rx="16"/></clipPath>`,
  )
  return context.parts.part(
    `<svg width="${svgNumber(size)}" height="${svgNumber(size)}" viewBox="${EDGE} ${EDGE} ${SHOWN} ${SHOWN}"><g clip-path="url(#${clip})">${background ?? ''}${foreground}</g></svg>`,
  )
}

function insetSvg(element: XmlElement, size: number, context: DrawableContext, depth: number): string | undefined {
  const { resources } = context
  const all = numberAt(element, 'inset', resources) ?? 0
  const side = (name: string) => {
    const given = numberAt(element, name, resources) ?? all
    return Math.max(0, Math.min(size / 2, Math.abs(given) < 1 ? given * size : given))
  }
  const [left, top, right, bottom] = ['insetLeft', 'insetTop', 'insetRight', 'insetBottom'].map(side) as [
    number,
    number,
    number,
    number,
  ]
  const [width, height] = [size - left - right, size - top - bottom]
  if (width <= 0 || height <= 0) return undefined
  const content =
    drawableSvg(attributeValue(element, 'drawable', resources), size, context, depth + 1) ??
    firstChild(element, size, context, depth)
  return (
    content &&
    context.parts.part(
      `<svg x="${svgNumber(left)}" y="${svgNumber(top)}" width="${svgNumber(width)}" height="${svgNumber(height)}" viewBox="0 0 ${svgNumber(size)} ${svgNumber(size)}" preserveAspectRatio="none">${content}</svg>`,
    )
  )
}

const OVAL = 1
function shapeSvg(element: XmlElement, size: number, context: DrawableContext): string | undefined {
  const { resources } = context
  const child = (name: string) => element.children.find((one) => one.name === name)
  const solid = child('solid')
  const gradient = child('gradient')
  const plain = solid && paintOf(attributeValue(solid, 'color', resources))
  const shaded = gradient && shapeGradient(gradient, context)
  const fill = plain
    ? `fill="${plain.color}" fill-opacity="${plain.opacity}"`
    : shaded
      ? `fill="url(#${shaded})"`
      : undefined
  if (!fill) return undefined
  const half = svgNumber(size / 2)
  if (numberAt(element, 'shape', resources) === OVAL)
    return context.parts.part(`<circle cx="${half}" cy="${half}" r="${half}" ${fill}/>`)
  const corners = child('corners')
  const radius = corners ? (numberAt(corners, 'radius', resources) ?? 0) : 0
  return context.parts.part(
    `<rect width="${svgNumber(size)}" height="${svgNumber(size)}" rx="${svgNumber(radius)}" ${fill}/>`,
  )
}
