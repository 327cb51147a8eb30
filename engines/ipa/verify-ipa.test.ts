import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeSigner, type TestSigner } from '#tests/support/apk/signer.ts'
import { writeMacho } from '#tests/support/macho-writer.ts'
import { writeXmlPlist } from '#tests/support/plist-writer.ts'
import { IPA_APP, type IpaFiles, ipaOf, profileOf, sealOf, signedIpa } from '#tests/support/signed-ipa.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readIpa } from './read-ipa.ts'
import { type IpaVerification, verifyIpa } from './verify-ipa.ts'

vi.setConfig({ testTimeout: 60_000 })

let signer: TestSigner
let apple: TestSigner
let sound: Record<string, Uint8Array>
beforeAll(() => {
  signer = makeSigner('Apple Distribution', 'rsa')
  apple = makeSigner('Apple', 'rsa')
  sound = signedIpa(signer, { profile: profileOf(signer, apple) })
})

const verify = (files: IpaFiles): IpaVerification => {
  const { zip, facts } = readIpa(ipaOf(files))
  return verifyIpa(zip, facts)
}
const keysOf = ({ errors, warnings }: IpaVerification) => [...errors, ...warnings].map(({ key }) => key)
/** Its own root is not Apple's, and that is said of every one of them. */
const FOREIGN = 'IPA_NOT_APPLE'
const at = (name: string) => IPA_APP + name

describe('the signature of an iOS application', () => {
  test('holds over code, files and profile, and says who signed for which team', () => {
    const result = verify(sound)
    expect(result).toMatchObject({
      state: 'verified',
      code: 'verified',
      resources: 'verified',
      profile: 'verified',
      team: 'TEAM123456',
      errors: [],
    })
    expect(result.certificates.map(({ subject }) => subject)).toEqual(['CN=Apple Distribution, C=CN'])
    expect(keysOf(result)).toEqual([FOREIGN])
    expect(verify(signedIpa(signer))).toMatchObject({ state: 'verified', profile: 'absent' })
    // A folder with the name of one of a signature hides nothing.
    const hidden = { ...sound, [at('_CodeSignature/evil.dylib')]: Buffer.from('x') }
    expect(keysOf(verify(hidden))).toContain('IPA_FILE_NOT_SIGNED')
    // As the store delivers it, beside the application, and what no one seals.
    const delivered = {
      ...sound,
      'iTunesMetadata.plist': Buffer.from('x'),
      [at('SC_Info/Main.sinf')]: Buffer.from('x'),
    }
    expect(verify(delivered).state).toBe('verified')
    // The rules of a signature made before iOS 9 lie in the bundle and leave themselves out of it.
    expect(verify({ ...sound, [at('ResourceRules.plist')]: Buffer.from('x') }).state).toBe('verified')
  })

  test('[DET-03] a file that the sealed rules leave out by a part of its name belongs to the application, any other does not', () => {
    const rules = { '.*': true, 'Info.plist': { omit: true, weight: 10 } }
    const added = (name: string, more: { rules?: typeof rules } = { rules }) =>
      verify({ ...signedIpa(signer, more), [at(name)]: Buffer.from('x') })
    expect(added('Main.momd/VersionInfo.plist').state).toBe('verified')
    expect(added('en.lproj/A.storyboardc/Info.plist').state).toBe('verified')
    expect(keysOf(added('Main.momd/VersionInfo.plist', {}))).toContain('IPA_FILE_NOT_SIGNED')
    expect(keysOf(added('Info.plist.dylib'))).toContain('IPA_FILE_NOT_SIGNED')
    expect(keysOf(added('More.js'))).toContain('IPA_FILE_NOT_SIGNED')
    // Rules beside the seal decide nothing.
    const beside = {
      ...signedIpa(signer),
      [at('ResourceRules.plist')]: writeXmlPlist(rules),
      [at('AInfo.plist')]: Buffer.from('x'),
    }
    expect(keysOf(verify(beside))).toContain('IPA_FILE_NOT_SIGNED')
  })

  test.each<[string, IpaVerification['state'], string[], (files: Record<string, Uint8Array>) => IpaFiles]>([
    [
      'a file changed',
      'broken',
      ['IPA_FILE_CHANGED'],
      (f) => ({ ...f, [at('zh.lproj/Main.strings')]: Buffer.from('x') }),
    ],
    [
      'a file of the older list changed',
      'broken',
      ['IPA_FILE_CHANGED'],
      (f) => ({ ...f, [at('PkgInfo')]: Buffer.from('x') }),
    ],
    ['a file more', 'partial', ['IPA_FILE_NOT_SIGNED'], (f) => ({ ...f, [at('More.js')]: Buffer.from('x') })],
    [
      'another application beside it',
      'partial',
      ['IPA_FILE_NOT_SIGNED'],
      (f) => ({ ...f, 'Payload/B.app/B': Buffer.from('x') }),
    ],
    ['a file less', 'partial', ['IPA_FILE_MISSING'], ({ [at('zh.lproj/Main.strings')]: _, ...f }) => f],
    [
      'Info.plist changed',
      'broken',
      ['IPA_INFO_CHANGED'],
      (f) => ({
        ...f,
        [at('Info.plist')]: writeXmlPlist({ CFBundleExecutable: 'Main', CFBundleVersion: '2' }) as Buffer,
      }),
    ],
    [
      'the seal changed',
      'broken',
      ['IPA_SEAL_CHANGED'],
      (f) => ({ ...f, [at('_CodeSignature/CodeResources')]: sealOf({}) }),
    ],
    ['no seal', 'broken', ['IPA_SEAL_CHANGED'], ({ [at('_CodeSignature/CodeResources')]: _, ...f }) => f],
    [
      'code of a framework changed',
      'broken',
      ['IPA_CODE_CHANGED', 'IPA_FILE_CHANGED'],
      (f) => ({ ...f, [at('Frameworks/Kit.framework/Kit')]: flipped(f[at('Frameworks/Kit.framework/Kit')]!, 0x1004) }),
    ],
    ['the profile changed', 'broken', ['IPA_PROFILE_DID_NOT_VERIFY', 'IPA_FILE_CHANGED'], changedProfile],
    ['no executable', 'unknown', ['IPA_NO_EXECUTABLE'], ({ [at('Main')]: _, ...f }) => f],
    [
      'a signature that cannot be read',
      'broken',
      ['IPA_CODE_NOT_SIGNED'],
      (f) => ({ ...f, [at('Main')]: flipped(f[at('Main')]!, Buffer.from(f[at('Main')]!).indexOf('fade0cc0', 'hex')) }),
    ],
    ['no signature', 'unsigned', [], (f) => ({ ...f, [at('Main')]: writeMacho() })],
    ['no signer', 'unsigned', ['IPA_AD_HOC'], (f) => ({ ...f, [at('Main')]: writeMacho({ signature: {} }) })],
  ])('an IPA with %s has the state %s', (_name, state, keys, change) => {
    const result = verify(change(sound))
    expect(result.state).toBe(state)
    expect(keysOf(result).filter((key) => key !== FOREIGN)).toEqual(expect.arrayContaining(keys))
    if (state === 'partial') expect(result.errors).toEqual([])
  })

  test('code: another page, other entitlements, a signature of something else, parts that no directory names', () => {
    const of = (signature: Parameters<typeof signedIpa>[1]) => verify(signedIpa(signer, signature))
    expect(keysOf(of({ signature: { wrongPages: true } }))).toContain('IPA_CODE_CHANGED')
    const code = sound[at('Main')]!
    const text = Buffer.from(code).indexOf('com.example.Main</string>')
    expect(keysOf(verify({ ...sound, [at('Main')]: flipped(code, text) }))).toContain('IPA_PARTS_CHANGED')
    const directory = Buffer.from(code).indexOf(Buffer.from('fade0c02', 'hex'))
    const other = verify({ ...sound, [at('Main')]: flipped(code, directory + 15) })
    expect(other.state).toBe('broken')
    expect(keysOf(other)).toContain('IPA_SIGNATURE_DID_NOT_VERIFY')
    const two = of({ signature: { hashes: ['sha1', 'sha256'] } })
    expect([two.state, keysOf(two)]).toEqual(['verified', [FOREIGN]])
    const weak = of({ signature: { hashes: ['sha1'] } })
    expect([weak.state, keysOf(weak)]).toEqual(['verified', ['IPA_WEAK_DIGEST', FOREIGN]])
  })

  test('a profile of another signer, team or application, and one without a signature', () => {
    const other = makeSigner('Other')
    const keys = (...profile: Parameters<typeof profileOf>) => {
      const result = verify(signedIpa(signer, { profile: profileOf(...profile) }))
      expect([result.state, result.profile]).toEqual(['broken', 'broken'])
      return result.errors.map(({ key }) => key)
    }
    expect(keys(other, apple)).toEqual(['IPA_PROFILE_OTHER_SIGNER'])
    expect(keys(signer, apple, { TeamIdentifier: ['OTHER'] })).toEqual(['IPA_PROFILE_OTHER_TEAM'])
    const elsewhere = { Entitlements: { 'application-identifier': 'TEAM123456.com.other' } }
    expect(keys(signer, apple, elsewhere)).toEqual(['IPA_PROFILE_OTHER_APPLICATION'])
    const plain = writeXmlPlist({ DeveloperCertificates: [signer.certificate] })
    const bare = verify(signedIpa(signer, { profile: plain }))
    expect(bare.errors.map(({ key }) => key)).toEqual(['IPA_PROFILE_DID_NOT_VERIFY'])
  })

  test('code without a seal covers itself alone; a seal that cannot be read is not one', () => {
    const unsealed = verify(signedIpa(signer, { signature: { slots: {} } }))
    expect(unsealed).toMatchObject({ state: 'partial', code: 'verified', resources: 'partial' })
    expect(unsealed.warnings.filter(({ key }) => key === 'IPA_FILE_NOT_SIGNED').length).toBeGreaterThan(2)
    const broken = Buffer.from('no list')
    const files = signedIpa(signer, { signature: { slots: { 3: broken } } })
    const result = verify({ ...files, [at('_CodeSignature/CodeResources')]: broken })
    expect(keysOf(result)).toContain('IPA_SEAL_UNREADABLE')
  })

  test('nested code that a seal names by its code directory, links, optional files', () => {
    const kit = signedIpa(signer)[at('Frameworks/Kit.framework/Kit')]!
    const { facts } = readIpa(ipaOf(signedIpa(signer)))
    const nested = facts.binaries.find(({ role }) => role === 'framework')!
    const cdHash = Buffer.from(nested.macho.images[0]!.signature!.directories[0]!.cdHash, 'hex')
    const sealed = (hash: Uint8Array, link: string) => {
      const seal = Buffer.from(
        writeXmlPlist({
          files2: {
            'Frameworks/Kit.framework': { cdhash: hash, requirement: 'identifier' },
            'zh.lproj/Main.strings': { symlink: link },
            PkgInfo: { optional: true, hash2: Buffer.alloc(32) },
          },
        }),
      )
      const info = sound[at('Info.plist')]!
      const files = signedIpa(signer, { signature: { slots: { 1: info, 3: seal } } })
      const { [at('PkgInfo')]: _, ...rest } = files
      return verify({ ...rest, [at('_CodeSignature/CodeResources')]: seal, [at('Frameworks/Kit.framework/Kit')]: kit })
    }
    expect(keysOf(sealed(cdHash, '你好'))).toEqual([FOREIGN])
    expect(sealed(cdHash, '你好').state).toBe('verified')
    expect(sealed(Buffer.alloc(20), 'elsewhere').errors.map(({ key }) => key)).toEqual([
      'IPA_FILE_CHANGED',
      'IPA_FILE_CHANGED',
    ])
  })

  test('seals that name very many files, again in each bundle, are judged up to a limit', () => {
    const names = Array.from({ length: 15_000 }, (_, i) => `f${i}`)
    const digest = Buffer.alloc(32)
    const seal = Buffer.from(
      writeXmlPlist({ files2: Object.fromEntries(names.map((name) => [name, { hash2: digest }])) }),
    )
    const info = writeXmlPlist({ CFBundleExecutable: 'Kit' }) as Buffer
    const code = writeMacho({ signature: { signer, slots: { 1: info, 3: seal } } })
    const bundles = Array.from({ length: 40 }, (_, i) => at(`Frameworks/Kit${i}.framework/`))
    const inside = bundles.flatMap((folder) => [
      [`${folder}Info.plist`, info] as const,
      [`${folder}Kit`, code] as const,
      [`${folder}_CodeSignature/CodeResources`, seal] as const,
    ])
    const { zip, facts } = readIpa(ipaOf({ ...sound, ...Object.fromEntries(inside) }))
    const result = verifyIpa(zip, facts)
    expect(result.state).toBe('unknown')
    expect(keysOf(result)).toContain('IPA_LIMIT')
    expect(result.warnings.length).toBeLessThan(400)
  }, 120_000)

  test('a file that is there twice is refused', () => {
    const bytes = ipaOf({ ...sound, [at('zh.lproj/main.strings')]: Buffer.from('x') })
    // The same name once more, in both headers.
    const twice = Buffer.from(bytes)
    for (let i = twice.indexOf('main.strings'); i >= 0; i = twice.indexOf('main.strings', i + 1))
      twice.write('Main.strings', i)
    const { zip, facts } = readIpa(twice)
    expect(keysOf(verifyIpa(zip, facts))).toContain('IPA_DUPLICATE_ENTRY')
  })

  test('a flipped byte never verifies as something else, and never throws', () => {
    const bytes = ipaOf(sound)
    const was = verify(sound)
    const signers = (one: IpaVerification) => one.certificates.map(({ publicKey }) => publicKey.spki)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (offset, change) => {
        const copy = Buffer.from(bytes)
        copy[offset]! ^= change
        let result: IpaVerification
        try {
          const { zip, facts } = readIpa(copy)
          result = verifyIpa(zip, facts)
        } catch (error) {
          if (error instanceof FormatError) return
          throw error
        }
        if (result.state === 'verified') expect(signers(result)).toEqual(signers(was))
      }),
      { numRuns: 300 },
    )
  })
})

function changedProfile(files: Record<string, Uint8Array>): IpaFiles {
  const name = at('embedded.mobileprovision')
  return { ...files, [name]: flipped(files[name]!, Buffer.from(files[name]!).indexOf('Profile</string>')) }
}

function flipped(bytes: Uint8Array, offset: number): Uint8Array {
  const copy = Buffer.from(bytes)
  copy[offset]! ^= 1
  return copy
}
