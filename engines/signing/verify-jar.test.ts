import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApk, type Files, withV1 } from '#tests/support/apk/signed-apk.ts'
import { alsoBy, JAR_FILES as files, signJarAs } from '#tests/support/apk/signed-jar.ts'
import { makeSigner, signatureBlock, type TestSigner } from '#tests/support/apk/signer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readZip } from '../zip/read-zip.ts'
import type { SignatureState } from './signing-facts.ts'
import { verifyApk } from './verify-apk.ts'
import { type JarVerification, verifyJar } from './verify-jar.ts'

vi.setConfig({ testTimeout: 120_000 })

let one: TestSigner
let two: TestSigner
let rsa: TestSigner

beforeAll(() => {
  one = makeSigner('one')
  two = makeSigner('two')
  rsa = makeSigner('rsa', 'rsa')
})

const verify = (content: Files): JarVerification => verifyJar(readZip(buildApk(content)))
const keysOf = ({ errors, warnings }: JarVerification) => [...errors, ...warnings].map(({ key }) => key)
const text = (content: Uint8Array | undefined): string => Buffer.from(content ?? []).toString()
const keysIn = ({ certificates }: JarVerification) => certificates.map(({ publicKey }) => publicKey.spki)
const digest = (content: Uint8Array, kind = 'sha256') => createHash(kind).update(content).digest('base64')

/** Signs what the signature file says, whatever that is. */
const signedAs = (content: Files, manifest: string, signatureFile: string, signer = one, name = 'CERT'): Files =>
  signJarAs(content, manifest, signatureFile, signer, name)

describe('JAR signature of what no Android verifies', () => {
  test('holds over all entries, META-INF/services too, and says who signed', () => {
    for (const signer of [one, rsa])
      for (const attributes of [false, true]) {
        const result = verify(withV1(files, signer, { attributes }))
        expect(result).toMatchObject({ state: 'verified', errors: [], warnings: [], uncovered: [], uncoveredCount: 0 })
        expect(result.certificates.map(({ subject }) => subject)).toEqual([
          `CN=${signer === one ? 'one' : 'rsa'}, C=CN`,
        ])
      }
  })

  test.each<[string, SignatureState, string[], (signed: Files) => Files]>([
    ['nothing of a signature', 'unsigned', [], () => files],
    ['a manifest alone', 'unsigned', [], (s) => ({ ...files, 'META-INF/MANIFEST.MF': s['META-INF/MANIFEST.MF']! })],
    [
      'an entry that was changed',
      'broken',
      ['JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY'],
      (s) => ({ ...s, 'a/Main.class': Buffer.from('other') }),
    ],
    [
      'a service that was changed',
      'broken',
      ['JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY'],
      (s) => ({ ...s, 'META-INF/services/a.Service': Buffer.from('evil.Main') }),
    ],
    [
      'entries more',
      'partial',
      ['JAR_SIG_ZIP_ENTRY_NOT_SIGNED', 'JAR_SIG_ZIP_ENTRY_NOT_SIGNED'],
      (s) => ({ ...s, 'a/More.class': Buffer.from('x'), 'META-INF/services/b': Buffer.from('x') }),
    ],
    [
      'an entry less',
      'partial',
      ['JAR_SIG_MISSING_ZIP_ENTRY_REFERENCED_IN_MANIFEST'],
      ({ 'a/Main.class': _, ...s }) => s,
    ],
    ['no manifest', 'broken', ['JAR_SIG_NO_MANIFEST'], ({ 'META-INF/MANIFEST.MF': _, ...s }) => s],
    ['no signature block', 'broken', ['JAR_SIG_NO_SIGNATURES'], ({ 'META-INF/CERT.RSA': _, ...s }) => s],
    [
      'no signature file',
      'broken',
      ['JAR_SIG_NO_SIGNATURES', 'JAR_SIG_MISSING_FILE'],
      ({ 'META-INF/CERT.SF': _, ...s }) => s,
    ],
    [
      'another signature file',
      'broken',
      ['JAR_SIG_DID_NOT_VERIFY'],
      (s) => ({ ...s, 'META-INF/CERT.SF': Buffer.from('Signature-Version: 1.0\n\n') }),
    ],
    ['no PKCS#7', 'broken', ['JAR_SIG_PARSE_EXCEPTION'], (s) => ({ ...s, 'META-INF/CERT.RSA': Buffer.from('0') })],
    [
      'a section more in the manifest',
      'partial',
      ['JAR_SIG_NO_MANIFEST_DIGEST_IN_SIG_FILE']
        .slice(1)
        .concat(['JAR_SIG_ZIP_ENTRY_NOT_SIGNED', 'JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY']),
      (s) => ({
        ...s,
        'a/More.class': Buffer.from('x'),
        'META-INF/MANIFEST.MF': Buffer.from(
          `${text(s['META-INF/MANIFEST.MF'])}Name: a/More.class\r\nSHA-256-Digest: ${digest(Buffer.from('x'))}\r\n\r\n`,
        ),
      }),
    ],
    [
      'the main section changed',
      'verified',
      ['JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY'],
      (s) => ({
        ...s,
        'META-INF/MANIFEST.MF': Buffer.from(text(s['META-INF/MANIFEST.MF']).replace('1.0\r\n', '1.0\r\nX: y\r\n')),
      }),
    ],
    [
      'a section changed',
      'broken',
      ['JAR_SIG_MANIFEST_SECTION_DIGEST_DID_NOT_VERIFY', 'JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY'],
      (s) => ({
        ...s,
        'META-INF/MANIFEST.MF': Buffer.from(
          text(s['META-INF/MANIFEST.MF']).replace('Main.class\r\n', 'Main.class\r\nX: y\r\n'),
        ),
      }),
    ],
  ])('a JAR signature with %s has the state %s', (_name, state, keys, change) => {
    const result = verify(change(withV1(files, one)))
    expect(result.state).toBe(state)
    expect(keysOf(result).sort()).toEqual([...keys].sort())
    expect(result.certificates.length).toBe(state === 'verified' || state === 'partial' ? 1 : 0)
  })

  test('several signers: all must hold, and each entry is covered by one of them', () => {
    const signed = alsoBy(two, withV1(files, one))
    const both = verify(signed)
    expect(both.state).toBe('verified')
    expect(both.certificates.map(({ subject }) => subject)).toEqual(['CN=one, C=CN', 'CN=two, C=CN'])
    // The second one answers for one file, the first for all.
    expect(verify(alsoBy(two, withV1(files, one), 'a/Main.class')).state).toBe('verified')
    expect(verify({ ...signed, 'META-INF/OTHER.RSA': signatureBlock(two, Buffer.from('other')) }).state).toBe('broken')
    const many = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) =>
        ['SF', 'RSA'].map((end) => [`META-INF/S${i}.${end}`, signed[`META-INF/CERT.${end}`]!] as const),
      ).flat(),
    )
    expect(keysOf(verify({ ...signed, ...many }))).toEqual(['JAR_SIG_MAX_SIGNATURES_EXCEEDED'])
  })

  test('names of signature files count in any case, as Java has it', () => {
    const { 'META-INF/CERT.SF': file, 'META-INF/CERT.RSA': block, ...rest } = withV1(files, one)
    expect(verify({ ...rest, 'META-INF/cert.sf': file!, 'META-INF/Cert.rsa': block! }).state).toBe('verified')
  })

  test('SHA-1 holds with a warning; MD5 is what Java takes as unsigned; unknown algorithms are not judged', () => {
    const weak = verify(withV1(files, one, { digest: 'sha1' }))
    expect([weak.state, keysOf(weak)]).toEqual(['verified', ['JAR_SIG_WEAK_DIGEST']])
    const md5 = (content: Uint8Array) => digest(content, 'md5')
    const sections = Object.entries(files).map(
      ([name, content]) => `Name: ${name.slice(0, 60)}\r\nMD5-Digest: ${md5(content)}\r\n\r\n`,
    )
    const manifest = `Manifest-Version: 1.0\r\n\r\n${sections.join('')}`
    const file = `Signature-Version: 1.0\r\nMD5-Digest-Manifest: ${md5(Buffer.from(manifest))}\r\n\r\n${sections.join('')}`
    expect(verify(signedAs(files, manifest, file)).state).toBe('broken')
    const small = verify(withV1(files, makeSigner('small', 'rsa', { bits: 768 })))
    expect([small.state, keysOf(small)]).toEqual(['broken', ['JAR_SIG_DISABLED_ALGORITHM']])
    const signed = withV1(files, rsa)
    // An unknown hash number in place of SHA-256.
    const unknown = Buffer.from(signed['META-INF/CERT.RSA'] ?? [])
    const at = unknown.lastIndexOf(Buffer.from('608648016503040201', 'hex'))
    unknown[at + 8] = 99
    const result = verify({ ...signed, 'META-INF/CERT.RSA': unknown })
    expect([result.state, keysOf(result)]).toEqual(['unknown', ['JAR_SIG_UNSUPPORTED_SIG_ALG']])
  })

  test('a signed statement that contradicts the manifest is no signature', () => {
    const signed = withV1(files, one)
    const manifest = text(signed['META-INF/MANIFEST.MF'])
    const file = text(signed['META-INF/CERT.SF'])
    const [head, ...sections] = file.split('\r\n\r\n')
    const wrong: [string, string][] = [
      [
        'JAR_SIG_MANIFEST_MAIN_SECTION_DIGEST_DID_NOT_VERIFY',
        file.replace('\r\n\r\n', `\r\nSHA-256-Digest-Manifest-Main-Attributes: ${digest(Buffer.from('x'))}\r\n\r\n`),
      ],
      ['JAR_SIG_DUPLICATE_SIG_FILE_SECTION', [head, sections[0], ...sections].join('\r\n\r\n')],
      ['JAR_SIG_UNNNAMED_SIG_FILE_SECTION', [head, 'X: y', ...sections].join('\r\n\r\n')],
      ['JAR_SIG_NO_ZIP_ENTRY_DIGEST_IN_SIG_FILE', `Signature-Version: 1.0\r\n\r\nName: a/Main.class\r\n\r\n`],
      ['JAR_SIG_MISSING_VERSION_ATTR_IN_SIG_FILE', file.replace('Signature-Version', 'Version')],
    ]
    for (const [key, other] of wrong) {
      const result = verify(signedAs(files, manifest, other))
      expect([result.state, keysOf(result)]).toEqual(['broken', expect.arrayContaining([key])])
    }
  })

  test('a manifest with a section twice, without name, or without digest is refused', () => {
    const signed = withV1(files, one)
    const manifest = text(signed['META-INF/MANIFEST.MF'])
    const [head, ...sections] = manifest.split('\r\n\r\n')
    const wrong: [string, string][] = [
      ['JAR_SIG_DUPLICATE_MANIFEST_SECTION', [head, sections[1], ...sections].join('\r\n\r\n')],
      ['JAR_SIG_UNNNAMED_MANIFEST_SECTION', [head, 'X: y', ...sections].join('\r\n\r\n')],
      [
        'JAR_SIG_NO_ZIP_ENTRY_DIGEST_IN_MANIFEST',
        manifest.replace(/Name: a\/Main.class\r\nSHA-256-Digest/, 'Name: a/Main.class\r\nX-Digest'),
      ],
    ]
    for (const [key, other] of wrong) {
      const file = `Signature-Version: 1.0\r\nSHA-256-Digest-Manifest: ${digest(Buffer.from(other))}\r\n\r\n${other.slice(other.indexOf('Name:'))}`
      const result = verify(signedAs(files, other, file))
      expect([result.state, keysOf(result)]).toEqual(['broken', expect.arrayContaining([key])])
    }
  })

  test('manifests that are huge in lines, continuations or one section end at once', () => {
    const huge: [string, SignatureState][] = [
      ['a\n\n'.repeat(1_500_000), 'unknown'],
      [`a: ${'b\n '.repeat(1_500_000)}`, 'unknown'],
      ['x: y\n'.repeat(1_500_000), 'unknown'],
      [`Name: a\n${'x'.repeat(15_000_000)}`, 'broken'],
    ]
    for (const [manifest, state] of huge) {
      const content = signedAs(files, `Manifest-Version: 1.0\n\n${manifest}`, 'Signature-Version: 1.0\n\n')
      const begin = performance.now()
      expect(verify(content).state).toBe(state)
      expect(performance.now() - begin).toBeLessThan(10_000)
    }
  })

  test.each(['pss', 'ed25519', 'ed448'] as const)('%s: holds, not over something else, and not by Android', (kind) => {
    const signer = makeSigner(kind, kind)
    for (const attributes of [false, true]) {
      const signed = withV1(files, signer, { attributes })
      const result = verify(signed)
      expect([result.state, keysOf(result)]).toEqual(['verified', []])
      expect(result.certificates.map(({ subject }) => subject)).toEqual([`CN=${kind}, C=CN`])
      const file = Buffer.from(`${text(signed['META-INF/CERT.SF'])}\r\n`)
      expect(keysOf(verify({ ...signed, 'META-INF/CERT.SF': file }))).toEqual(['JAR_SIG_DID_NOT_VERIFY'])
      const { errors } = verifyApk(buildApk(signed), { minSdk: 24 })
      expect(errors.map(({ key }) => key)).toContain('JAR_SIG_UNSUPPORTED_SIG_ALG')
    }
  })

  test('RSASSA-PSS whose mask has another hash is not judged', () => {
    const signed = withV1(files, makeSigner('pss', 'pss'))
    const block = Buffer.from(signed['META-INF/CERT.RSA'] ?? [])
    // MGF1 with SHA-384.
    const mask = block.indexOf(Buffer.from('06092a864886f70d010108', 'hex'))
    block[block.indexOf(Buffer.from('0609608648016503040201', 'hex'), mask) + 10] = 2
    const result = verify({ ...signed, 'META-INF/CERT.RSA': block })
    expect([result.state, keysOf(result)]).toEqual(['unknown', ['JAR_SIG_UNSUPPORTED_SIG_ALG']])
  })

  test('an entry that is there twice is refused', () => {
    const entries = Object.entries(withV1(files, one)).map(([name, data]) => ({ name, data }))
    const zip = readZip(writeZip([...entries, { name: 'a/Main.class', data: Buffer.from('other') }]))
    expect([verifyJar(zip).state, keysOf(verifyJar(zip))]).toEqual(['broken', ['JAR_SIG_DUPLICATE_ZIP_ENTRY']])
  })

  test('a flipped byte never verifies as something else, and never throws', () => {
    const sound = buildApk(withV1({ 'a/Main.class': Buffer.from('some code') }, one))
    const was = verifyJar(readZip(sound))
    fc.assert(
      fc.property(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(sound)
        bytes[at]! ^= change
        let result: JarVerification
        try {
          result = verifyJar(readZip(bytes))
        } catch {
          return
        }
        // Of the certificate the signature says the key alone; that of its issuer, or its own, is not asked.
        if (result.state === 'verified') expect(keysIn(result)).toEqual(keysIn(was))
      }),
      { numRuns: 800 },
    )
  })
})
