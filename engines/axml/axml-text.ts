import { attributeName } from './find-attribute.ts'
import { manifestWords } from './manifest-words.ts'
import type { XmlAttribute, XmlDocument, XmlElement } from './read-axml.ts'
import { valueText } from './typed-value.ts'

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/**
 * The document as XML text to read, two spaces a level and one attribute a line where there are several.
 * @param nameOf the name of a resource (`string/app_name`), where known
 */
export function axmlText(document: XmlDocument, nameOf: (id: number) => string | undefined = () => undefined): string {
  const prefixes = new Map<string, string>()
  for (const { prefix, uri } of document.namespaces) {
    const taken = !prefix || [...prefixes.values()].includes(prefix)
    prefixes.set(uri, taken ? `ns${prefixes.size}` : prefix)
  }
  const declared = [...prefixes].map(([uri, prefix]) => `xmlns:${prefix}="${escaped(uri)}"`)
  const lines = ['<?xml version="1.0" encoding="utf-8"?>']
  const qualified = (name: string, namespace: string) => {
    const prefix = namespace && prefixes.get(namespace)
    return prefix ? `${prefix}:${name}` : name
  }
  const attributeText = (attribute: XmlAttribute) =>
    `${qualified(attributeName(attribute), attribute.namespace)}="${escaped(manifestWords(attribute) ?? valueText(attribute.value, nameOf))}"`
  const write = (element: XmlElement, indent: string, extra: readonly string[]): void => {
    const name = qualified(element.name, element.namespace)
    const attributes = [...extra, ...element.attributes.map(attributeText)]
    const separator = attributes.length > 1 ? `\n${indent}    ` : ' '
    const start = [`${indent}<${name}`, ...attributes].join(separator)
    const text = element.texts.map(escaped).join('')
    if (!element.children.length) {
      lines.push(text ? `${start}>${text}</${name}>` : `${start}/>`)
      return
    }
    lines.push(`${start}>${text}`)
    for (const child of element.children) write(child, `${indent}  `, [])
    lines.push(`${indent}</${name}>`)
  }
  write(document.root, '', declared)
  return `${lines.join('\n')}\n`
}

function escaped(text: string): string {
  // Characters that XML cannot hold are shown, not dropped.
  return text.replace(
    /[&<>"\p{Cc}\ufffe\uffff]/gu,
    (c) => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
