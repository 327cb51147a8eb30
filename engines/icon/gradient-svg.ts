import type { ResourceTable } from '../arsc/resource-table.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import { attributeValue, numberAt, type Paint, paintOf } from './drawable-xml.ts'
import { type SvgParts, svgNumber } from './svg-parts.ts'

type GradientContext = { readonly parts: SvgParts; readonly resources: ResourceTable | undefined }
const RADIAL = 1

/** A `<gradient>` of a vector, in the units of its viewport; the name to refer to it by, undefined where it has no colours. */
export function gradientPaint(element: XmlElement, { parts, resources }: GradientContext): string | undefined {
  const number = (name: string) => svgNumber(numberAt(element, name, resources) ?? 0)
  const stops = stopsOf(element, resources)
  if (!stops) return undefined
  return parts.define((id) =>
    numberAt(element, 'type', resources) === RADIAL
      ? `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${number('centerX')}" cy="${number('centerY')}" r="${number('gradientRadius')}">${stops}</radialGradient>`
      : `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${number('startX')}" y1="${number('startY')}" x2="${number('endX')}" y2="${number('endY')}">${stops}</linearGradient>`,
  )
}

/** A `<gradient>` of a shape: it fills the shape's box, at an angle in degrees counter-clockwise from left to right. */
export function shapeGradient(element: XmlElement, { parts, resources }: GradientContext): string | undefined {
  const stops = stopsOf(element, resources)
  if (!stops) return undefined
  if (numberAt(element, 'type', resources) === RADIAL)
    return parts.define((id) => `<radialGradient id="${id}">${stops}</radialGradient>`)
  const angle = ((numberAt(element, 'angle', resources) ?? 0) * Math.PI) / 180
  const x = Math.cos(angle) / 2
  const y = -Math.sin(angle) / 2
  return parts.define(
    (id) =>
      `<linearGradient id="${id}" x1="${svgNumber(0.5 - x)}" y1="${svgNumber(0.5 - y)}" x2="${svgNumber(0.5 + x)}" y2="${svgNumber(0.5 + y)}">${stops}</linearGradient>`,
  )
}

function stopsOf(element: XmlElement, resources: ResourceTable | undefined): string | undefined {
  const stop = (offset: number, { color, opacity }: Paint) =>
    `<stop offset="${svgNumber(offset)}" stop-color="${color}" stop-opacity="${svgNumber(opacity)}"/>`
  const items = element.children
    .filter((child) => child.name === 'item')
    .flatMap((item) => {
      const color = paintOf(attributeValue(item, 'color', resources))
      return color ? [stop(numberAt(item, 'offset', resources) ?? 0, color)] : []
    })
  if (items.length) return items.join('')
  const colors = ['startColor', 'centerColor', 'endColor'].flatMap((name) => {
    const color = paintOf(attributeValue(element, name, resources))
    return color ? [color] : []
  })
  if (colors.length === 0) return undefined
  return colors.map((color, at) => stop(colors.length === 1 ? 0 : at / (colors.length - 1), color)).join('')
}
