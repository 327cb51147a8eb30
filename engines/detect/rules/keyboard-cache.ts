import { layouts } from '../evidence/layouts.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import { xmlHit } from './hits.ts'
import { type Hit, type ManifestContext, text } from './rule.ts'

const FIELD_NAME = /pass|pwd|card|idcard|cvv/i

/** Text fields for secrets whose input the keyboard may remember. */
export function keyboardCache(context: ManifestContext): Hit[] {
  return layouts(context).flatMap(({ entry, root }) =>
    [...elementsOf(root)].flatMap((location): Hit[] => {
      const { element } = location
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
              location,
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
