import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detailField, textField } from '#realtime/collect/read/event-fields.ts'
import { clip, fitDetail } from './clip.ts'

/** Any text at all: control characters and halves of pairs too. */
const hostile = fc.string({ unit: 'binary', maxLength: 3000 })
const brokenPair = fc.constantFrom('\ud83d', '\ude00', 'a\ud83d\ude00', '\0', '\x7f', '"\\')
const text = fc.array(fc.oneof(hostile, brokenPair), { maxLength: 6 }).map((parts) => parts.join(''))

test('[SDK-01] whatever a page says becomes a field that the collector takes', () => {
  fc.assert(fc.property(text, (any) => textField('os', clip(any)) === clip(any)))
})

test('[SDK-01] whatever an error holds becomes a detail that the collector takes, its beginning kept', () => {
  const crumbs = fc.array(fc.record({ at: fc.integer(), kind: fc.constant('tap'), text }), { maxLength: 40 })
  fc.assert(
    fc.property(text, text, crumbs, (message, stack, breadcrumbs) => {
      const detail = fitDetail({ reason: 'Error', message, stack, breadcrumbs }, 4096)
      expect(detailField(JSON.parse(JSON.stringify(detail)))).not.toBe('')
      expect(detail['reason']).toBe('Error')
      expect(stack.replace(/\p{Cs}/gu, ' ').startsWith(String(detail['stack'] ?? ''))).toBe(true)
    }),
    { numRuns: 200 },
  )
})
