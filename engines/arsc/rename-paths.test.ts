import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WrittenTable, writeArsc } from '#tests/support/resource-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readArsc } from './read-arsc.ts'
import { renameResourcePaths } from './rename-paths.ts'

const table: WrittenTable = {
  types: [
    {
      name: 'drawable',
      entries: { 0: { key: 'icon', value: 'res/drawable/icon.png' }, 1: { key: 'color', value: [0x1c, 0xff00ff00] } },
    },
    {
      name: 'drawable',
      config: { density: 480 },
      form: 'compact',
      entries: { 0: { key: 'icon', value: 'res/drawable-xxhdpi/icon.png' } },
    },
    { name: 'layout', form: 'sparse', entries: { 3: { key: 'main', value: 'res/layout/main.xml' } } },
    { name: 'array', entries: { 0: { key: 'list', value: 'parts' } } },
    {
      name: 'string',
      entries: { 0: { key: 'app_name', value: '应用' }, 1: { key: 'same', value: 'res/layout/main.xml' } },
    },
  ],
}
const valuesOf = (bytes: Uint8Array) =>
  [...readArsc(bytes).all()].map(({ name, value }) => `${name} ${value?.text ?? `${value?.type} ${value?.data}`}`)

describe('paths of a resource table', () => {
  test('a table without a change reads the same', () => {
    const bytes = writeArsc(table)
    const { bytes: written, renamed } = renameResourcePaths(bytes, () => undefined)
    expect([renamed.size, valuesOf(written)]).toEqual([0, valuesOf(bytes)])
    expect(Buffer.compare(renameResourcePaths(written, () => undefined).bytes, written)).toBe(0)
  })

  test('values get other paths, strings that say the same keep what they say, and the old path is gone', () => {
    const bytes = writeArsc(table)
    const names = new Map([
      ['res/drawable/icon.png', 'r/a.png'],
      ['res/drawable-xxhdpi/icon.png', 'r/b.png'],
      ['res/layout/main.xml', 'r/一个比以前长得多的名称.xml'],
      ['应用', 'never'],
    ])
    const { bytes: written, renamed } = renameResourcePaths(bytes, (path) => names.get(path))
    expect([...renamed.keys()].sort()).toEqual(
      ['res/drawable-xxhdpi/icon.png', 'res/drawable/icon.png', 'res/layout/main.xml'].sort(),
    )
    expect(valuesOf(written)).toEqual(
      valuesOf(bytes).map((line) =>
        line.startsWith('string/') ? line : [...names].reduce((text, [from, to]) => text.replace(from, to), line),
      ),
    )
    expect(Buffer.from(written).includes('res/drawable/icon.png')).toBe(false)
    expect(readArsc(written).notes).toEqual(readArsc(bytes).notes)
  })

  test('changed and cut bytes give a table or a FormatError', () => {
    const bytes = writeArsc(table)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 5 }),
        fc.nat(bytes.length - 1),
        fc.boolean(),
        (changes, cut, cuts) => {
          try {
            readArsc(renameResourcePaths(mutate(bytes, changes, cuts ? cut : 0), (path) => `${path}x`).bytes)
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
        },
      ),
      { numRuns: 400 },
    )
  })
})
