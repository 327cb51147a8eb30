import type { ResourceTable } from '../arsc/resource-table.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import { attributeValue, numberAt, type Paint, paintOf } from './drawable-xml.ts'
import { gradientPaint } from './gradient-svg.ts'
import { pathData, type SvgParts, svgNumber } from './svg-parts.ts'

/** Where a drawable file is read from: an XML root by its path, undefined if the file is not of this format. */
export type ReadXml = (path: string) => XmlElement | undefined

export interface VectorContext {
  readonly parts: SvgParts
  readonly resources: ResourceTable | undefined
  readonly readXml: ReadXml
}

/** A `<vector>` within the box of `size` units; undefined where it has no viewport. */
export function vectorSvg(
  vector: XmlElement,
  size: { width: number; height: number },
  context: VectorContext,
): string | undefined {
  const number = (name: string) => numberAt(vector, name, context.resources)
  const width = number('viewportWidth') ?? 0
  const height = number('viewportHeight') ?? 0
  if (!(width > 0 && height > 0)) return undefined
  const opacity = number('alpha') ?? 1
  const tint = paintOf(attributeValue(vector, 'tint', context.resources))
  const content = group(vector, context, tint, 0)
  return context.parts.part(
    `<svg width="${svgNumber(size.width)}" height="${svgNumber(size.height)}" viewBox="0 0 ${svgNumber(width)} ${svgNumber(height)}" preserveAspectRatio="none"><g opacity="${svgNumber(opacity)}">${content}</g></svg>`,
  )
}

function group(element: XmlElement, context: VectorContext, tint: Paint | undefined, depth: number): string {
  if (depth > context.parts.limits.depth * 4) return ''
  let drawn = ''
  let open = 0
  for (const child of element.children) {
    context.parts.step()
    if (child.name === 'clip-path') {
      // It clips whatever follows it in its group.
      const data = pathData(attributeValue(child, 'pathData', context.resources)?.text)
      if (!data) continue
      const name = context.parts.define((id) => `<clipPath id="${id}"><path d="${data}"/></clipPath>`)
      drawn += `<g clip-path="url(#${name})">`
      open++
    } else if (child.name === 'group')
      drawn += context.parts.part(
        `<g transform="${groupTransform(child, context)}">${group(child, context, tint, depth + 1)}</g>`,
      )
    else if (child.name === 'path') drawn += path(child, context, tint)
  }
  return drawn + '</g>'.repeat(open)
}

function groupTransform(element: XmlElement, { resources }: VectorContext): string {
  const number = (name: string, otherwise: number) => numberAt(element, name, resources) ?? otherwise
  const [pivotX, pivotY] = [number('pivotX', 0), number('pivotY', 0)]
  const move = (x: number, y: number) => `translate(${svgNumber(x)} ${svgNumber(y)})`
  return [
    move(number('translateX', 0) + pivotX, number('translateY', 0) + pivotY),
    `rotate(${svgNumber(number('rotation', 0))})`,
    `scale(${svgNumber(number('scaleX', 1))} ${svgNumber(number('scaleY', 1))})`,
    move(-pivotX, -pivotY),
  ].join(' ')
}

const CAPS = ['butt', 'round', 'square']
const JOINS = ['miter', 'round', 'bevel']

function path(element: XmlElement, context: VectorContext, tint: Paint | undefined): string {
  const { resources } = context
  const data = pathData(attributeValue(element, 'pathData', resources)?.text)
  if (!data) return ''
  const number = (name: string) => numberAt(element, name, resources)
  const fill = paint(element, 'fillColor', context, tint)
  const stroke = paint(element, 'strokeColor', context, tint)
  const width = number('strokeWidth') ?? 0
  const attributes = [
    `d="${data}"`,
    fill
      ? `fill="${fill.color}" fill-opacity="${svgNumber(fill.opacity * (number('fillAlpha') ?? 1))}"`
      : 'fill="none"',
    number('fillType') === 1 ? 'fill-rule="evenodd"' : '',
    stroke && width > 0
      ? `stroke="${stroke.color}" stroke-opacity="${svgNumber(stroke.opacity * (number('strokeAlpha') ?? 1))}" stroke-width="${svgNumber(width)}" stroke-linecap="${CAPS[number('strokeLineCap') ?? 0] ?? 'butt'}" stroke-linejoin="${JOINS[number('strokeLineJoin') ?? 0] ?? 'miter'}"`
      : '',
  ]
  return context.parts.part(`<path ${attributes.filter(Boolean).join(' ')}/>`)
}

/** A colour, a gradient in a file of its own, or the default of a list of colours. */
function paint(element: XmlElement, name: string, context: VectorContext, tint: Paint | undefined): Paint | undefined {
  const value = attributeValue(element, name, context.resources)
  const plain = paintOf(value)
  if (plain) return tint ? { color: tint.color, opacity: plain.opacity * tint.opacity } : plain
  const root = value?.text === undefined ? undefined : context.readXml(value.text)
  if (root?.name === 'gradient') {
    const gradient = gradientPaint(root, context)
    return gradient === undefined ? undefined : { color: `url(#${gradient})`, opacity: 1 }
  }
  if (root?.name === 'selector') {
    const last = root.children.at(-1)
    return last ? paintOf(attributeValue(last, 'color', context.resources)) : undefined
  }
  return undefined
}
