import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import { xmlHit } from './hits.ts'
import { type CodeContext, type Hit, type ManifestContext, text } from './rule.ts'

interface Layout {
  readonly entry: string
  readonly root: NonNullable<ReturnType<CodeContext['xml']>>
}
const MOST_LAYOUTS = 2000
const layoutCache = new WeakMap<object, Layout[]>()

/** Layouts by the resource table, or by name if there is no table. */
export function layouts(context: ManifestContext): readonly Layout[] {
  const known = layoutCache.get(context)
  if (known) return known
  const names = new Set<string>()
  if (context.resources)
    for (const { name, value } of context.resources.all())
      if (
        /(?:^|:)layout\//.test(name) &&
        value?.text?.endsWith('.xml') &&
        names.size < MOST_LAYOUTS &&
        context.ownerOf(layoutOwner(name)).kind === 'own'
      )
        names.add(value.text)
  if (!context.resources)
    for (const { name } of context.entries)
      if (/^res\/layout[^/]*\/[^/]+\.xml$/.test(name) && names.size < MOST_LAYOUTS) names.add(name)
  const found = [...names].flatMap((entry): Layout[] => {
    const root = context.xml(entry)
    return root ? [{ entry, root }] : []
  })
  layoutCache.set(context, found)
  return found
}

/** Layouts that libraries bring carry their name in front. */
function layoutOwner(name: string): string {
  const short = name.slice(name.indexOf('/') + 1)
  return /^(?:abc_|mtrl_|design_|notification_|preference|material_|m3_|exo_|browser_actions|com_facebook|select_dialog|support_|ime_|fingerprint_dialog|leak_canary)/.test(
    short,
  )
    ? 'Landroidx/Layout;'
    : ''
}

const FIELD_NAME = /pass|pwd|card|idcard|cvv/i

export function keyboardCache(context: ManifestContext): Hit[] {
  return layouts(context).flatMap(({ entry, root }) =>
    [...elementsOf(root)].flatMap((place): Hit[] => {
      const { element } = place
      if (!/EditText$|AutoCompleteTextView$/.test(element.name)) return []
      const name = resourceId(context, element)
      const hint = attributeText(element, 'hint', context.resources) ?? ''
      if (!FIELD_NAME.test(name) && !FIELD_NAME.test(hint)) return []
      const type = Number(attributeText(element, 'inputType') ?? 0)
      const kind = type & 0xf
      const variation = type & 0xff0
      const secret =
        (kind === 1 && [0x80, 0x90, 0xe0].includes(variation)) ||
        (kind === 2 && variation === 0x10) ||
        (type & 0x80000) !== 0 ||
        attributeText(element, 'password') === 'true'
      return secret
        ? []
        : [
            xmlHit(
              entry,
              place,
              name || hint,
              text(`输入框 ${name || hint} 会进入键盘缓存`, `field ${name || hint} goes into the keyboard's cache`),
            ),
          ]
    }),
  )
}

function resourceId(context: ManifestContext, element: Parameters<typeof attributeText>[0]): string {
  const value = attributeText(element, 'id') ?? ''
  const id = Number(/^@0x([0-9a-f]{8})$/i.exec(value)?.[1] ? `0x${value.slice(3)}` : Number.NaN)
  return Number.isNaN(id) ? value : (context.resourceName(id) ?? '')
}
