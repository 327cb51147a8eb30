import { createHash } from 'node:crypto'
import { signatureBlock, type TestSigner } from './apk/signer.ts'
import { type WrittenSignature, writeMacho } from './macho-writer.ts'
import { type Written, writeXmlPlist } from './plist-writer.ts'
import { writeZip } from './zip-writer.ts'

export type IpaFiles = Readonly<Record<string, Uint8Array>>

export const IPA_APP = 'Payload/App.app/'
const TEAM = 'TEAM123456'
const digest = (hash: string, bytes: Uint8Array) => createHash(hash).update(bytes).digest()
const list = (values: { [key: string]: Written }) => Buffer.from(writeXmlPlist(values))

/** What codesign would write of these files of a bundle. `rules`: those of old versions of Xcode, which the seal holds too. */
export function sealOf(files: IpaFiles, rules?: { [key: string]: Written }): Buffer {
  const names = Object.keys(files)
  return list({
    ...(rules && { rules }),
    files: Object.fromEntries(names.map((name) => [name, digest('sha1', files[name]!)])),
    files2: Object.fromEntries(
      names
        .filter((name) => name !== 'PkgInfo')
        .map((name) => [name, { hash: digest('sha1', files[name]!), hash2: digest('sha256', files[name]!) }]),
    ),
  })
}

/** Info.plist, executable and seal of a bundle, as files from its folder. */
export function signedBundle(
  name: string,
  files: IpaFiles,
  signer: TestSigner,
  signature: WrittenSignature = {},
  more: { [key: string]: Written } = {},
  rules?: { [key: string]: Written },
): Record<string, Uint8Array> {
  const info = list({ CFBundleIdentifier: `com.example.${name}`, CFBundleExecutable: name, ...more })
  const seal = sealOf(files, rules)
  const own = { signer, team: TEAM, slots: { 1: info, 3: seal }, ...signature }
  return {
    ...files,
    'Info.plist': info,
    [name]: writeMacho({ exports: ['_main'], signature: own }),
    '_CodeSignature/CodeResources': seal,
  }
}

/** A profile that lets this signer sign applications of its team. */
export function profileOf(signer: TestSigner, by: TestSigner, change: { [key: string]: Written } = {}): Buffer {
  const values = {
    Name: 'Profile',
    TeamIdentifier: [TEAM],
    DeveloperCertificates: [signer.certificate],
    Entitlements: { 'application-identifier': `${TEAM}.com.example.*` },
    ...change,
  }
  return signatureBlock(by, list(values), false, true)
}

/** All files of a signed application with a framework, names from the top of the archive. */
export function signedIpa(
  signer: TestSigner,
  {
    profile,
    more,
    signature,
    info,
    rules,
  }: {
    profile?: Uint8Array
    more?: IpaFiles
    signature?: WrittenSignature
    info?: { [key: string]: Written }
    rules?: { [key: string]: Written }
  } = {},
): Record<string, Uint8Array> {
  const kit = signedBundle('Kit', { 'data.json': Buffer.from('{}') }, signer)
  const inside: IpaFiles = {
    PkgInfo: Buffer.from('APPL????'),
    'zh.lproj/Main.strings': Buffer.from('你好'),
    ...prefixed('Frameworks/Kit.framework/', kit),
    ...(profile && { 'embedded.mobileprovision': profile }),
    ...more,
  }
  const entitlements = list({ 'application-identifier': `${TEAM}.com.example.Main` })
  return prefixed(IPA_APP, signedBundle('Main', inside, signer, { entitlements, ...signature }, info, rules))
}

export const ipaOf = (files: IpaFiles): Uint8Array =>
  writeZip(Object.entries(files).map(([name, data]) => ({ name, data })))

function prefixed(folder: string, files: IpaFiles): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [folder + name, bytes]))
}
