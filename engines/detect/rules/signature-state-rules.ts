import type { PackageSignature } from '../../package/package-signature.ts'
import { issueWords } from '../../signing/issue-words.ts'
import type { SigningIssue } from '../../signing/signing-facts.ts'
import { type ApkVerification, verifyApk } from '../../signing/verify-apk.ts'
import type { ZipArchive } from '../../zip/zip-facts.ts'
import type { PackageSummary } from '../result/scan-result.ts'
import { type Hit, notApplicable, notAssessed, type Outcome, type RuleTable, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

const MOST_ISSUES = 20
const ANDROID_7 = 24
const OWN = { kind: 'own', sdk: null } as const

/** Kinds that a device or a store accepts only with a signature. A library is signed as part of its application. */
const needsSignature = (kind: PackageSummary['kind']): boolean => kind !== 'aar' && kind !== 'jar' && kind !== 'so'

const NOT_NEEDED = notApplicable('该类型的包不要求签名', 'this kind of package needs no signature')
const UNSIGNED = notApplicable('包未签名', 'the package is not signed')

/** The outcome of "the package has no signature". */
export function missingSignature(kind: PackageSummary['kind'], { state, errors, warnings }: PackageSignature): Outcome {
  if (!needsSignature(kind)) return NOT_NEEDED
  if (state === 'unknown') return unknownState(errors)
  if (state !== 'unsigned') return []
  const why = warnings.find(({ key }) => key === 'IPA_AD_HOC')
  const detail = text('包没有任何签名', 'the package has no signature')
  return [signatureHit('missing', why ? issueWords(why) : detail)]
}

/** The outcome of "the signature does not verify": one hit an issue. */
export function brokenSignature(
  kind: PackageSummary['kind'],
  { state, errors, warnings }: PackageSignature,
  zip: ZipArchive | null,
): Outcome {
  if (state === 'unsigned') return UNSIGNED
  if (state === 'unknown') return unknownState(errors)
  if (state === 'partial') {
    // A library loses nothing by unsigned entries: its application signs it again.
    if (!needsSignature(kind)) return []
    const open = warnings.filter(({ key }) => /NOT_SIGNED|UNPROTECTED|MISSING/.test(key))
    const issues = open.length ? open : warnings
    return issues.slice(0, MOST_ISSUES).map((one) => ({ ...issueHit(one), level: 'middle' as const }))
  }
  if (state !== 'broken') return []
  const trailing = zip && trailingBytes(zip)
  const hits = errors
    .filter(({ key }) => !(trailing && key === 'MALFORMED_APK'))
    .slice(0, MOST_ISSUES)
    .map(issueHit)
  if (trailing) hits.unshift(trailingHit(trailing))
  return hits.length ? hits : [signatureHit('broken', text('签名无效', 'the signature does not verify'))]
}

/** The outcome of "the certificates do not lead to Apple". */
export function untrustedByApple({ state, errors, warnings }: PackageSignature): Outcome {
  if (state === 'unsigned') return UNSIGNED
  const issue = warnings.find(({ key }) => key === 'IPA_NOT_APPLE')
  if (issue) return [issueHit(issue)]
  return state === 'unknown' ? unknownState(errors) : []
}

/** Bytes after the end of the archive, which no scheme covers and Android refuses; 0 without any. */
function trailingBytes({ notes, bytes, endOffset, comment }: ZipArchive): number {
  const END_RECORD = 22
  return notes.some(({ key }) => key === 'trailing-data') ? bytes.length - endOffset - END_RECORD - comment.length : 0
}

const trailingHit = (count: number): Hit =>
  signatureHit(
    'trailing-data',
    text(
      `压缩包结尾之后还有 ${count} 字节数据，Android 拒绝这样的包，签名也不覆盖它`,
      `${count} bytes follow the end of the archive: Android refuses such a package, and no signature covers them`,
    ),
  )

const unknownState = (errors: readonly SigningIssue[]) => {
  const words = errors[0] && issueWords(errors[0])
  return notAssessed(
    `签名无法判断${words ? `：${words.zh}` : ''}`,
    `the signature cannot be judged${words ? `: ${words.en}` : ''}`,
  )
}

const issueHit = (issue: SigningIssue): Hit => signatureHit(issue.key, issueWords(issue))

function signatureHit(key: string, detail: Hit['detail']): Hit {
  return { location: { entry: 'META-INF', offset: -1 }, owner: OWN, key, detail }
}

/** A package that new Android versions accept and old ones, which its manifest still allows, do not. */
const onlyForNewAndroid = ({ signing, zip }: RuleContext): boolean =>
  signing !== null &&
  zip !== null &&
  !signing.verified &&
  signing.minSdk < ANDROID_7 &&
  verifyApk(zip.bytes, { archive: zip, minSdk: ANDROID_7 }).verified

/** Why old versions refuse it: they know no scheme that it has, or no algorithm of its v1 scheme. */
function refusedBelow7({ schemes, minSdk, errors }: ApkVerification): Hit {
  if (schemes.v2.present || schemes.v3.present || schemes.v31.present)
    return signatureHit(
      'no-v1',
      text(
        `签名自 Android 7 起有效，内容未被改动；缺少 v1，Android 7 以下的系统不接受它，而清单声明的最低版本为 ${minSdk}`,
        `the signature holds from Android 7 on and nothing was changed; without a v1 scheme versions below 7 refuse it, and the manifest allows them from API ${minSdk}`,
      ),
    )
  const words = errors[0] && issueWords(errors[0])
  return signatureHit(
    'old-android',
    text(
      `签名自 Android 7 起有效，内容未被改动；更早的系统不接受它，而清单声明的最低版本为 ${minSdk}${words ? `：${words.zh}` : ''}`,
      `the signature holds from Android 7 on and nothing was changed; earlier versions refuse it, and the manifest allows them from API ${minSdk}${words ? `: ${words.en}` : ''}`,
    ),
  )
}

export const signatureStateRules: RuleTable = {
  'android-signature-missing': {
    needs: ['archive'],
    check: ({ kind, signature }) => missingSignature(kind, signature),
  },
  'android-signature-broken': {
    needs: ['archive'],
    check: (context) => {
      const { kind, signature, signing, zip } = context
      if (kind === 'so' || (!needsSignature(kind) && signature.state === 'unknown')) return NOT_NEEDED
      if (!onlyForNewAndroid(context)) return brokenSignature(kind, signature, zip)
      return [{ ...refusedBelow7(signing!), level: 'low' }]
    },
  },
  'android-signature-untrusted': {
    needs: ['archive'],
    check: ({ baselineSigners, signature, certificates }) => {
      if (!baselineSigners) return notApplicable('没有资产基线', 'there is no baseline of the asset to compare with')
      if (!certificates.length) return signature.state === 'unsigned' ? UNSIGNED : unknownState(signature.errors)
      if (signature.state !== 'verified' && signature.state !== 'partial')
        return [
          signatureHit(
            'unproven',
            text(
              '签名无效，不能证明与资产基线同源',
              'the signature is broken, so it does not prove the signer of the baseline',
            ),
          ),
        ]
      if (certificates.some(({ fingerprints }) => baselineSigners.includes(fingerprints.sha256))) return []
      const names = certificates.map(({ subject }) => subject).join(', ')
      return [
        signatureHit(
          'other-signer',
          text(`签名者与资产基线不同：${names}`, `the signer is not the one of the asset's baseline: ${names}`),
        ),
      ]
    },
  },
}
