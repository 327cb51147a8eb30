import { resolveResource } from '../arsc/resolve-resource.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import { isReference } from '../axml/typed-value.ts'
import type { Icon } from './apk-facts.ts'
import type { ManifestReader } from './manifest-reader.ts'
import type { PackageLayout } from './package-files.ts'

const ATTRIBUTES = ['icon', 'roundIcon', 'logo', 'banner'] as const

/** The files of the application's pictures for all densities, densest first within each attribute. */
export function readIcons(
  reader: ManifestReader,
  application: XmlElement | undefined,
  { fileOf }: Pick<PackageLayout, 'fileOf'>,
): Icon[] {
  const { resources } = reader
  const icons: Icon[] = []
  for (const attribute of ATTRIBUTES) {
    const id = reader.reference(application, attribute)
    const written = id === undefined ? reader.text(application, attribute)?.value : undefined
    const file = written && fileOf(written)
    if (file) icons.push({ path: file, density: 0, attribute })
    if (id === undefined || !resources) continue
    const found = new Map<string, Icon>()
    for (const { value, config } of resources.valuesOf(id)) {
      const { density } = config
      const last = value && isReference(value) ? resolveResource(resources, value.data, { density })?.value : value
      const path = last?.text && fileOf(last.text)
      if (path && !found.has(path)) found.set(path, { path, density, attribute })
    }
    icons.push(...[...found.values()].sort((a, b) => b.density - a.density))
  }
  return icons
}
