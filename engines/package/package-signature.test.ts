import { beforeAll, describe, expect, test } from 'vitest'
import { buildApk, type Files, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner, type TestSigner } from '#tests/support/apk/signer.ts'
import { protoXml } from '#tests/support/proto-writer.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { SCAN_CHOICES } from '../detect/input/scan-choices.ts'
import { scan } from '../detect/scan.ts'
import { packageSignature } from './package-signature.ts'
import { readPackage } from './read-package.ts'

const V2 = 0x7109871a
const MIN_SDK = 0x0101020c
let one: TestSigner
let two: TestSigner
beforeAll(() => {
  one = makeSigner('one')
  two = makeSigner('Android Debug')
})

const bundle: Files = {
  'base/manifest/AndroidManifest.xml': protoXml({ name: 'manifest' }),
  'base/a': Buffer.from('a'),
}
const library: Files = { 'AndroidManifest.xml': Buffer.from('<manifest package="a"/>'), 'R.txt': Buffer.from('r') }
const part = (signer: TestSigner | undefined, split?: string): Buffer => {
  const attributes = split ? [{ name: 'split', value: split }] : []
  const uses = { name: 'uses-sdk', attributes: [{ name: 'minSdkVersion', id: MIN_SDK, value: [0x10, 24] as const }] }
  const manifest = writeAxml({ name: 'manifest', attributes, children: split ? [] : [uses] })
  return buildApk({ 'AndroidManifest.xml': manifest }, signer ? [schemeBlock(V2, { signer })] : [])
}
const splits = (base: Buffer, split: Buffer) => buildApk({ 'base.apk': base, 'split_config.zh.apk': split })
const signatureOf = (bytes: Uint8Array) => packageSignature(readPackage(bytes, 'upload'))

describe('the signature of every kind of package', () => {
  test.each([
    ['a bundle', () => buildApk(withV1(bundle, one)), 'verified', 'jar verified'],
    ['a library', () => buildApk(withV1(library, one)), 'verified', 'jar verified'],
    ['a JAR', () => buildApk(withV1({ 'a/B.class': Buffer.from('x') }, one)), 'verified', 'jar verified'],
    ['a bundle without', () => buildApk(bundle), 'unsigned', 'jar absent'],
    ['a library with more', () => buildApk({ ...withV1(library, one), b: Buffer.from('b') }), 'partial', 'jar partial'],
    [
      'a bundle changed',
      () => buildApk({ ...withV1(bundle, one), 'base/a': Buffer.from('b') }),
      'broken',
      'jar broken',
    ],
    ['splits', () => splits(part(one), part(one, 'zh')), 'verified', 'v2 verified'],
    ['splits of two signers', () => splits(part(one), part(two, 'zh')), 'broken', 'v2 verified'],
    ['splits, one unsigned', () => splits(part(one), part(undefined, 'zh')), 'broken', 'v2 verified'],
    ['splits, none signed', () => splits(part(undefined), part(undefined, 'zh')), 'unsigned', 'v2 absent'],
    ['an APK', () => part(one), 'verified', 'v2 verified'],
  ] as const)('the signature state is right for %s', (_name, make, state, scheme) => {
    const result = signatureOf(make())
    expect(result.state).toBe(state)
    expect(result.schemes.map((each) => `${each.scheme} ${each.state}`)).toContain(scheme)
  })

  test('splits tell which of them is wrong', () => {
    expect(signatureOf(splits(part(one), part(two, 'zh'))).errors).toEqual([
      { key: 'SPLIT_SIGNERS_MISMATCH', message: 'split_config.zh.apk is signed by others than base.apk' },
    ])
    expect(signatureOf(splits(part(one), part(undefined, 'zh'))).errors[0]?.message).toMatch(/^split_config\.zh\.apk: /)
  })

  test('a scan says who signed a bundle, and judges the certificate', () => {
    const result = scan(readPackage(buildApk(withV1(bundle, two)), 'a.aab'), SCAN_CHOICES)
    expect(result.package).toMatchObject({ signed: true, signature: 'verified', schemes: ['JAR'] })
    expect(result.certificates.map(({ subject }) => subject)).toEqual(['CN=Android Debug, C=CN'])
    const verdictOf = (id: string) => result.items.find((item) => item.id === id)?.verdict
    expect(verdictOf('android-sig-debug-cert')).toBe('fail')
    expect(verdictOf('android-sig-weak-digest')).toBe('pass')
    // What Android asks of an APK is not asked of a bundle, which no phone installs.
    expect(verdictOf('android-sig-v1-only')).toBe('not_applicable')
    const unsigned = scan(readPackage(buildApk(bundle), 'a.aab'), SCAN_CHOICES)
    expect(unsigned.package).toMatchObject({ signed: false, signature: 'unsigned', schemes: [] })
  })
})
