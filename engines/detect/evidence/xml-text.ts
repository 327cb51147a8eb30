import { resolveResource } from '../../arsc/resolve-resource.ts'
import type { ResourceTable } from '../../arsc/resource-table.ts'
import { attributeName } from '../../axml/find-attribute.ts'
import { manifestWords } from '../../axml/manifest-words.ts'
import type { XmlElement } from '../../axml/read-axml.ts'
import { isReference, valueText } from '../../axml/typed-value.ts'

/** Text of an attribute by its name, in whatever namespace; references to values resolved. Undefined where it is not written. */
export function attributeText(
  element: XmlElement,
  name: string,
  resources: ResourceTable | null = null,
): string | undefined {
  const attribute = element.attributes.find((candidate) => attributeName(candidate) === name)
  if (!attribute) return undefined
  const words = manifestWords(attribute)
  if (words !== undefined) return words
  const resolved =
    resources && isReference(attribute.value) ? resolveResource(resources, attribute.value.data)?.value : undefined
  return valueText(resolved ?? attribute.value)
}

export interface XmlLocation {
  readonly element: XmlElement
  /** `/network-security-config/domain-config[2]` */
  readonly path: string
  readonly ancestors: readonly XmlElement[]
}

/** Every element below and with the root, parents first. */
export function* elementsOf(root: XmlElement): Generator<XmlLocation> {
  const open: XmlLocation[] = [{ element: root, path: `/${root.name}`, ancestors: [] }]
  while (open.length > 0) {
    const next = open.pop()!
    yield next
    const counts = new Map<string, number>()
    const children: XmlLocation[] = []
    for (const child of next.element.children) {
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      const path = `${next.path}/${child.name}[${count}]`
      children.push({ element: child, path, ancestors: [...next.ancestors, next.element] })
    }
    open.push(...children.reverse())
  }
}
