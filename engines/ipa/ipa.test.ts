import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { der, octets, oid, sequence } from '#tests/support/apk/der-writer.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { writeMacho } from '#tests/support/macho-writer.ts'
import { type Written, writeBinaryPlist, writeXmlPlist } from '#tests/support/plist-writer.ts'
import { mutate, writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { plistText } from '../plist/plist-node.ts'
import { readProvision } from './provision.ts'
import { readIpa } from './read-ipa.ts'

const signer = makeSigner('Apple Distribution')
const APP = 'Payload/App.app/'
const info: { [key: string]: Written } = {
  CFBundleIdentifier: 'com.example.app',
  CFBundleName: 'App',
  CFBundleExecutable: 'Main',
  CFBundleShortVersionString: '1.2.3',
  CFBundleVersion: '45',
  MinimumOSVersion: '13.0',
  DTSDKName: 'iphoneos17.0',
  UIDeviceFamily: [1, '2'],
  UIBackgroundModes: ['audio'],
  LSApplicationQueriesSchemes: ['weixin'],
  CFBundleURLTypes: [{ CFBundleURLSchemes: ['app', 'wx123'] }, { CFBundleURLName: 'x' }],
  NSCameraUsageDescription: '用于扫描二维码',
  CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['Icon60'] } },
}
const png = (cgbi: boolean) =>
  Buffer.from(
    `89504e470d0a1a0a${cgbi ? '00000004436742495000200200000000' : ''}0000000d494844520000007800000078080600000000000000`,
    'hex',
  )

function envelope(content: Uint8Array): Buffer {
  const signed = sequence(
    der(0x02, Buffer.from([1])),
    der(0x31),
    sequence(oid('1.2.840.113549.1.7.1'), der(0xa0, octets(content))),
    der(0xa0, signer.certificate),
    der(0x31),
  )
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signed))
}
const profile = (values: { [key: string]: Written }) => envelope(writeXmlPlist({ Name: 'Profile', ...values }))

const ipa = (files: Record<string, Uint8Array | string> = {}, base = info) =>
  writeZip(
    Object.entries({
      [`${APP}Info.plist`]: writeBinaryPlist(base),
      [`${APP}Main`]: writeMacho({ exports: ['_main'] }),
      ...files,
    }).map(([name, data]) => ({ name, data })),
  )
const keyOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof FormatError) return `${error.format} ${error.key}`
    throw error
  }
  return 'nothing thrown'
}

describe('iOS packages', () => {
  test('what the application says of itself, each with its location', () => {
    const { facts } = readIpa(ipa())
    expect(facts).toMatchObject({
      app: APP,
      bundleId: { value: 'com.example.app', evidence: { entry: `${APP}Info.plist`, path: 'CFBundleIdentifier' } },
      version: { value: '1.2.3' },
      build: { value: '45' },
      minOs: { value: '13.0' },
      deviceFamilies: [1, 2],
      executable: `${APP}Main`,
      provision: null,
      notes: [],
    })
    expect(facts.urlSchemes.map(({ value, evidence }) => [value, evidence.path])).toEqual([
      ['app', 'CFBundleURLTypes.0.CFBundleURLSchemes.0'],
      ['wx123', 'CFBundleURLTypes.0.CFBundleURLSchemes.1'],
    ])
    expect(facts.usageDescriptions.map(({ key, text }) => [key, text])).toEqual([
      ['NSCameraUsageDescription', '用于扫描二维码'],
    ])
  })

  test('frameworks, extensions, libraries, privacy manifests, icons', () => {
    const list = (name: string) => writeXmlPlist({ CFBundleExecutable: name, CFBundleIdentifier: `org.${name}` })
    const { facts } = readIpa(
      ipa({
        [`${APP}Frameworks/Kit.framework/Info.plist`]: list('Kit'),
        [`${APP}Frameworks/Kit.framework/Kit`]: writeMacho({ fileType: 6, cryptId: 1 }),
        [`${APP}Frameworks/Kit.framework/PrivacyInfo.xcprivacy`]: writeXmlPlist({ NSPrivacyTracking: true }),
        [`${APP}Frameworks/libSmall.dylib`]: writeMacho({ fileType: 6 }),
        [`${APP}PlugIns/Share.appex/Info.plist`]: list('Share'),
        [`${APP}PlugIns/Share.appex/Share`]: writeMacho(),
        [`${APP}Icon60@2x.png`]: png(true),
        [`${APP}Icon60@3x.png`]: png(false),
        [`${APP}Other.png`]: png(false),
      }),
    )
    expect(facts.binaries.map(({ role, name, encrypted }) => [role, name, encrypted])).toEqual([
      ['main', 'App', false],
      ['framework', 'Kit', true],
      ['dylib', 'libSmall', false],
      ['extension', 'Share', false],
    ])
    expect([facts.frameworks, facts.extensions]).toEqual([['Kit'], ['Share']])
    expect(facts.privacyManifests.map(({ entry }) => entry)).toEqual([
      `${APP}Frameworks/Kit.framework/PrivacyInfo.xcprivacy`,
    ])
    expect(facts.icons.map(({ path, width, cgbi }) => [path, width, cgbi])).toEqual([
      [`${APP}Icon60@2x.png`, 120, true],
      [`${APP}Icon60@3x.png`, 120, false],
    ])
  })

  test('a provisioning profile states who may install the application', () => {
    const profiles: readonly { [key: string]: Written }[] = [
      { ProvisionsAllDevices: true },
      { ProvisionedDevices: ['a'], Entitlements: { 'get-task-allow': true } },
      { ProvisionedDevices: ['a', 'b'], Entitlements: { 'get-task-allow': false } },
      { Entitlements: {} },
    ]
    expect(profiles.map((values) => readProvision(profile(values)).kind)).toEqual([
      'enterprise',
      'development',
      'ad-hoc',
      'store',
    ])
    const whole = readProvision(
      profile({
        UUID: 'u',
        TeamIdentifier: ['T'],
        ExpirationDate: new Date(1_700_000_000_000),
        DeveloperCertificates: [signer.certificate, Buffer.from('broken')],
      }),
    )
    expect(whole).toMatchObject({
      uuid: 'u',
      teamIds: ['T'],
      expires: 1_700_000_000_000,
      notes: [{ key: 'certificate' }],
    })
    expect(whole.certificates.map(({ subject }) => subject)).toEqual(['CN=Apple Distribution, C=CN'])
    expect(whole.signedBy).toHaveLength(1)
  })

  test('a profile whose envelope is broken is read as it lies there', () => {
    const found = readProvision(Buffer.concat([Buffer.from('broken '), writeXmlPlist({ Name: 'Plain' })]))
    expect(found).toMatchObject({ name: 'Plain', signatureHolds: null, plistOffset: 7, notes: [{ key: 'envelope' }] })
    expect(keyOf(() => readProvision(Buffer.from('nothing')))).toBe('provision no-plist')
  })

  test('what is missing or odd has a named error or a note', () => {
    expect(keyOf(() => readIpa(writeZip([{ name: 'Payload/', data: '' }])))).toBe('ipa no-app')
    expect(keyOf(() => readIpa(writeZip([{ name: `${APP}Main`, data: 'x' }])))).toBe('ipa no-info')
    expect(keyOf(() => readIpa(ipa({ [`${APP}Info.plist`]: 'no list' })))).toBe('xml not-xml')
    const notes = (files: Record<string, Uint8Array | string>, base = info) =>
      readIpa(ipa(files, base)).facts.notes.map(({ key }) => key)
    expect(notes({}, { ...info, CFBundleExecutable: 'Gone' })).toEqual(['no-executable'])
    expect(notes({ [`${APP}Main`]: 'no program' })).toEqual(['binary-unreadable'])
    expect(notes({ [`${APP}embedded.mobileprovision`]: 'no profile' })).toEqual(['provision-unreadable'])
    expect(notes({ [`${APP}PrivacyInfo.xcprivacy`]: 'no list' })).toEqual(['plist-unreadable'])
    expect(notes({ 'Payload/Second.app/Info.plist': 'x' })).toEqual(['several-apps'])
    const nested = readIpa(
      writeZip([
        { name: `top/${APP}Info.plist`, data: writeXmlPlist(info) },
        { name: `__MACOSX/${APP}Info.plist`, data: 'x' },
      ]),
    )
    expect(nested.facts.notes.map(({ key }) => key)).toEqual(['payload-place', 'no-executable'])
    expect(plistText(nested.facts.info.node, 'CFBundleVersion')).toBe('45')
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const bytes = ipa({ [`${APP}embedded.mobileprovision`]: profile({ ProvisionedDevices: ['a'] }) })
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.constantFrom(0, 0, 0, 30), (changes, cut) => {
        keyOf(() => readIpa(mutate(bytes, changes, cut)))
      }),
      { numRuns: 200 },
    )
  })
})
