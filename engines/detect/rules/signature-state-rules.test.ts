import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildApk, type Files, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner, type TestSigner } from '#tests/support/apk/signer.ts'
import { apkBytes, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readPackage } from '../../package/read-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'

const V2 = 0x7109871a
const maker = makeSigner('Maker')

function filesOf(made: MadePackage): Files {
  const zip = readZip(apkBytes(made))
  return Object.fromEntries(zip.entries.map((entry) => [entry.name, entryBytes(zip, entry)]))
}
const v2Bytes = (made: MadePackage = {}, signer: TestSigner = maker) =>
  buildApk(filesOf(made), [schemeBlock(V2, { signer })])
const opened = (bytes: Uint8Array, name = 'made.apk') => readPackage(bytes, name)
const words = (id: string, bytes: Uint8Array, name?: string) => {
  const { verdict, level, findings, reason } = judgeOne(id, opened(bytes, name))
  return [verdict, ...(verdict === 'fail' ? [level, ...findings.map(({ detail }) => detail.en)] : [reason?.en])]
}
/** Flips a byte in the content of the first entry. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const { start } = (() => {
    const zip = readZip(bytes)
    const name = zip.entries.at(-1)!.name
    return { start: Buffer.from(bytes).indexOf(name) + name.length }
  })()
  copy[start]! ^= 1
  return copy
}

test('a package without a signature fails a high item, a library without one does not', () => {
  expect(words('android-signature-missing', apkBytes({}))).toEqual(['fail', 'high', 'the package has no signature'])
  expect(words('android-signature-broken', apkBytes({}))).toEqual(['not_applicable', 'the package is not signed'])
  expect(words('android-signature-missing', v2Bytes())[0]).toBe('pass')
  const jar = writeZip([{ name: 'a/B.class', data: Buffer.from('cafebabe', 'hex') }])
  for (const id of ['android-signature-missing', 'android-signature-untrusted'])
    expect(words(id, jar, 'library.jar')[0], id).toBe('not_applicable')
})

test('one changed byte after signing fails a high item, with the scheme that shows it', () => {
  const changed = flipped(v2Bytes({ files: { 'assets/last.txt': 'content' } }))
  const [verdict, level, detail] = words('android-signature-broken', changed)
  expect([verdict, level]).toEqual(['fail', 'high'])
  expect(detail).toMatch(/^the content was changed after v2 signing/)
  expect(words('android-signature-broken', v2Bytes())[0]).toBe('pass')
})

test('data after the end of the archive has words of its own and is not called an unsigned package', () => {
  const trailing = Buffer.concat([v2Bytes(), Buffer.from('trailing')])
  expect(words('android-signature-broken', trailing)[2]).toMatch(/^8 bytes follow the end of the archive/)
  expect(words('android-sig-debug-cert', trailing)).not.toContain('the package is not signed')
  expect(words('android-signature-missing', trailing)[0]).toBe('pass')
})

test('a v2-only package that old Android versions refuse is a low finding, which says that nothing was changed', () => {
  const [verdict, level, detail] = words('android-signature-broken', v2Bytes({ minSdk: 21 }))
  expect([verdict, level]).toEqual(['fail', 'low'])
  expect(detail).toMatch(/nothing was changed; without a v1 scheme versions below 7 refuse it/)
})

test('a v1 signature with an algorithm that old Android versions do not know is a low finding', () => {
  const signed = (minSdk: number) => buildApk(withV1(filesOf({ minSdk, targetSdk: 29 }), maker))
  const [verdict, level, detail] = words('android-signature-broken', signed(14))
  expect([verdict, level]).toEqual(['fail', 'low'])
  expect(detail).toMatch(/^the signature holds from Android 7 on and nothing was changed; earlier versions refuse it/)
  expect(words('android-signature-broken', signed(21))[0]).toBe('pass')
  expect(words('android-signature-broken', flipped(signed(14))).slice(0, 2)).toEqual(['fail', 'high'])
})

test('another signer than the one of the baseline is not trusted, and a forged certificate proves nothing', () => {
  const judged = (bytes: Uint8Array, baselineSigners: string[] | null) => {
    const { verdict, findings } = judgeOne('android-signature-untrusted', opened(bytes), { baselineSigners })
    return [verdict, ...findings.map(({ detail }) => detail.en)]
  }
  const known = [createHash('sha256').update(maker.certificate).digest('hex')]
  expect(judged(v2Bytes(), null)).toEqual(['not_applicable'])
  expect(judged(v2Bytes(), known)).toEqual(['pass'])
  expect(judged(v2Bytes({}, makeSigner('Other')), known)[1]).toMatch(
    /^the signer is not the one of the asset's baseline/,
  )
  const forged = v2Bytes({}, { ...makeSigner('Other'), certificate: maker.certificate })
  expect(judged(forged, known)).toEqual([
    'fail',
    'the signature is broken, so it does not prove the signer of the baseline',
  ])
})

test('removing the v1 signature files never lowers the number of high findings', () => {
  const signed = buildApk(withV1(filesOf({ minSdk: 21 }), makeSigner('Android Debug')))
  const stripped = apkBytes({ minSdk: 21 })
  const high = (bytes: Uint8Array) =>
    ['android-signature-missing', 'android-signature-broken', 'android-sig-v1-only', 'android-sig-debug-cert']
      .map((id) => judgeOne(id, opened(bytes)))
      .filter(({ verdict }) => verdict === 'fail').length
  expect(high(stripped)).toBeGreaterThan(0)
  expect(high(signed)).toBeGreaterThan(0)
})
