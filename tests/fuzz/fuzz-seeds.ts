import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { KEY_STORE_FORMATS, writeKeyStore } from '#engines/keystore/write-key-store.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { der, octets, oid, sequence } from '#tests/support/apk/der-writer.ts'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { buildApk, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner, signatureBlock } from '#tests/support/apk/signer.ts'
import { writeClass } from '#tests/support/class-writer.ts'
import { SMALL_DEX } from '#tests/support/dex-program.ts'
import { writeDex } from '#tests/support/dex-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { arm64, writeMacho } from '#tests/support/macho-writer.ts'
import { Uid, type Written, writeBinaryPlist, writeXmlPlist } from '#tests/support/plist-writer.ts'
import {
  protoBoolean,
  protoNumber,
  protoReference,
  protoResources,
  protoString,
  protoXml,
} from '#tests/support/proto-writer.ts'
import { writeArsc, writeAxml } from '#tests/support/resource-writer.ts'
import { ipaOf, profileOf, signedIpa } from '#tests/support/signed-ipa.ts'
import { writeZip } from '#tests/support/zip-writer.ts'

const manifest = writeAxml({
  name: 'manifest',
  attributes: [
    { name: 'package', value: 'com.example' },
    { name: 'versionCode', id: 0x0101021b, value: [0x10, 7] },
  ],
  children: [
    { name: 'uses-sdk', attributes: [{ name: 'targetSdkVersion', id: 0x01010270, value: [0x10, 30] }] },
    {
      name: 'application',
      attributes: [
        { name: 'label', id: 0x01010001, value: [1, 0x7f010000] },
        { name: 'icon', id: 0x01010002, value: [1, 0x7f020000] },
      ],
      children: [
        {
          name: 'activity',
          attributes: [{ name: 'name', id: 0x01010003, value: '.Main' }],
          children: [
            {
              name: 'intent-filter',
              children: [
                { name: 'action', attributes: [{ name: 'name', id: 0x01010003, value: 'android.intent.action.MAIN' }] },
              ],
            },
          ],
        },
      ],
    },
  ],
})

const resources = writeArsc({
  types: [
    { name: 'string', entries: { 0: { key: 'app_name', value: 'App' }, 2: { key: 'other', value: [1, 0x7f010000] } } },
    { name: 'string', config: { language: 'zh', country: 'CN' }, entries: { 0: { key: 'app_name', value: '应用' } } },
    { name: 'mipmap', config: { density: 480 }, entries: { 0: { key: 'icon', value: 'res/icon.png' } } },
  ],
})

const info: Written = {
  CFBundleIdentifier: 'com.example.app',
  CFBundleExecutable: 'App',
  CFBundleShortVersionString: '1.0',
  MinimumOSVersion: '11.0',
  UIDeviceFamily: [1, 2],
  NSAppTransportSecurity: { NSAllowsArbitraryLoads: true },
  CFBundleURLTypes: [{ CFBundleURLSchemes: ['app'] }],
  CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['Icon'] } },
  NSCameraUsageDescription: '拍照',
}

const values: Written = {
  text: 'a',
  wide: '中文',
  list: [1, -1, 2n ** 63n, 1.5, true, null],
  date: new Date(1e12),
  data: Buffer.from('data'),
  uid: new Uid(3),
}

const signer = makeSigner('Fuzz')
const rsa = makeSigner('Fuzz', 'rsa')

/** A signed message that contains its content, as a provisioning profile does. */
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

const profile = envelope(
  writeXmlPlist({
    Name: 'Profile',
    UUID: 'x',
    ProvisionedDevices: ['d'],
    ExpirationDate: new Date(1e12),
    DeveloperCertificates: [signer.certificate],
    Entitlements: { 'get-task-allow': true },
  }),
)

const macho = writeMacho({
  imports: ['_objc_msgSend', '_CCCrypt', '?_OBJC_CLASS_$_UIWebView'],
  exports: ['_main'],
  locals: ['_local'],
  strings: ['text', 'http://example.com/'],
  selectors: ['setText:'],
  classes: { Controller: { viewDidLoad: 0 } },
  dylibs: [['/usr/lib/libobjc.A.dylib'], ['@rpath/A.framework/A', 0x80000018]],
  rpaths: ['@executable_path/Frameworks'],
  functions: [
    (at) => {
      const words = arm64.load(1, at.selectorReference('setText:'), at.here)
      words.push(
        ...arm64.address(2, at.constant('text'), at.here + 8),
        arm64.call(at.stub('_objc_msgSend'), at.here + 16),
      )
      return words
    },
  ],
  signature: { team: 'TEAM', hashes: ['sha1', 'sha256'], entitlements: writeXmlPlist({ 'get-task-allow': true }) },
})

const bundleManifest = protoXml({
  name: 'manifest',
  attributes: [
    { name: 'package', value: 'com.example' },
    { name: 'versionCode', id: 0x0101021b, value: '7', item: protoNumber(7) },
  ],
  children: [
    {
      name: 'application',
      attributes: [
        { name: 'label', id: 0x01010001, item: protoReference(0x7f010000) },
        { name: 'debuggable', id: 0x0101000f, item: protoBoolean(true) },
      ],
      text: ' ',
    },
  ],
})
const bundleResources = protoResources([
  { type: 'string', typeId: 1, entries: [{ name: 'app_name', id: 0, values: [{ item: protoString('App') }] }] },
])

const code = writeClass({
  name: 'a/Main',
  annotations: ['La/Mark;'],
  fields: [{ name: 'KEY:Ljava/lang/String;', value: 'x' }],
  methods: [
    {
      name: 'run(I)V',
      lines: [[0, 1]],
      tries: [[0, 3, 3]],
      // ldc, pop, iload_1, tableswitch, return.
      code: (x) => [
        0x12,
        x.string('text'),
        0x57,
        0x1b,
        0xaa,
        0,
        0,
        0,
        ...Array<number>(3).fill(0),
        20,
        ...Array<number>(12).fill(0),
        0xb1,
        0xb1,
      ],
    },
  ],
})
const apk = writeZip([
  { name: 'AndroidManifest.xml', data: manifest },
  { name: 'resources.arsc', data: resources, deflate: false },
  { name: 'classes.dex', data: SMALL_DEX },
  { name: 'res/icon.png', data: 'png' },
  { name: 'lib/arm64-v8a/liba.so', data: 'elf' },
])
const ipa = writeZip([
  { name: 'Payload/App.app/Info.plist', data: writeBinaryPlist(info) },
  { name: 'Payload/App.app/App', data: macho },
  { name: 'Payload/App.app/embedded.mobileprovision', data: profile },
  { name: 'Payload/App.app/Frameworks/A.framework/Info.plist', data: writeXmlPlist({ CFBundleExecutable: 'A' }) },
  {
    name: 'Payload/App.app/Icon.png',
    data: Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex'),
  },
])
const files = { 'AndroidManifest.xml': manifest, 'a.txt': Buffer.from('text') }

const made = makeKey('Fuzz')
const signedWith = (...schemes: SigningScheme[]): Buffer => {
  const request = { key: made.key, alias: 'fuzz', minSdk: 21, createdBy: 'fuzz', schemes: new Set(schemes) }
  return Buffer.concat(signApk(readZip(apk), request).pieces)
}

/** Where each fuzzer begins: sound inputs made by code. */
export const FUZZ_SEEDS: Readonly<Record<string, readonly Uint8Array[]>> = {
  zip: [
    writeZip([
      { name: 'a.txt', data: 'text' },
      { name: 'b', data: Buffer.alloc(100) },
    ]),
    apk,
  ],
  axml: [manifest],
  arsc: [resources],
  apk: [apk],
  'dex-edit': [SMALL_DEX, writeDexFiles(readDexModels(writeDex([{ name: 'La/Main;' }]))[0]!)[0]!],
  dex: [SMALL_DEX, writeDex([{ name: 'La/Main;' }], { version: '041' })],
  jvm: [code],
  elf: [
    writeElf(),
    writeElf({
      needed: ['libc.so'],
      imports: ['memcpy'],
      exports: ['f'],
      buildId: 'a1b2c3d4',
      relro: true,
      sections: { '.rodata': Buffer.from('some text\0') },
    }),
  ],
  plist: [writeBinaryPlist(values), writeBinaryPlist(info), writeXmlPlist(info)],
  xml: [
    Buffer.from('<?xml version="1.0"?><!DOCTYPE a><a x="1" y=\'&lt;\'><!-- c --><b>t&amp;&#65;</b><![CDATA[<]]></a>'),
    writeXmlPlist(info),
  ],
  macho: [macho],
  mobileprovision: [profile],
  ipa: [ipa, ipaOf(signedIpa(rsa, { profile: profileOf(rsa, rsa) }))],
  'proto-xml': [bundleManifest],
  'proto-resources': [bundleResources],
  package: [
    apk,
    ipa,
    writeZip([
      { name: 'base/manifest/AndroidManifest.xml', data: bundleManifest },
      { name: 'base/resources.pb', data: bundleResources },
      { name: 'base/dex/classes.dex', data: SMALL_DEX },
    ]),
    writeZip([
      { name: 'base.apk', data: apk, deflate: false },
      { name: 'split_config.fr.apk', data: apk, deflate: false },
    ]),
    writeZip([
      {
        name: 'AndroidManifest.xml',
        data: '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a"><uses-sdk android:minSdkVersion="21"/></manifest>',
      },
      { name: 'classes.jar', data: writeZip([{ name: 'a/Main.class', data: code }]), deflate: false },
    ]),
  ],
  scan: [apk, ipa],
  'key-store': KEY_STORE_FORMATS.map((format) =>
    writeKeyStore(format, {
      entry: made.entry,
      passwords: { store: 'password' },
      random: (count) => Buffer.alloc(count, 7),
      now: 0,
      iterations: 5,
    }),
  ),
  'channel-tail': [signedWith('v1', 'v2', 'v3'), signedWith('v1')],
  'axml-edit': [manifest],
  x509: [signer.certificate],
  cms: [
    signatureBlock(signer, Buffer.from('file'), true),
    signatureBlock(makeSigner('Fuzz', 'pss'), Buffer.from('file')),
    profile,
  ],
  signing: [buildApk(withV1(files, signer))],
  listing: [
    Buffer.from(
      '<!doctype html><meta charset="gb2312"><div class=list><div><h3>A &amp; B</h3><a href="/app/1"><b>x</b></a><i>1</i><i>v2.0</i></div></div><script>var a = "</div>"</script><li class="app">y',
    ),
    Buffer.from('callback({"data":{"list":[{"name":"A","info":[1,{"x":null}]}]}});'),
    Buffer.from(
      '<?xml version="1.0" encoding="utf-8"?><rss><item><title><![CDATA[A]]></title><link>http://m/1</link><enclosure url="/1.apk"/></item></rss>',
    ),
    Buffer.from('<urlset><url><loc>http://m/app/1</loc></url></urlset>'),
    Buffer.from('User-agent: *\nDisallow: /a*b$ # no\nAllow: /app/\nCrawl-delay: 2\n'),
  ],
  'listing-rules': [
    Buffer.from('div.list > div:nth-child(1) a[href^="/app"], li.app\n([\\d.]+)\n手机 bank'),
    Buffer.from('data.list[*].info[1].x\n(?i)a|b{1,3}\n銀行'),
    Buffer.from('#a ~ b + c:not(.d):first-child [e*="f" i]\n^v?(\\d+)$\n'),
  ],
  jar: [buildApk(withV1({ 'a/B.class': code, 'META-INF/services/a': Buffer.from('a.B') }, signer))],
}
