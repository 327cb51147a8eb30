import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readPackage } from '#engines/package/read-package.ts'
import { judgeCopy } from '#engines/similarity/judge-copy.ts'
import { readPrint } from '#engines/similarity/read-print.ts'
import { BANK_RELEASE, BANK_VERSIONS } from '../demo/bank/bank-build.ts'
import { bankPackage } from '../demo/bank/bank-package.ts'
import { DEMO_MARKETS, DEMO_STAGES, offersAt } from './demo-offers.ts'
import { DEMO_PACKAGES, type DemoPackage, demoPackages } from './demo-packages.ts'
import { certificateHash, demoSigners } from './demo-signers.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-demo-packages-'))
afterAll(() => rmSync(folder, { recursive: true }))
const SETTINGS = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
const OTHER = readFileSync(
  'node_modules/appium-uiautomator2-server/apks/appium-uiautomator2-server-debug-androidTest.apk',
)
const BANK = { id: 'cn.example.pocketbank', label: '掌上银行', version: '9.4.0', nextVersion: '9.5.3' }
const VERDICTS: Readonly<Record<DemoPackage, string>> = {
  genuine: 'genuine',
  newer: 'other-version',
  're-signed': 're-signed',
  repackaged: 'repackaged',
  clone: 'clone',
  'look-alike': 'look-alike',
  unrelated: 'unrelated',
}

test('[MON-02] packages of the demo are judged as what they are, beside those that the demo uploads, and stay the same over restarts', {
  timeout: 60_000,
}, () => {
  const signers = demoSigners(join(folder, 'signers.json'))
  const make = () =>
    demoPackages(folder, () => ({ application: bankPackage(BANK_RELEASE), other: OTHER }), BANK, signers)
  const packages = make()
  const printOf = (bytes: Uint8Array) => readPrint(readPackage(bytes, 'a.apk'))
  const references = [...BANK_VERSIONS.map(bankPackage), SETTINGS, OTHER].map(printOf)
  const own = references.flatMap(({ signer }) => [...signer.certificates])
  for (const name of DEMO_PACKAGES) {
    const print = printOf(packages[name])
    expect([name, judgeCopy(references, print, own).verdict]).toEqual([name, VERDICTS[name]])
    const signer = name === 'genuine' || name === 'newer' ? signers.owner : signers.pirate
    expect([name, print.signer.certificates[0]]).toEqual([name, certificateHash(signer)])
  }
  expect(certificateHash(demoSigners(join(folder, 'signers.json')).pirate)).toBe(certificateHash(signers.pirate))
  const again = make()
  for (const name of DEMO_PACKAGES) expect(Buffer.compare(again[name], packages[name]), name).toBe(0)
})

test('[MON-01] every market of the demo offers something at every stage, and between two stages what is offered changes', () => {
  const packages = Object.fromEntries(DEMO_PACKAGES.map((name) => [name, Buffer.from(name)])) as never
  const stages = Array.from({ length: DEMO_STAGES }, (_, stage) =>
    Array.from({ length: DEMO_MARKETS }, (__, market) =>
      offersAt(market, stage, packages, BANK).map(({ bytes }) => Buffer.from(bytes).toString()),
    ),
  )
  for (const offered of stages) for (const offers of offered) expect(offers.length).toBeGreaterThan(0)
  for (const [at, offered] of stages.slice(1).entries()) expect(offered).not.toEqual(stages[at])
  expect(new Set(stages.at(-1)!.flat())).toEqual(new Set(DEMO_PACKAGES))
})
