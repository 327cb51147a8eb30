import { type FrameworkAttribute, frameworkAttributeId } from '../axml/framework-attributes.ts'
import {
  AXML_LIMITS,
  type AxmlLimits,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
} from '../axml/read-axml.ts'
import { readXml, type TextElement } from '../xml/read-xml.ts'
import { text } from './proto-value.ts'

/** Prefixes in scope; more are not looked at. */
const MOST_PREFIXES = 100
const ANDROID = 'http://schemas.android.com/apk/res/android'

/**
 * Reads XML as written in the source (manifest and resources of an AAR), in the form that binary XML has; attributes of the framework get their id.
 * Throws FormatError of `xml`.
 */
export function readTextXml(bytes: Uint8Array, limits: AxmlLimits = AXML_LIMITS): XmlDocument {
  const namespaces: { prefix: string; uri: string }[] = []
  const source = readXml(bytes, { depth: limits.depth, elements: limits.elements, size: bytes.length })
  const convert = (element: TextElement, outer: ReadonlyMap<string, string>): XmlElement => {
    const own = element.attributes.filter(({ name }) => name === 'xmlns' || name.startsWith('xmlns:'))
    const scope = own.length ? new Map(outer) : outer
    for (const { name, value } of own) {
      const prefix = name.slice('xmlns:'.length)
      if (scope.size < MOST_PREFIXES) (scope as Map<string, string>).set(prefix, value)
      if (prefix && !namespaces.some(({ uri }) => uri === value) && namespaces.length < 100)
        namespaces.push({ prefix, uri: value })
    }
    const qualified = (written: string, isAttribute: boolean) => {
      const colon = written.indexOf(':')
      const prefix = colon < 0 ? '' : written.slice(0, colon)
      const namespace = colon < 0 && isAttribute ? '' : (scope.get(prefix) ?? '')
      return { name: written.slice(colon + 1), namespace }
    }
    return {
      ...qualified(element.name, false),
      line: element.line,
      offset: element.offset,
      attributes: element.attributes
        .filter((attribute) => !own.includes(attribute))
        .map(({ name: written, value, offset }): XmlAttribute => {
          const { name, namespace } = qualified(written, true)
          const id = namespace === ANDROID ? frameworkAttributeId(name as FrameworkAttribute) : undefined
          return { name, namespace, ...(id && { resourceId: id }), value: text(value), offset }
        }),
      children: element.children.map((child) => convert(child, scope)),
      texts: element.text ? [element.text] : [],
    }
  }
  return { root: convert(source, new Map()), namespaces, notes: [] }
}
