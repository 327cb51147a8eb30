import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FindingLevel } from '#contracts/detection/kinds.ts'
import { ANDROID_ITEMS } from '#engines/detect/catalogue/rule-items.ts'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import { scan } from '#engines/detect/scan.ts'
import { readRaster } from '#engines/icon/raster.ts'
import type { AndroidPackage } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { DEMO_APPS, dexOf, madeUpSigner, signerOf } from '../../device-fleet/demo-apps.ts'
import { BANK_VERSIONS, type BankVersionName } from './bank-build.ts'
import { bankIcon } from './bank-icon.ts'
import { bankPackage } from './bank-package.ts'
import { BANK_ID, bankKey, bankSigner } from './bank-signer.ts'

const packages = Object.fromEntries(BANK_VERSIONS.map((version) => [version, bankPackage(version)])) as Record<
  BankVersionName,
  Uint8Array
>
const read = (version: BankVersionName) => readPackage(packages[version], 'bank.apk') as AndroidPackage
const KINDS = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content'] as const
const BANK = DEMO_APPS.find((one) => one.package === BANK_ID)!

/** What 9.3.1 has and 9.4.0 mends. */
const PLANTED = [
  'android-crypto-weak-hash',
  'android-crypto-ecb',
  'android-crypto-hardcoded-key',
  'android-crypto-insecure-random',
  'android-trust-manager-empty',
  'android-hostname-verifier-allow-all',
  'android-webview-js-enabled',
  'android-webview-js-bridge-exposed',
  'android-webview-file-access',
  'android-webview-universal-file-access',
  'android-webview-content-access',
  'android-log-sensitive',
  'android-sharedpref-sensitive',
  'android-exported-activity',
  'android-allow-backup',
  'android-cleartext-allowed',
  'android-http-url-hardcoded',
  'android-no-cert-pinning',
  'android-no-root-detect',
  'android-screenshot-unprotected',
  'android-tapjacking',
]

/** Items that fail, by id. */
function failedOf(version: BankVersionName): Map<string, FindingLevel> {
  const { items } = scan(read(version), { ...SCAN_CHOICES, kinds: [...KINDS], applicationTypes: ['financial_lending'] })
  return new Map(items.filter((one) => one.verdict === 'fail').map((one) => [one.id, one.level]))
}
const failed = { '9.3.1': failedOf('9.3.1'), '9.4.0': failedOf('9.4.0') }

test.each(BANK_VERSIONS)(
  'the package of %s is read whole: names in two languages, icon, components, code',
  (version) => {
    const { facts } = read(version)
    expect(facts).toMatchObject({
      package: { value: BANK_ID },
      versionName: { value: version },
      label: { value: 'Pocket Bank' },
      minSdk: { value: '26' },
      targetSdk: { value: '35' },
      dexEntries: ['classes.dex'],
      notes: [],
    })
    expect(facts.icons.map(({ density }) => density)).toEqual([640, 320, 160])
    const exported = facts.components.filter((one) => one.exported).map(({ name }) => name)
    expect(exported).toHaveLength(version === '9.3.1' ? 2 : 1)
  },
)

test.each(BANK_VERSIONS)(
  'the signature of %s is valid by the schemes v1, v2 and v3, on every version of Android',
  (version) => {
    const verified = verifyApk(packages[version], { minSdk: 21 })
    expect([verified.verified, verified.errors, verified.warnings]).toEqual([true, [], []])
    const { v1, v2, v3 } = verified.schemes
    expect([v1, v2, v3].map((one) => one.present && one.verified)).toEqual([true, true, true])
    expect(verified.certificates.map((one) => one.fingerprints.sha256)).toEqual([bankSigner])
  },
)

test('a package is the same bytes each time that it is built, and the certificate is the same in every installation', () => {
  for (const version of BANK_VERSIONS) expect(Buffer.compare(bankPackage(version), packages[version]), version).toBe(0)
  expect(bankSigner).toBe('051a91f1d2979698c47d56f2f7018f789cbcdcf4c56c60dac4ce2c3ccda878e3')
  expect(bankKey.certificates[0]).toMatchObject({ publicKey: { algorithm: 'EC', curve: 'P-256' } })
})

test('phones report the signer and the code of the packages, and made-up ones for what has no package', () => {
  expect(signerOf(BANK)).toBe(bankSigner)
  for (const version of BANK_VERSIONS) {
    const [dex] = read(version).code
    expect(dexOf(BANK, version)).toBe(createHash('sha256').update(dex!.bytes).digest('hex'))
    expect(dexOf(BANK, version, 'someone else')).not.toBe(dexOf(BANK, version))
  }
  expect(dexOf(BANK, '9.2.2')).toMatch(/^[0-9a-f]{64}$/)
  for (const app of DEMO_APPS.filter((one) => one !== BANK)) {
    expect(signerOf(app)).toBe(madeUpSigner(app))
    expect(BANK_VERSIONS.map((version) => dexOf(app, version))).not.toContain(dexOf(BANK, '9.4.0'))
  }
})

test('every text that a screen asks for by its id is there, in two languages', () => {
  const folders = ['both', ...BANK_VERSIONS].map((part) => join(import.meta.dirname, part))
  const sources = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
  )
  const asked = new Set(sources.flatMap((text) => [...text.matchAll(/0x(7f02[0-9a-f]{4})\b/g)].map(([, id]) => id!)))
  expect(asked.size).toBeGreaterThan(12)
  const { resources } = read('9.4.0')
  expect(resources!.locales()).toEqual(['', 'en'])
  const known = new Set([...resources!.all()].map(({ id }) => id.toString(16)))
  expect([...asked].filter((id) => !known.has(id))).toEqual([])
})

test.each(PLANTED)('%s is found in 9.3.1 and not in 9.4.0', (item) => {
  expect([failed['9.3.1'].has(item), failed['9.4.0'].has(item)]).toEqual([true, false])
})

test('9.4.0 has no weakness that 9.3.1 had not; what is left of high and middle ones is what reinforcement is for', () => {
  expect([...failed['9.4.0'].keys()].filter((item) => !failed['9.3.1'].has(item))).toEqual([])
  const left = [...failed['9.4.0']].filter(([, level]) => level === 'high' || level === 'middle').map(([item]) => item)
  const categories = new Map(ANDROID_ITEMS.map(({ id, category }) => [id, category]))
  expect(left.map((item) => categories.get(item))).toEqual(left.map(() => 'anti_tamper'))
  expect(left).toContain('android-no-packer')
})

test('the icon is a picture with transparent corners that the console can draw', () => {
  expect(readRaster(bankIcon(48))).toMatchObject({ format: 'png', width: 48, height: 48 })
})
