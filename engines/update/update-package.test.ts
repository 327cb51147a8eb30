import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MADE_FILES, type MadeUpdate, madeUpdate, UPDATE_KEY, updateHashes } from '#tests/support/made-update.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { utf8 } from '../gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey } from '../gm/sm2-signature.ts'
import { compareVersions } from './update-manifest.ts'
import { readUpdate, UPDATE_LIMITS } from './update-package.ts'

const read = (made: MadeUpdate = {}, limits = UPDATE_LIMITS) =>
  readUpdate(madeUpdate(made), [UPDATE_KEY], updateHashes, limits)
/** What refuses the update, also when all of its files are read. */
function refusal(bytes: Uint8Array, limits = UPDATE_LIMITS): string {
  try {
    const update = readUpdate(bytes, [UPDATE_KEY], updateHashes, limits)
    for (const { path, link } of update.manifest.files) if (link === undefined) update.read(path)
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
  return 'taken'
}
const refused = (made: MadeUpdate, limits = UPDATE_LIMITS) => refusal(madeUpdate(made), limits)
const other = sm2PrivateKey(utf8('another key'))

describe('update packages', () => {
  test('[UPD-01] a sound package gives the manifest, its signer and the bytes of each file', () => {
    const update = read()
    expect(update.manifest.version).toBe('1.6.0')
    expect(update.signer).toEqual(UPDATE_KEY)
    expect(new TextDecoder().decode(update.read('dist/node/main.js'))).toBe('start()')
    expect(() => update.read('lib/libx.so.1')).toThrow('no file of the update')
    expect(() => update.read('../etc/passwd')).toThrow('no file of the update')
    expect(refusal(madeUpdate())).toBe('taken')
  })

  test('[UPD-01] a package without signature, with that of another key, of other bytes or with none that can be read is refused', () => {
    expect(refused({ signature: null })).toBe('unsigned')
    expect(refused({ signature: '' })).toBe('signature')
    expect(refused({ signature: 'no hexadecimal digits' })).toBe('signature')
    expect(refused({ key: other })).toBe('signature')
    expect(refused({ manifestText: (text) => text.replace('1.6.0', '9.9.9') })).toBe('signature')
    const next = [UPDATE_KEY, publicKeyOf(other)]
    expect(readUpdate(madeUpdate({ key: other }), next, updateHashes).signer).toEqual(publicKeyOf(other))
    expect(() => readUpdate(madeUpdate(), [], updateHashes)).toThrow('no key of this installation')
  })

  test('[UPD-01] a file that differs from the signed manifest in content, size or presence is refused', () => {
    expect(
      refused({ entries: (all) => all.map((one) => (one.data === 'start()' ? { ...one, data: 'Start()' } : one)) }),
    ).toBe('hash')
    expect(
      refused({ entries: (all) => all.map((one) => (one.data === 'start()' ? { ...one, data: 'longer()' } : one)) }),
    ).toBe('entries')
    expect(refused({ entries: (all) => all.slice(0, -1) })).toBe('entries')
    expect(refused({ entries: (all) => [...all, { name: 'files/extra', data: 'x' }] })).toBe('entries')
    expect(refused({ entries: (all) => [...all, { name: 'extra', data: 'x' }] })).toBe('entries')
    expect(refused({ entries: (all) => [...all, all[2] as never] })).toBe('entries')
    expect(refused({ entries: (all) => all.slice(1) })).toBe('manifest')
  })

  test('[UPD-01] names that lead out of the release are refused, in the manifest and in the ZIP', () => {
    for (const path of [
      '../evil',
      '/etc/passwd',
      'a/../../b',
      'a//b',
      './a',
      'a\\..\\b',
      'a\u0000b',
      '',
      'a/',
      'x'.repeat(401),
    ])
      expect(refused({ files: [...MADE_FILES, { path, text: 'x' }], entries: (all) => all.slice(0, -1) }), path).toBe(
        'name',
      )
    expect(refused({ entries: (all) => [...all, { name: '../evil', data: 'x' }] })).toBe('entries')
    expect(
      refused({
        files: [
          { path: 'a', text: 'x' },
          { path: 'a/b', text: 'x' },
        ],
      }),
    ).toBe('name')
  })

  test('[UPD-01] the only links are those of the signed manifest to a file of the same folder', () => {
    for (const link of ['../bin/node', '/bin/sh', 'missing', '..', '.', '', 'libx.so.1', 'a/b'])
      expect(refused({ files: [...MADE_FILES.slice(0, 3), { path: 'lib/libx.so.1', link }] }), link).toBe('name')
    // A ZIP that marks a file as a link: its attributes are not looked at, the content has to be the file that was signed.
    const marked = { externalAttributes: (0o120777 << 16) >>> 0 }
    const asLink = (data: string): MadeUpdate => ({
      entries: (all) => all.map((one) => (one.data === 'start()' ? { ...one, data, central: marked } : one)),
    })
    expect(refused(asLink('/bin/sh'))).toBe('hash')
    expect(refused(asLink('start()'))).toBe('taken')
  })

  test('[UPD-01] more entries, larger files, denser data and longer manifests than the limits are refused', () => {
    const limits = { ...UPDATE_LIMITS, ratioFloor: 1024 }
    expect(refused({}, { ...limits, entries: 3 })).toBe('limit')
    expect(refused({}, { ...limits, entrySize: 10 })).toBe('limit')
    expect(refused({}, { ...limits, totalSize: 100 })).toBe('limit')
    expect(refused({}, { ...limits, manifestBytes: 100 })).toBe('limit')
    const dense = 'a'.repeat(1_000_000)
    expect(refused({ files: [{ path: 'a', text: dense }] }, limits)).toBe('limit')
    // A size that is declared smaller than it is.
    const lying = { size: 10 }
    expect(
      refused({
        entries: (all) =>
          all.map((one) => (one.data === 'start()' ? { ...one, data: dense, central: lying, local: lying } : one)),
      }),
    ).not.toBe('taken')
  })

  test('a manifest of another product, without version, formats or files is refused', () => {
    const bad: MadeUpdate['manifest'][] = [
      () => [],
      () => 'text',
      (made) => ({ ...made, product: 'other' }),
      (made) => ({ ...made, version: '1.6' }),
      (made) => ({ ...made, version: '01.6.0' }),
      (made) => ({ ...made, version: '1.6.0-beta' }),
      (made) => ({ ...made, platform: undefined }),
      (made) => ({ ...made, files: [] }),
      (made) => ({ ...made, files: [null] }),
      (made) => ({ ...made, files: [{ path: 'a', mode: '4755', size: 1, sha256: 'x' }] }),
      (made) => ({ ...made, formats: undefined }),
      (made) => ({
        ...made,
        formats: { postgres: 18, events: 2, journal: 1, migrations: [{ name: '../x', down: true }] },
      }),
      (made) => ({ ...made, formats: { postgres: 18, events: -2, journal: 1, migrations: [] } }),
    ]
    for (const manifest of bad) expect(refused({ manifest: manifest as never }), String(manifest)).toBe('manifest')
  })

  test('bytes that were changed or cut off are refused or give what was signed (property)', () => {
    const sound = madeUpdate()
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const bytes = mutate(sound, [[at, mask]], 0)
        try {
          const update = readUpdate(bytes, [UPDATE_KEY], updateHashes)
          for (const file of MADE_FILES)
            if ('text' in file) expect(new TextDecoder().decode(update.read(file.path))).toBe(file.text)
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }),
      { numRuns: 150 },
    )
    for (let end = 0; end < sound.length; end += 29) expect(refusal(sound.slice(0, end))).not.toBe('taken')
  }, 120_000)

  test('noise behind the head of a ZIP never throws anything but FormatError (property)', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => refusal(noise) !== 'taken'))
  })
})

test('versions are compared by their numbers', () => {
  expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0)
  expect(compareVersions('1.5.3', '1.5.3')).toBe(0)
  expect(compareVersions('0.9.9', '1.0.0')).toBeLessThan(0)
})
