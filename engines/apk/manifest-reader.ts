import { resolveResource } from '../arsc/resolve-resource.ts'
import type { ResourceTable } from '../arsc/resource-table.ts'
import { findAttribute, plainAttribute } from '../axml/find-attribute.ts'
import type { FrameworkAttribute } from '../axml/framework-attributes.ts'
import { manifestWords } from '../axml/manifest-words.ts'
import type { XmlAttribute, XmlElement } from '../axml/read-axml.ts'
import { isReference, numberOf, type TypedValue, VALUE, valueText } from '../axml/typed-value.ts'
import type { ApkNote, Evidence, Fact } from './apk-facts.ts'

export const MANIFEST = 'AndroidManifest.xml'

/** Reads attributes of manifest elements: references resolved, each fact with its location. */
export class ManifestReader {
  readonly notes: ApkNote[] = []
  readonly resources: ResourceTable | undefined
  private readonly entry: string
  private readonly paths = new Map<XmlElement, string>()
  /** What a reference came to: many elements name the same few resources. */
  private readonly references = new Map<number, { value: TypedValue | undefined; name: string | undefined }>()

  constructor(root: XmlElement, resources: ResourceTable | undefined, entry: string = MANIFEST) {
    this.resources = resources
    this.entry = entry
    this.index(root, `/${root.name}`)
  }

  evidence(element: XmlElement, offset = element.offset): Evidence {
    return { entry: this.entry, offset, path: this.paths.get(element) ?? '' }
  }

  text(element: XmlElement | undefined, name: FrameworkAttribute): Fact<string> | null {
    return this.fact(element, name, (value, attribute) => manifestWords(attribute) ?? this.textOf(value))
  }

  boolean(element: XmlElement | undefined, name: FrameworkAttribute): Fact<boolean> | null {
    return this.fact(element, name, booleanOf)
  }

  number(element: XmlElement | undefined, name: FrameworkAttribute): Fact<number> | null {
    return this.fact(element, name, (value) => {
      const text = value.text ?? ''
      return numberOf(value) ?? (/^-?\d{1,10}$/.test(text) ? Number(text) : undefined)
    })
  }

  /** An attribute without namespace. */
  plain(element: XmlElement, name: string): Fact<string> | null {
    const attribute = plainAttribute(element, name)
    return attribute
      ? { value: this.textOf(this.resolved(attribute.value)), evidence: this.evidence(element, attribute.offset) }
      : null
  }

  /** The reference in an attribute, undefined where it holds none. */
  reference(element: XmlElement | undefined, name: FrameworkAttribute): number | undefined {
    const value = element && findAttribute(element, name)?.value
    return value && isReference(value) ? value.data : undefined
  }

  private fact<T>(
    element: XmlElement | undefined,
    name: FrameworkAttribute,
    read: (value: TypedValue, attribute: XmlAttribute) => T | undefined,
  ): Fact<T> | null {
    const attribute = element && findAttribute(element, name)
    if (!attribute) return null
    if (!attribute.resourceId && this.notes.length < 100)
      this.notes.push({
        key: 'attribute-without-id',
        evidence: this.evidence(element, attribute.offset),
        detail: `${name} is written without its id: Android passes over it`,
      })
    const value = read(this.resolved(attribute.value), attribute)
    return value === undefined ? null : { value, evidence: this.evidence(element, attribute.offset) }
  }

  private resolved(value: TypedValue): TypedValue {
    if (!isReference(value) || !this.resources) return value
    return this.referenced(this.resources, value.data).value ?? value
  }

  private textOf(value: TypedValue): string {
    if (value.type === VALUE.null) return ''
    const { resources } = this
    return valueText(value, resources && ((id) => this.referenced(resources, id).name))
  }

  private referenced(resources: ResourceTable, id: number) {
    let found = this.references.get(id)
    if (!found) {
      found = { value: resolveResource(resources, id)?.value, name: resources.nameOf(id) }
      this.references.set(id, found)
    }
    return found
  }

  private index(element: XmlElement, path: string): void {
    this.paths.set(element, path)
    const counts = new Map<string, number>()
    for (const child of element.children) {
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      this.index(child, `${path}/${child.name}[${count}]`)
    }
  }
}

function booleanOf(value: TypedValue): boolean | undefined {
  const number = numberOf(value)
  if (number !== undefined) return number !== 0
  if (value.text === undefined) return undefined
  return /^(1|true)$/i.test(value.text)
}
