import { resolveResource } from '../arsc/resolve-resource.ts'
import type { ResourceTable } from '../arsc/resource-table.ts'
import { attributeName } from '../axml/find-attribute.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import { isReference, type TypedValue, VALUE, valueText } from '../axml/typed-value.ts'

/** Extra-extra-extra-high: what a picture of 192 pixels is taken from. */
const DENSITY = 640

/** The value of an attribute by name, references followed; undefined where it is not written or unknown. */
export function attributeValue(
  element: XmlElement,
  name: string,
  resources: ResourceTable | undefined,
): TypedValue | undefined {
  const attribute = element.attributes.find((one) => one.name === name || attributeName(one) === name)
  return attribute && followed(attribute.value, resources)
}

/** The value after resolving references. */
export function followed(value: TypedValue, resources: ResourceTable | undefined): TypedValue | undefined {
  if (!isReference(value)) return value
  if (value.data === 0) return undefined
  return (
    frameworkColor(value.data) ?? (resources && resolveResource(resources, value.data, { density: DENSITY })?.value)
  )
}

/** A plain number; dimensions in their own unit. */
export function numberAt(element: XmlElement, name: string, resources: ResourceTable | undefined): number | undefined {
  const value = attributeValue(element, name, resources)
  if (!value) return undefined
  if (value.type === VALUE.fraction) return Number.parseFloat(valueText(value)) / 100
  const number = Number.parseFloat(value.type === VALUE.string ? (value.text ?? '') : valueText(value))
  return Number.isFinite(number) && value.type !== VALUE.hex ? number : undefined
}

export type Paint = { color: string; opacity: number }

/** ARGB as SVG takes it. */
export function paintOf(value: TypedValue | undefined): Paint | undefined {
  if (!value || value.type < VALUE.firstColor || value.type > VALUE.lastColor) return undefined
  return paintOfArgb(value.data)
}

export function paintOfArgb(argb: number): Paint {
  return {
    color: `#${(argb & 0xffffff).toString(16).padStart(6, '0')}`,
    opacity: Math.round(((argb >>> 24) / 255) * 1000) / 1000,
  }
}

/** Colours of the framework that icons refer to; its table is not in the package. */
const FRAMEWORK_COLORS: Readonly<Record<number, number>> = {
  17170443: 0xffffffff, // white
  17170444: 0xff000000, // black
  17170445: 0x00000000, // transparent
  17170432: 0xffaaaaaa, // darker_gray
}

function frameworkColor(id: number): TypedValue | undefined {
  const argb = FRAMEWORK_COLORS[id]
  return argb === undefined ? undefined : { type: VALUE.firstColor, data: argb }
}
