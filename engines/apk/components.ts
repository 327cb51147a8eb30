import type { FrameworkAttribute } from '../axml/framework-attributes.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import {
  COMPONENT_KINDS,
  type Component,
  type ComponentKind,
  type Fact,
  type IntentFilter,
  type MetaData,
} from './apk-facts.ts'
import type { ManifestReader } from './manifest-reader.ts'

const DATA: readonly FrameworkAttribute[] = ['scheme', 'host', 'port', 'path', 'pathPrefix', 'pathPattern', 'mimeType']
/** Android refuses a manifest with more; so many are read and the rest is noted. */
const MOST_COMPONENTS = 30_000

const named = (element: XmlElement, name: string) => element.children.filter((child) => child.name === name)
const orNull = (fact: Fact<string> | null) => fact?.value ?? null

/** A class name as Android completes it with the package. */
export function fullClassName(name: string, packageName: string): string {
  if (!name) return ''
  if (name.startsWith('.')) return packageName + name
  return name.includes('.') || !packageName ? name : `${packageName}.${name}`
}

export function readComponents(
  reader: ManifestReader,
  application: XmlElement,
  packageName: string,
  targetSdk: number,
): Component[] {
  const components: Component[] = []
  for (const element of application.children) {
    const kind = COMPONENT_KINDS.find((name) => name === element.name)
    if (!kind) continue
    if (components.length >= MOST_COMPONENTS) {
      reader.notes.push({
        key: 'component-limit',
        evidence: reader.evidence(element),
        detail: `components behind the first ${MOST_COMPONENTS} are left out`,
      })
      break
    }
    components.push(readComponent(reader, element, kind, packageName, targetSdk))
  }
  return components
}

function readComponent(
  reader: ManifestReader,
  element: XmlElement,
  kind: ComponentKind,
  packageName: string,
  targetSdk: number,
): Component {
  const name = fullClassName(reader.text(element, 'name')?.value ?? '', packageName)
  const evidence = reader.evidence(element)
  if (!name) reader.notes.push({ key: 'component-without-name', evidence, detail: `${kind} without a name` })
  const intentFilters = named(element, 'intent-filter').map((filter) => readFilter(reader, filter))
  const written = reader.boolean(element, 'exported')
  const target = reader.text(element, 'targetActivity')
  const byDefault = kind === 'provider' ? targetSdk < 17 : intentFilters.length > 0
  return {
    kind,
    name,
    enabled: reader.boolean(element, 'enabled')?.value ?? true,
    exported: written?.value ?? byDefault,
    exportedWritten: written !== null,
    permission: orNull(reader.text(element, 'permission')),
    readPermission: orNull(reader.text(element, 'readPermission')),
    writePermission: orNull(reader.text(element, 'writePermission')),
    authorities: reader.text(element, 'authorities')?.value.split(';').filter(Boolean) ?? [],
    grantUriPermissions: reader.boolean(element, 'grantUriPermissions')?.value ?? false,
    targetActivity: target && fullClassName(target.value, packageName),
    process: orNull(reader.text(element, 'process')),
    intentFilters,
    metaData: readMetaData(reader, element),
    element,
    evidence,
  }
}

function readFilter(reader: ManifestReader, filter: XmlElement): IntentFilter {
  const names = (tag: string) => named(filter, tag).map((child) => reader.text(child, 'name')?.value ?? '')
  return {
    actions: names('action'),
    categories: names('category'),
    data: named(filter, 'data').map((child) => {
      const parts: Record<string, string> = {}
      for (const part of DATA) {
        const text = reader.text(child, part)
        if (text) parts[part] = text.value
      }
      return parts
    }),
    autoVerify: reader.boolean(filter, 'autoVerify')?.value ?? false,
    evidence: reader.evidence(filter),
  }
}

export function readMetaData(reader: ManifestReader, element: XmlElement): MetaData[] {
  return named(element, 'meta-data').map((child) => {
    const value = reader.text(child, 'value') ?? reader.text(child, 'resource')
    return {
      name: reader.text(child, 'name')?.value ?? '',
      value: value?.value ?? '',
      evidence: reader.evidence(child),
    }
  })
}
