import type { XmlElement } from '../../axml/read-axml.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'

export interface Layout {
  readonly entry: string
  readonly root: XmlElement
}
const MOST_LAYOUTS = 2000
const known = new WeakMap<InspectedPackage['entries'], readonly Layout[]>()

/** Layouts of the application by the resource table, or by name if there is no table; those that libraries bring are left out. */
export function layouts({ entries, resources, xml }: InspectedPackage): readonly Layout[] {
  const before = known.get(entries)
  if (before) return before
  const names = new Set<string>()
  if (resources)
    for (const { name, value } of resources.all())
      if (
        /(?:^|:)layout\//.test(name) &&
        value?.text?.endsWith('.xml') &&
        names.size < MOST_LAYOUTS &&
        !OF_LIBRARY.test(name)
      )
        names.add(value.text)
  if (!resources)
    for (const { name } of entries)
      if (/^res\/layout[^/]*\/[^/]+\.xml$/.test(name) && names.size < MOST_LAYOUTS) names.add(name)
  const found = [...names].flatMap((entry): Layout[] => {
    const root = xml(entry)
    return root ? [{ entry, root }] : []
  })
  known.set(entries, found)
  return found
}

/** Layouts that libraries bring carry their name in front. */
const OF_LIBRARY =
  /\/(?:abc_|mtrl_|design_|notification_|preference|material_|m3_|exo_|browser_actions|com_facebook|select_dialog|support_|ime_|fingerprint_dialog|leak_canary)/
