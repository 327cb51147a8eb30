import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  buildApk,
  type ContentDigests,
  type Files,
  idsigOf,
  lineageOf,
  schemeBlock,
  u32,
  withV1,
} from '#tests/support/apk/signed-apk.ts'
import { makeSigner, type TestSigner } from '#tests/support/apk/signer.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { ANY_LATER_SDK } from './signing-facts.ts'
import { type ApkVerification, type VerifyOptions, verifyApk } from './verify-apk.ts'

// Flipping every byte takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const V2 = 0x7109871a
const V3 = 0xf05368c0
const V31 = 0x1b93ad61
const STRIPPING_PROTECTION = 0xbeeff00d
const PROOF_OF_ROTATION = 0x3ba06f8c
const ROTATION_MIN_SDK = 0x559f8b02
const INT = 0x10

let one: TestSigner
let two: TestSigner
let rsa: TestSigner
let files: Files

const manifest = (versions: { min?: number; target?: number; sandbox?: number }): Uint8Array => {
  const attribute = (name: string, id: number, value: number | undefined) =>
    value === undefined ? [] : [{ name, id, value: [INT, value] as const }]
  return writeAxml({
    name: 'manifest',
    attributes: attribute('targetSandboxVersion', 0x0101054c, versions.sandbox),
    children: [
      {
        name: 'uses-sdk',
        attributes: [
          ...attribute('minSdkVersion', 0x0101020c, versions.min),
          ...attribute('targetSdkVersion', 0x01010270, versions.target),
        ],
      },
    ],
  })
}

beforeAll(() => {
  one = makeSigner('one')
  two = makeSigner('two')
  rsa = makeSigner('rsa', 'rsa')
  files = {
    'AndroidManifest.xml': manifest({ min: 21, target: 29 }),
    'classes.dex': Buffer.from('some code '.repeat(400)),
    [`res/${'long-name-'.repeat(12)}.txt`]: Buffer.from('text'),
  }
})

const keysOf = ({ errors }: ApkVerification) => errors.map(({ key }) => key)
const verify = (apk: Uint8Array, options: VerifyOptions = {}) => verifyApk(apk, options)
const v2 = (signer: TestSigner, attributes: [number, Buffer][] = []) => schemeBlock(V2, { signer, attributes })
const v3 = (signer: TestSigner, attributes: [number, Buffer][] = [], sdk: [number, number] = [28, ANY_LATER_SDK]) =>
  schemeBlock(V3, { signer, attributes, sdk })

describe('v1', () => {
  test('a JAR signature over all entries verifies, with and without signed attributes', () => {
    for (const signer of [one, rsa])
      for (const attributes of [false, true]) {
        const result = verify(buildApk(withV1(files, signer, { attributes })))
        expect(keysOf(result)).toEqual([])
        expect(result).toMatchObject({ verified: true, minSdk: 21, schemes: { v1: { verified: true } } })
        expect(result.certificates[0]?.subject).toBe(`CN=${signer === one ? 'one' : 'rsa'}, C=CN`)
      }
  })

  test.each<[string, string, (signed: Files) => Files]>([
    [
      'an entry that was changed',
      'JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY',
      (s) => ({ ...s, 'classes.dex': Buffer.from('other') }),
    ],
    ['an entry more', 'JAR_SIG_NO_ZIP_ENTRY_DIGEST_IN_MANIFEST', (s) => ({ ...s, 'assets/x': Buffer.from('x') })],
    ['no manifest', 'JAR_SIG_NO_MANIFEST', ({ 'META-INF/MANIFEST.MF': _, ...s }) => s],
    ['no signature block', 'JAR_SIG_NO_SIGNATURES', ({ 'META-INF/CERT.RSA': _, ...s }) => s],
    ['an entry less', 'JAR_SIG_MISSING_ZIP_ENTRY_REFERENCED_IN_MANIFEST', ({ 'classes.dex': _, ...s }) => s],
    [
      'another signature file',
      'JAR_SIG_DID_NOT_VERIFY',
      (s) => ({ ...s, 'META-INF/CERT.SF': Buffer.from('Signature-Version: 1.0\n\n') }),
    ],
    ['no signature block at all', 'JAR_SIG_PARSE_EXCEPTION', (s) => ({ ...s, 'META-INF/CERT.RSA': Buffer.from('0') })],
  ])('a v1 signature with %s is refused with %s', (_name, key, change) => {
    const result = verify(buildApk(change(withV1(files, one))))
    expect(result.verified).toBe(false)
    expect(keysOf(result)).toContain(key)
  })

  test('a changed manifest section is seen by the signature file, section by section', () => {
    const signed = withV1(files, one)
    const text = Buffer.from(signed['META-INF/MANIFEST.MF'] ?? []).toString()
    const changed = Buffer.from(text.replace('Name: classes.dex\r\n', 'Name: classes.dex\r\nX: y\r\n'))
    expect(keysOf(verify(buildApk({ ...signed, 'META-INF/MANIFEST.MF': changed })))).toEqual([
      'JAR_SIG_MANIFEST_SECTION_DIGEST_DID_NOT_VERIFY',
    ])
  })

  test('files of META-INF are not protected, and that is said', () => {
    const result = verify(buildApk({ ...withV1(files, one), 'META-INF/services/x': Buffer.from('x') }))
    expect(result.verified).toBe(true)
    expect(result.warnings.map(({ key }) => key)).toEqual(['JAR_SIG_UNPROTECTED_ZIP_ENTRY'])
  })

  test('code before the archive (Janus) is noted: v1 does not see it', () => {
    const apk = buildApk(withV1(files, one))
    const code = Buffer.from('dex\n035\0')
    const janus = Buffer.concat([code, apk])
    const directory = apk.readUInt32LE(apk.length - 6)
    janus.writeUInt32LE(directory + code.length, janus.length - 6)
    for (let at = directory + code.length; janus.readUInt32LE(at) === 0x02014b50; ) {
      janus.writeUInt32LE(janus.readUInt32LE(at + 42) + code.length, at + 42)
      at += 46 + janus.readUInt16LE(at + 28)
    }
    const result = verify(janus)
    expect(result.verified).toBe(true)
    expect(result.warnings.map(({ key }) => key)).toEqual(['JANUS'])
  })

  test('a certificate that is not for signing is refused', () => {
    expect(keysOf(verify(buildApk(withV1(files, makeSigner('encryption only', 'ec', { keyUsage: 0x20 })))))).toEqual([
      'JAR_SIG_VERIFY_EXCEPTION',
    ])
    expect(verify(buildApk(withV1(files, makeSigner('signing', 'ec', { keyUsage: 0x80 })))).verified).toBe(true)
  })

  test('algorithms count by Android version: ECDSA is known since 4.3', () => {
    const apk = buildApk(withV1(files, one))
    expect(keysOf(verify(apk, { minSdk: 17 }))).toContain('JAR_SIG_UNSUPPORTED_SIG_ALG')
    expect(verify(apk, { minSdk: 18 }).verified).toBe(true)
  })

  test('a stripped later signature is missed by Android 7 and later', () => {
    const apk = buildApk(withV1(files, one, { signedWith: '2, 3' }))
    expect(keysOf(verify(apk))).toEqual(['JAR_SIG_MISSING_APK_SIG_REFERENCED', 'JAR_SIG_MISSING_APK_SIG_REFERENCED'])
    expect(verify(apk, { maxSdk: 23 }).verified).toBe(true)
  })
})

describe('v2', () => {
  test.each([
    ['ECDSA', [0x0201]],
    ['ECDSA with SHA-512', [0x0202]],
    ['RSA', [0x0103, 0x0104]],
    ['RSA-PSS', [0x0101, 0x0102]],
    ['RSA with verity', [0x0103, 0x0421]],
    ['with an algorithm from the future', [0x0201, 0x7777]],
  ])('a v2 signature with %s verifies', (name, algorithms) => {
    const block = schemeBlock(V2, { signer: name.startsWith('RSA') ? rsa : one, algorithms })
    const result = verify(buildApk(files, [block], true), { minSdk: 24 })
    expect(keysOf(result)).toEqual([])
    expect(result.schemes.v2.verified).toBe(true)
  })

  test('a v2 signature covers content of several chunks', () => {
    const apk = buildApk(
      { ...files, big: randomBytes(2.5 * 1024 * 1024) },
      [schemeBlock(V2, { signer: rsa, algorithms: [0x0103, 0x0104, 0x0421] })],
      true,
    )
    expect(verify(apk, { minSdk: 24 }).verified).toBe(true)
    apk[1_500_000]! ^= 1
    expect(keysOf(verify(apk, { minSdk: 24 }))).toContain('V2_SIG_APK_DIGEST_DID_NOT_VERIFY')
  })

  test('without v1 it does not do for versions before 7', () => {
    const apk = buildApk(files, [v2(one)])
    expect(keysOf(verify(apk))).toEqual(['JAR_SIG_NO_MANIFEST'])
    expect(verify(apk, { minSdk: 24 }).verified).toBe(true)
  })

  test('v1 and v2 must have the same signers', () => {
    expect(verify(buildApk(withV1(files, one, { signedWith: '2' }), [v2(one)])).verified).toBe(true)
    const mixed = verify(buildApk(withV1(files, one), [v2(two)]))
    expect(keysOf(mixed).sort()).toEqual(['JAR_SIG_MISSING', 'V2_SIG_MISSING'])
  })

  test('a stripped v3 signature is missed', () => {
    const apk = buildApk(files, [v2(one, [[STRIPPING_PROTECTION, u32(3)]])])
    expect(keysOf(verify(apk, { minSdk: 24 }))).toEqual(['V2_SIG_MISSING_APK_SIG_REFERENCED'])
    expect(verify(apk, { minSdk: 24, maxSdk: 27 }).verified).toBe(true)
  })

  test('a certificate for another key is refused', () => {
    const forged = { ...one, certificate: two.certificate }
    expect(keysOf(verify(buildApk(files, [v2(forged)]), { minSdk: 24 }))).toEqual([
      'V2_SIG_PUBLIC_KEY_MISMATCH_BETWEEN_CERTIFICATE_AND_SIGNATURES_RECORD',
    ])
  })

  test('bytes behind the archive or before it are covered by no signature and refused', () => {
    const apk = buildApk(files, [v2(one)])
    expect(verify(Buffer.concat([apk, Buffer.from('x')]), { minSdk: 24 }).verified).toBe(false)
    expect(verify(Buffer.concat([Buffer.from('x'), apk]), { minSdk: 24 }).verified).toBe(false)
  })

  test('no byte of a v2 package can be flipped and stay verified', () => {
    const apk = buildApk({ 'classes.dex': Buffer.from('code') }, [v2(one)])
    expect(verify(apk, { minSdk: 24 }).verified).toBe(true)
    for (let at = 0; at < apk.length; at++)
      for (const mask of at % 7 ? [1 << (at % 8)] : [1, 0x80, 0xff]) {
        const flipped = Buffer.from(apk)
        flipped[at]! ^= mask
        if (verify(flipped, { minSdk: 24 }).verified) expect.unreachable(`byte ${at} flipped by ${mask}`)
      }
  })

  test('cut, overwritten and joined packages are never verified and never throw', () => {
    const apk = buildApk(withV1(files, one, { signedWith: '2,3' }), [v2(one), v3(one)])
    expect(verify(apk).verified).toBe(true)
    const change = fc.array(fc.tuple(fc.nat(apk.length - 1), fc.uint8Array({ minLength: 1, maxLength: 9 })), {
      maxLength: 5,
    })
    fc.assert(
      fc.property(change, fc.nat(apk.length - 1), fc.boolean(), (changes, cut, cutting) => {
        const copy = Buffer.from(cutting ? apk.subarray(0, cut) : apk)
        for (const [at, bytes] of changes) if (at < copy.length) copy.set(bytes.subarray(0, copy.length - at), at)
        return copy.equals(apk) || !verify(copy).verified
      }),
      { numRuns: 150 },
    )
  })
})

describe('v3 and v3.1', () => {
  test('a v3 signature verifies, alone and with v2', () => {
    expect(verify(buildApk(files, [v3(one)]), { minSdk: 28 })).toMatchObject({
      verified: true,
      schemes: { v3: { verified: true } },
    })
    expect(verify(buildApk(files, [v2(one), v3(one)]), { minSdk: 24 }).verified).toBe(true)
  })

  test('another signer than that of v2 needs a lineage', () => {
    const lineage: [number, Buffer] = [PROOF_OF_ROTATION, lineageOf(one, two)]
    expect(keysOf(verify(buildApk(files, [v2(one), v3(two)]), { minSdk: 24 }))).toEqual([
      'V3_SIG_PAST_SIGNERS_MISMATCH',
    ])
    const rotated = verify(buildApk(files, [v2(one), v3(two, [lineage])]), { minSdk: 24 })
    expect(keysOf(rotated)).toEqual([])
    expect(rotated.lineage?.map(({ certificate }) => certificate.subject)).toEqual(['CN=one, C=CN', 'CN=two, C=CN'])
    expect(rotated.lineage?.[0]?.capabilities).toEqual({
      installedData: true,
      sharedUserId: true,
      permission: true,
      rollback: false,
      auth: true,
    })
    expect(rotated.certificates.map(({ subject }) => subject)).toEqual(['CN=two, C=CN'])
  })

  test('a lineage must end with the signer, begin with that of v2, and hold', () => {
    const keys = (signer: TestSigner, lineage: Buffer) =>
      keysOf(verify(buildApk(files, [v2(one), v3(signer, [[PROOF_OF_ROTATION, lineage]])]), { minSdk: 24 }))
    expect(keys(one, lineageOf(one, two))).toEqual(['V3_SIG_POR_CERT_MISMATCH'])
    expect(keys(two, lineageOf(rsa, two))).toContain('V3_SIG_POR_DID_NOT_VERIFY')
    expect(keys(two, lineageOf(makeSigner('zero'), one, two))).toEqual(['V3_SIG_PAST_SIGNERS_MISMATCH'])
    const broken = lineageOf(one, two)
    broken[broken.length - 1]! ^= 1
    expect(keys(two, broken)).toEqual(['V3_SIG_POR_DID_NOT_VERIFY'])
    expect(keys(two, broken.subarray(0, -1))).toEqual(['V3_SIG_MALFORMED_LINEAGE'])
  })

  test('the asked versions must be covered', () => {
    const apk = buildApk(files, [v3(one, [], [29, 30])])
    expect(keysOf(verify(apk, { minSdk: 28 }))).toEqual(['V3_MISSING_SDK_VERSIONS'])
    expect(verify(apk, { minSdk: 29, maxSdk: 30 }).verified).toBe(true)
    const gap = schemeBlock(V3, { signer: one, sdk: [28, 29] }, { signer: one, sdk: [31, ANY_LATER_SDK] })
    expect(keysOf(verify(buildApk(files, [gap]), { minSdk: 28 }))).toEqual([
      'V3_INCONSISTENT_SDK_VERSIONS',
      'V3_MISSING_SDK_VERSIONS',
    ])
  })

  test('v3.1 takes over from its version on, with the old signer in v3', () => {
    const proof: [number, Buffer] = [PROOF_OF_ROTATION, lineageOf(one, two)]
    const newer = (min: number) => schemeBlock(V31, { signer: two, sdk: [min, ANY_LATER_SDK], attributes: [proof] })
    const older = v3(one, [[ROTATION_MIN_SDK, u32(33)]], [28, 32])
    const result = verify(buildApk(files, [v2(one), older, newer(33)]), { minSdk: 24 })
    expect(keysOf(result)).toEqual([])
    expect(result).toMatchObject({ schemes: { v3: { verified: true }, v31: { verified: true } } })
    expect(result.certificates[0]?.subject).toBe('CN=two, C=CN')
    expect(keysOf(verify(buildApk(files, [older, newer(34)]), { minSdk: 28 }))).toContain(
      'V31_ROTATION_MIN_SDK_MISMATCH',
    )
    expect(keysOf(verify(buildApk(files, [v3(one, [[ROTATION_MIN_SDK, u32(33)]])]), { minSdk: 28 }))).toEqual([
      'V31_BLOCK_MISSING',
    ])
    expect(keysOf(verify(buildApk(files, [newer(33)]), { minSdk: 28 }))).toEqual(['V31_BLOCK_FOUND_WITHOUT_V3_BLOCK'])
  })
})

describe('v4', () => {
  const digestOf = () => {
    let digest: Buffer | undefined
    const spy = {
      id: 0x42726577,
      value: (digests: ContentDigests) => {
        digest = digests('sha256')
        return Buffer.alloc(4)
      },
    }
    return { spy, digest: () => digest ?? Buffer.alloc(0) }
  }

  test('an .idsig of the same signer verifies; of other bytes, another signer or another content it does not', () => {
    const { spy, digest } = digestOf()
    const apk = buildApk(files, [v3(one), spy])
    const options = { minSdk: 28 }
    const idsig = idsigOf(apk, one, digest())
    expect(verify(apk, { ...options, idsig })).toMatchObject({ verified: true, schemes: { v4: { verified: true } } })
    expect(keysOf(verify(apk, { ...options, idsig: idsigOf(apk, two, digest()) }))).toEqual([
      'V4_SIG_V2_V3_SIGNERS_MISMATCH',
    ])
    expect(keysOf(verify(apk, { ...options, idsig: idsigOf(apk, one, Buffer.alloc(32)) }))).toEqual([
      'V4_SIG_V2_V3_DIGESTS_MISMATCH',
    ])
    const other = buildApk({ ...files, 'classes.dex': Buffer.from('other '.repeat(400)) }, [v3(one)])
    expect(keysOf(verify(apk, { ...options, idsig: idsigOf(other, one, digest()) }))).toContain('V4_SIG_DID_NOT_VERIFY')
    const tree = Buffer.from(idsig)
    tree[tree.length - 1]! ^= 1
    expect(keysOf(verify(apk, { ...options, idsig: tree }))).toEqual(['V4_SIG_APK_TREE_DID_NOT_VERIFY'])
  })

  test('whatever is in an .idsig, nothing is thrown and nothing wrong verifies', () => {
    const { spy, digest } = digestOf()
    const apk = buildApk(files, [v3(one), spy])
    const idsig = idsigOf(apk, one, digest())
    fc.assert(
      fc.property(fc.nat(idsig.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, mask, cut) => {
        const changed = Buffer.from(cut ? idsig.subarray(0, at) : idsig)
        if (!cut) changed[at]! ^= mask
        const { v4 } = verify(apk, { minSdk: 28, idsig: changed }).schemes
        // The tree may be left out; all else is signed.
        return !v4.verified || changed.length < idsig.length - 4096
      }),
      { numRuns: 150 },
    )
  })
})

describe('what the manifest asks for', () => {
  const withManifest = (versions: Parameters<typeof manifest>[0]): Files => ({
    ...files,
    'AndroidManifest.xml': manifest(versions),
  })

  test('a target of 30 or later and a target sandbox need more than v1', () => {
    expect(keysOf(verify(buildApk(withV1(withManifest({ min: 21, target: 30 }), one))))).toEqual([
      'MIN_SIG_SCHEME_FOR_TARGET_SDK_NOT_MET',
    ])
    expect(keysOf(verify(buildApk(withV1(withManifest({ min: 21, sandbox: 2 }), one))))).toEqual([
      'NO_SIG_FOR_TARGET_SANDBOX_VERSION',
    ])
    expect(verify(buildApk(withManifest({ min: 24, target: 30 }), [v2(one)])).verified).toBe(true)
  })

  test('without a manifest the lowest version must be given', () => {
    const { 'AndroidManifest.xml': _, ...rest } = files
    const apk = buildApk(rest, [v2(one)])
    expect(keysOf(verify(apk))).toEqual(['MALFORMED_APK'])
    expect(verify(apk, { minSdk: 24 }).verified).toBe(true)
  })
})

test('what is no archive is not verified', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => keysOf(verify(bytes))[0] === 'MALFORMED_APK'),
    { numRuns: 200 },
  )
})

function randomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let i = 0, state = 1; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    bytes[i] = state >> 16
  }
  return bytes
}
