import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ApkVerification, type VerifyOptions, verifyApk } from '#engines/signing/verify-apk.ts'

/** What AOSP's own tests of apksig say of a package; `STAMP` speaks of the source stamp alone. */
interface Assertion {
  test: string
  expect: 'VERIFIED' | 'FAIL' | 'STAMP'
  issue?: string
  min?: number
  max?: number
}

/** What apksig says. */
interface SignatureOutcome {
  verified?: boolean
  v1: boolean
  v2: boolean
  v3: boolean
  v31: boolean
  exception?: string
}

interface Truth {
  file: string
  type: string
  aospExpected?: Assertion[]
  signing?: SignatureOutcome & { certs: string[] }
  apksigV31Lib?: SignatureOutcome & { errors?: string[] }
  byMinSdk?: Record<string, { lib?: SignatureOutcome }>
}

/** Android refuses an entry with NUL in its name (libziparchive); apksig, which reads archives by itself, does not. */
const STRICTER = new Set(['apksig/v1-only-with-nul-in-entry-name.apk'])
/** apksig's test names this certificate, which the stamp is not made with. */
const OTHER_STAMP = '00'.repeat(32)

const folder = process.env['CORPUS_DIR']

describe.skipIf(!folder)('signatures of the corpus', { timeout: 240_000 }, () => {
  const truths = folder ? packages(folder) : []

  test('agrees with every assertion of AOSP', () => {
    const wrong: string[] = []
    let count = 0
    for (const { file, aospExpected, bytes } of truths)
      for (const assertion of aospExpected ?? []) {
        count++
        if (!holds(assertion, verifyApk(bytes(), optionsOf(assertion)))) wrong.push(`${file}: ${assertion.test}`)
      }
    console.log(`AOSP assertions: ${count - wrong.length} of ${count}`)
    expect(count).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  test('gives the verdict, schemes, signer and reasons of apksig for every package, and for later lowest versions', () => {
    const wrong: string[] = []
    let count = 0
    for (const { file, signing, apksigV31Lib, byMinSdk, bytes } of truths) {
      if (!signing || !apksigV31Lib || apksigV31Lib.exception || STRICTER.has(file)) continue
      const ours = verifyApk(bytes())
      count++
      const certs = ours.certificates.map(({ fingerprints }) => fingerprints.sha256)
      const reasons = [...new Set(ours.errors.map(({ key }) => key))].sort()
      if (
        schemes(ours) !== said(signing) ||
        certs.join() !== signing.certs.join() ||
        reasons.join() !== [...new Set(apksigV31Lib.errors)].sort().join()
      )
        wrong.push(`${file}: ${schemes(ours)} ${reasons.join()}, not ${said(signing)} ${apksigV31Lib.errors?.join()}`)
      for (const [minSdk, { lib }] of Object.entries(byMinSdk ?? {})) {
        if (lib?.verified === undefined || lib.exception) continue
        count++
        const later = schemes(verifyApk(bytes(), { minSdk: Number(minSdk) }))
        if (later !== said(lib)) wrong.push(`${file} from ${minSdk}: ${later}, not ${said(lib)}`)
      }
    }
    console.log(`apksig verdicts: ${count - wrong.length} of ${count}`)
    expect(wrong).toEqual([])
  })

  test('answers for every other file too', () => {
    for (const { bytes, file } of truths) {
      const { verified, errors } = verifyApk(bytes(), { minSdk: 24 })
      expect(verified || errors.length > 0, file).toBe(true)
    }
  })
})

function packages(root: string): (Truth & { bytes: () => Uint8Array })[] {
  return readFileSync(join(root, 'ground-truth.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const truth = JSON.parse(line) as Truth
      const path = ['committed', 'packages'].map((part) => join(root, part, truth.file)).find((one) => existsSync(one))
      return path && /^(apk|aab|jar|aar|ipa)$/.test(truth.type) ? [{ ...truth, bytes: () => readFileSync(path) }] : []
    })
}

function optionsOf({ min, max, issue }: Assertion): VerifyOptions {
  return {
    ...(min !== undefined && { minSdk: min }),
    ...(max !== undefined && { maxSdk: max }),
    ...(issue === 'SOURCE_STAMP_EXPECTED_DIGEST_MISMATCH' && { expectedStamp: OTHER_STAMP }),
  }
}

function holds({ expect: expected, issue }: Assertion, { verified, errors, stamp }: ApkVerification): boolean {
  if (expected === 'VERIFIED') return verified
  if (expected === 'FAIL') return !verified && errors.some(({ key }) => key === issue)
  if (!stamp) return false
  return issue === undefined ? stamp.verified : !stamp.verified && stamp.issues.some(({ key }) => key === issue)
}

function schemes({ verified, schemes: { v1, v2, v3, v31 } }: ApkVerification): string {
  return said({ verified, v1: v1.verified, v2: v2.verified, v3: v3.verified, v31: v31.verified })
}

function said({ verified, v1, v2, v3, v31 }: SignatureOutcome): string {
  const names = Object.entries({ v1, v2, v3, v31 }).flatMap(([name, is]) => (is ? [name] : []))
  return `${verified ? 'verified' : 'refused'} ${names.join('+')}`
}
