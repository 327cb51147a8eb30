import type { Random } from '#tests/fuzz/mutate-input.ts'
import { element } from '#tests/support/detect-package.ts'
import { type WrittenElement, writeAxml } from '#tests/support/resource-writer.ts'
import { ID, MAIN } from './mutant-parts.ts'

/** Manifests that differ from what tools expect, with a planted attribute. */
export const MANIFESTS: readonly (readonly [name: string, make: (random: Random) => Uint8Array])[] = [
  ['attributes without names', () => renamedAttribute('debuggable', '')],
  ['attributes with other names', () => renamedAttribute('debuggable', 'theme')],
  [
    'unknown chunks',
    () => writeAxml(debuggable(), { junk: Buffer.from([0x77, 0x66, 8, 0, 16, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) }),
  ],
  ['larger attributes', () => writeAxml(debuggable(), { attributeSize: 28 })],
  ['no ends of elements', () => writeAxml(debuggable(), { withoutEnds: true })],
  ['another type of document', () => writeAxml(debuggable(), { type: 0 })],
  ['strings in UTF-16', () => writeAxml(debuggable(), { utf8: false })],
  ['more strings counted', () => writeAxml(debuggable(), { count: 0xffff })],
  [
    'text instead of binary',
    () =>
      Buffer.from(
        `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${ID}"><application android:debuggable="true"><activity android:name=".Main"/></application></manifest>`,
      ),
  ],
  [
    'two applications',
    () => writeAxml({ ...debuggable(), children: [...debuggable().children!, element('application', {})] }),
  ],
  ['a number other than -1', () => writeAxml(withValue([0x12, 1]))],
  ['a number in hexadecimal', () => writeAxml(withValue([0x11, 0xffffffff]))],
  ['the word true', () => writeAxml(withValue('true'))],
  ['a resource that is missing', () => writeAxml(withValue([0x01, 0x7f010000]))],
  ['cut', (random) => Buffer.from(writeAxml(debuggable())).subarray(0, 200 + random.below(150))],
]

export const debuggable = (): WrittenElement => withValue([0x12, 0xffffffff])

export const withValue = (value: string | readonly [number, number]): WrittenElement =>
  element('manifest', { package: ID }, element('uses-sdk', { minSdkVersion: 29, targetSdkVersion: 35 }), {
    name: 'application',
    attributes: [{ name: 'debuggable', id: 0x0101000f, value } as NonNullable<WrittenElement['attributes']>[number]],
    children: [MAIN],
  })

/** The name of the attribute in the string pool replaced: its resource id says what it is. */
function renamedAttribute(from: string, to: string): Uint8Array {
  const root = debuggable()
  const rename = (one: WrittenElement): WrittenElement => ({
    ...one,
    attributes: (one.attributes ?? []).map((attribute) =>
      attribute.name === from ? { ...attribute, name: to } : attribute,
    ),
    children: (one.children ?? []).map(rename),
  })
  return writeAxml(rename(root))
}
