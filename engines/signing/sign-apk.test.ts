import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type MadeKey, type MadeKeyKind, makeKey } from '#tests/support/apk/made-key.ts'
import { buildApk, type Files, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { judgeSigned } from './judge-signed.ts'
import { readLineage } from './lineage.ts'
import { type Rotation, type SigningScheme, type SignRequest, signApk, signApkOnThreads } from './sign-apk.ts'
import { signJar } from './sign-jar.ts'
import { type VerifyOptions, verifyApk } from './verify-apk.ts'
import { verifyJar } from './verify-jar.ts'
import { extendLineage, isLineageFile, readLineageFile, writeLineageFile } from './write-lineage.ts'

vi.setConfig({ testTimeout: 60_000 })

const manifest = (minSdk: number): Uint8Array =>
  writeAxml({
    name: 'manifest',
    children: [{ name: 'uses-sdk', attributes: [{ name: 'minSdkVersion', id: 0x0101020c, value: [0x10, minSdk] }] }],
  })
const appOf = (minSdk: number): Files => ({
  'AndroidManifest.xml': manifest(minSdk),
  'classes.dex': Buffer.from('some code '.repeat(400)),
  [`res/${'long-name-'.repeat(12)}.txt`]: Buffer.from('text'),
  'assets/中文 名称.bin': Buffer.from([0, 1, 2, 3]),
  'META-INF/services/a.Service': Buffer.from('a.Main'),
})
const ALL: readonly SigningScheme[] = ['v1', 'v2', 'v3', 'v4']

let keys: Record<MadeKeyKind, MadeKey>
beforeAll(() => {
  const kinds: MadeKeyKind[] = ['rsa', 'rsa-4096', 'p256', 'p384', 'p521', 'dsa']
  keys = Object.fromEntries(kinds.map((kind) => [kind, makeKey(kind, kind)])) as typeof keys
})

interface Options {
  schemes?: readonly SigningScheme[]
  minSdk?: number
  rotation?: Rotation
}

function request({ key }: MadeKey, { schemes = ['v1', 'v2', 'v3'], minSdk = 21, rotation }: Options = {}): SignRequest {
  return {
    key,
    alias: 'release key',
    schemes: new Set(schemes),
    minSdk,
    createdBy: 'AppWarden test',
    ...(rotation && { rotation }),
  }
}

function sign(input: Uint8Array, asked: SignRequest) {
  const signed = signApk(readZip(input), asked)
  const bytes = Buffer.concat(signed.pieces)
  expect(bytes.length).toBe(signed.size)
  return { ...signed, bytes }
}

const certificateOf = ({ key }: MadeKey) => key.certificates[0]!
const refusedAs = (call: () => unknown): string => {
  try {
    call()
    return 'done'
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return `${error.format} ${error.key}`
  }
}

describe('signed packages', () => {
  test.each(['rsa', 'rsa-4096', 'p256', 'p384', 'p521', 'dsa'] as const)(
    'a key of %s: every choice of schemes that the lowest version allows is verified as asked',
    (kind) => {
      for (const minSdk of [16, 18, 21, 24, 28]) {
        if (kind.startsWith('p') && minSdk < 18) continue
        const input = buildApk(appOf(minSdk))
        for (let chosen = 1; chosen < 16; chosen++) {
          const schemes = ALL.filter((_, i) => chosen & (1 << i))
          if (minSdk < 24 && !schemes.includes('v1')) continue
          if (minSdk < 28 && !schemes.includes('v1') && !schemes.includes('v2')) continue
          if (!schemes.includes('v2') && !schemes.includes('v3') && (schemes.includes('v4') || minSdk >= 28)) continue
          const { bytes, idsig } = sign(input, request(keys[kind], { schemes, minSdk }))
          const expected = { schemes: new Set(schemes), minSdk, certificate: certificateOf(keys[kind]) }
          const issues = judgeSigned(bytes, { ...expected, ...(idsig && { idsig }) })
          expect([minSdk, schemes.join(), issues]).toEqual([minSdk, schemes.join(), []])
        }
      }
    },
  )

  test('any entries keep their content, and a second signature over the first gives the same entries', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            name: fc.string({ unit: fc.constantFrom('a', '/', 'é', '漢', '.so'), minLength: 1, maxLength: 90 }),
            data: fc.uint8Array({ maxLength: 200 }),
            deflate: fc.boolean(),
          }),
          { selector: ({ name }) => name, maxLength: 8 },
        ),
        (entries) => {
          const files: WrittenEntry[] = [{ name: 'AndroidManifest.xml', data: manifest(21) }, ...entries]
          const once = sign(writeZip(files), request(keys.p256))
          const twice = sign(once.bytes, request(keys.rsa))
          for (const { bytes } of [once, twice]) {
            const zip = readZip(bytes)
            expect(zip.entries.slice(0, files.length).map(({ name }) => name)).toEqual(files.map(({ name }) => name))
            for (const [i, { data }] of files.entries())
              expect(Buffer.from(entryBytes(zip, zip.entries[i]!)).equals(Buffer.from(data))).toBe(true)
          }
          expect(twice.removed).toEqual({
            files: ['META-INF/MANIFEST.MF', 'META-INF/RELEASE_.SF', 'META-INF/RELEASE_.EC'],
            pairs: [0x7109871a, 0xf05368c0],
            stamp: false,
          })
          const certificate = certificateOf(keys.rsa)
          expect(judgeSigned(twice.bytes, { schemes: new Set(['v1', 'v2', 'v3']), minSdk: 21, certificate })).toEqual(
            [],
          )
        },
      ),
      { numRuns: 40 },
    )
  })

  test('one flipped byte anywhere is seen by the verifier', () => {
    const { bytes } = sign(buildApk(appOf(21)), request(keys.p256))
    const blockOffset = readZip(bytes).signingBlock!.offset
    for (let at = 0; at < blockOffset; at += 37) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(verifyApk(changed, { minSdk: 21 }).verified, `byte ${at}`).toBe(false)
    }
  })

  test('signing block and directory begin on pages of 4096 bytes', () => {
    const zip = readZip(sign(buildApk(appOf(24)), request(keys.rsa, { minSdk: 24 })).bytes)
    expect([zip.signingBlock!.offset % 4096, zip.signingBlock!.size % 4096]).toEqual([0, 0])
  })
})

describe('scheme v1', () => {
  const textOf = (bytes: Uint8Array, name: string) => {
    const zip = readZip(bytes)
    return Buffer.from(entryBytes(zip, zip.byName.get(name)!)).toString()
  }

  test('says which later schemes there are, so that taking them away is seen', () => {
    const { bytes } = sign(buildApk(appOf(21)), request(keys.rsa))
    expect(textOf(bytes, 'META-INF/RELEASE_.SF')).toContain('X-Android-APK-Signed: 2, 3\r\n')
    const zip = readZip(bytes)
    const end = Buffer.from(bytes.subarray(zip.endOffset))
    end.writeUInt32LE(zip.signingBlock!.offset, 16)
    const stripped = Buffer.concat([
      bytes.subarray(0, zip.signingBlock!.offset),
      bytes.subarray(zip.directoryOffset, zip.endOffset),
      end,
    ])
    const { verified, errors } = verifyApk(stripped, { minSdk: 21 })
    expect([verified, errors[0]?.key]).toEqual([false, 'JAR_SIG_MISSING_APK_SIG_REFERENCED'])
    const alone = sign(buildApk(appOf(21)), request(keys.rsa, { schemes: ['v1'] }))
    expect(textOf(alone.bytes, 'META-INF/RELEASE_.SF')).not.toContain('X-Android-APK-Signed')
  })

  test.each([
    ['rsa', 17, 'SHA1'],
    ['rsa', 18, 'SHA-256'],
    ['dsa', 20, 'SHA1'],
    ['dsa', 21, 'SHA-256'],
    ['p256', 18, 'SHA-256'],
  ] as const)('a key of %s for version %i has digests of %s', (kind, minSdk, digest) => {
    const { bytes } = sign(buildApk(appOf(minSdk)), request(keys[kind], { minSdk }))
    expect(textOf(bytes, 'META-INF/MANIFEST.MF')).toContain(`\r\n${digest}-Digest: `)
  })

  test('an EC key for versions that do not know it is refused', () => {
    const asked = request(keys.p256, { minSdk: 17 })
    expect(refusedAs(() => sign(buildApk(appOf(17)), asked))).toBe('signing key-algorithm')
  })

  test('keeps the main attributes of a manifest, and signs META-INF except signature files', () => {
    const files = {
      ...appOf(21),
      'META-INF/MANIFEST.MF': Buffer.from('Manifest-Version: 1.0\nBuilt-By: 建设者\n\nName: gone\nSHA1-Digest: x\n\n'),
    }
    const { bytes } = sign(buildApk(files), request(keys.rsa))
    const text = textOf(bytes, 'META-INF/MANIFEST.MF')
    expect(text.startsWith('Manifest-Version: 1.0\r\nBuilt-By: 建设者\r\n\r\nName: AndroidManifest.xml\r\n')).toBe(true)
    expect(text).toContain('Name: META-INF/services/a.Service\r\n')
    expect(text).not.toContain('gone')
  })

  test('a name with a line end, which would write lines of its own into the manifest, is refused', () => {
    const files = [
      { name: 'AndroidManifest.xml', data: manifest(21) },
      { name: 'a\r\nSHA-256-Digest: x', data: '1' },
    ]
    expect(refusedAs(() => sign(writeZip(files), request(keys.rsa)))).toBe('signing entry-name')
    expect(refusedAs(() => sign(writeZip(files), request(keys.rsa, { schemes: ['v2'], minSdk: 24 })))).toBe('done')
  })
})

describe('signing on threads', () => {
  const NUMBERS = Buffer.from(Array.from({ length: 1_300_000 }, (_, index) => index.toString(36)).join(' '))
  const large = (size: number, deflate: boolean): WrittenEntry => ({
    ...{ name: `assets/${size}-${deflate}`, deflate },
    data: NUMBERS.subarray(0, size),
  })
  /** RSA with PKCS #1 padding signs the same bytes in the same way. */
  const both = async (input: Uint8Array, schemes: readonly SigningScheme[] = ALL) => {
    const asked = request(keys.rsa, { schemes })
    const { pieces } = await signApkOnThreads(readZip(input), asked)
    return [Buffer.concat(pieces), sign(input, asked).bytes] as const
  }

  test('gives the same bytes as on one thread, for entries of any size, stored or deflated', async () => {
    const sizes = [0, 1, 65_535, 65_536, 65_537, 300_000]
    const entries = [true, false].flatMap((deflate) => sizes.map((size) => large(size, deflate)))
    const input = writeZip([{ name: 'AndroidManifest.xml', data: manifest(21) }, ...entries])
    const [threaded, alone] = await both(input)
    expect(threaded.equals(alone)).toBe(true)
    expect(verifyApk(threaded)).toMatchObject({ verified: true })
    const [without, expected] = await both(input, ['v2', 'v3'])
    expect(without.equals(expected)).toBe(true)
  })

  test('more content than is held at a time is digested whole', async () => {
    const entries = Array.from({ length: 12 }, (_, index) => large((6 << 20) + index, true))
    const [threaded, alone] = await both(writeZip(entries), ['v1'])
    expect(threaded.equals(alone)).toBe(true)
  })

  test('a damaged entry is refused with the same words', async () => {
    const input = writeZip([large(100, true), large(100_000, true), large(200_000, true)])
    for (const { name, dataOffset } of readZip(input).entries) {
      const damaged = Buffer.from(input)
      damaged.fill(0xff, dataOffset, dataOffset + 20)
      const asked = request(keys.rsa)
      const refused = await signApkOnThreads(readZip(damaged), asked).catch((error: unknown) => error)
      expect(refused, name).toBeInstanceOf(FormatError)
      expect(() => signApk(readZip(damaged), asked)).toThrow((refused as FormatError).message)
    }
  })
})

describe('what was there before', () => {
  test('another signature is replaced whole, and a source stamp goes with the file of its digest', () => {
    const other = makeSigner('other', 'rsa')
    const files = withV1({ ...appOf(24), 'stamp-cert-sha256': Buffer.alloc(32, 1) }, other, { signedWith: '2' })
    const input = buildApk(files, [
      schemeBlock(0x7109871a, { signer: other, algorithms: [0x0103] }),
      { id: 0x6dff800d, value: () => Buffer.from('stamp') },
      { id: 0x71777777, value: () => Buffer.from('{}') },
    ])
    const { bytes, removed } = sign(input, request(keys.p256, { minSdk: 24 }))
    expect(removed).toEqual({
      files: ['META-INF/MANIFEST.MF', 'META-INF/CERT.SF', 'META-INF/CERT.RSA'],
      pairs: [0x7109871a, 0x6dff800d, 0x71777777],
      stamp: true,
    })
    const zip = readZip(bytes)
    expect(zip.byName.has('stamp-cert-sha256')).toBe(false)
    expect(zip.entries.filter(({ name }) => /CERT\./.test(name))).toEqual([])
    const { verified, stamp, warnings } = verifyApk(bytes, { minSdk: 21 })
    expect([verified, stamp, warnings.map(({ key }) => key)]).toEqual([
      true,
      undefined,
      ['JAR_SIG_UNPROTECTED_ZIP_ENTRY'],
    ])
  })

  test('an archive that devices do not take, or that has a name twice, is refused', () => {
    const entries = [{ name: 'AndroidManifest.xml', data: manifest(21) }]
    const cases: Record<string, Uint8Array> = {
      twice: writeZip([...entries, { name: 'a', data: '1' }, { name: 'a', data: '2' }]),
      prefix: writeZip(entries, { prefix: Buffer.alloc(8, 1) }),
      suffix: writeZip(entries, { suffix: Buffer.alloc(8, 1) }),
      sizes: writeZip([{ name: 'AndroidManifest.xml', data: manifest(21), local: { size: 7 } }]),
      nowhere: writeZip([...entries, { name: 'a', data: 'x', central: { localOffset: 99_999 } }]),
    }
    for (const [name, input] of Object.entries(cases))
      expect([name, refusedAs(() => sign(input, request(keys.rsa)))]).toEqual([name, 'signing archive'])
  })
})

describe('rotation', () => {
  let oldest: MadeKey
  let older: MadeKey
  let newest: MadeKey
  let lineage: Uint8Array
  beforeAll(() => {
    oldest = makeKey('oldest', 'rsa')
    older = makeKey('older', 'p256')
    newest = makeKey('newest', 'p384')
    lineage = extendLineage(extendLineage(undefined, oldest.key, older.key), older.key, newest.key)
  })

  test.each([28, 31, 33, 35])('a key that counts from version %i on', (minSdk) => {
    const rotation = { first: oldest.key, lineage, minSdk }
    const { bytes, idsig } = sign(buildApk(appOf(21)), request(newest, { schemes: ALL, rotation }))
    const expected = { schemes: new Set(ALL), minSdk: 21, certificate: certificateOf(newest) }
    expect(judgeSigned(bytes, { ...expected, ...(idsig && { idsig }), rotated: minSdk >= 33 })).toEqual([])
    const signedBy = (options: VerifyOptions) => verifyApk(bytes, options).certificates[0]?.subject
    expect(signedBy({ minSdk: 24, maxSdk: 27 })).toContain('oldest')
    expect(signedBy({ minSdk: 28 })).toContain('newest')
    expect(verifyApk(bytes, { minSdk: 28 }).lineage?.map(({ certificate }) => certificate.subject)).toHaveLength(3)
  })

  test('a lineage file is written and read, and each step is proven by the key before it', () => {
    const file = writeLineageFile(lineage)
    expect(isLineageFile(file)).toBe(true)
    expect(Buffer.compare(readLineageFile(file), lineage)).toBe(0)
    expect(readLineage(lineage).map(({ certificate }) => certificate.subject.slice(3, 9))).toEqual([
      'oldest',
      'older,',
      'newest',
    ])
    for (let at = 12; at < file.length; at += 11) {
      const changed = Buffer.from(file)
      changed[at]! ^= 1
      // The rights of a node are not signed.
      const read = refusedAs(() => readLineageFile(changed))
      if (read === 'done') expect(readLineage(readLineageFile(changed))).toHaveLength(3)
    }
  })

  test('a lineage that does not lead from the first key to the one that signs is refused', () => {
    const refused = (rotation: Rotation, key = newest, schemes = ALL) =>
      refusedAs(() => sign(buildApk(appOf(21)), request(key, { schemes, rotation })))
    expect(refused({ first: older.key, lineage, minSdk: 33 })).toBe('signing rotation')
    expect(refused({ first: oldest.key, lineage, minSdk: 33 }, older)).toBe('signing rotation')
    expect(refused({ first: oldest.key, lineage, minSdk: 27 })).toBe('signing rotation')
    expect(refused({ first: oldest.key, lineage, minSdk: 33 }, newest, ['v1', 'v2'])).toBe('signing rotation')
    expect(refusedAs(() => extendLineage(lineage, oldest.key, makeKey('x').key))).toBe('signing lineage')
    expect(refusedAs(() => extendLineage(lineage, newest.key, older.key))).toBe('signing lineage')
  })
})

describe('the judge of what was signed', () => {
  test('names a scheme too many, one too few, and another signer', () => {
    const { bytes } = sign(buildApk(appOf(24)), request(keys.rsa, { schemes: ['v2', 'v3'], minSdk: 24 }))
    const judge = (schemes: SigningScheme[], by = keys.rsa) =>
      judgeSigned(bytes, { schemes: new Set(schemes), minSdk: 24, certificate: certificateOf(by) }).map(
        ({ message }) => message,
      )
    expect(judge(['v2', 'v3'])).toEqual([])
    expect(judge(['v2'])).toEqual(['v3 is there'])
    expect(judge(['v1', 'v2', 'v3'])[0]).toBe('v1 is missing')
    expect(judge(['v2', 'v3'], keys.p256)).toEqual(['signed by another certificate'])
  })
})

describe('bundles, libraries and JARs', () => {
  test('every file is signed, and a signature that was there is replaced', () => {
    const files = withV1(
      { 'base/dex/classes.dex': Buffer.from('code'), 'META-INF/a/b.txt': Buffer.from('x') },
      makeSigner('x'),
    )
    for (const kind of ['rsa', 'p256', 'dsa'] as const) {
      const { key } = keys[kind]
      const { pieces, removed } = signJar(readZip(buildApk(files)), { key, alias: 'upload', createdBy: 'test' })
      const zip = readZip(Buffer.concat(pieces))
      expect(removed).toEqual(['META-INF/MANIFEST.MF', 'META-INF/CERT.SF', 'META-INF/CERT.RSA'])
      expect(zip.entries[0]!.name).toBe('META-INF/MANIFEST.MF')
      const { state, certificates, errors } = verifyJar(zip)
      expect([state, errors, certificates[0]?.subject]).toEqual(['verified', [], certificateOf(keys[kind]).subject])
    }
  })
})
