import { FormatError } from '../../bytes/format-error.ts'
import { isDebugSubject, isWeakKey, PUBLIC_KEYS, weakDigestOf } from '../../signing/certificate-caveats.ts'
import { readManifest } from '../../signing/jar-manifest.ts'
import type { Certificate } from '../../x509/certificate.ts'
import { entryHit } from './hits.ts'
import { worthReplacing } from './little-to-protect.ts'
import { type Hit, manifestRule, notApplicable, type Rule, type RuleTable, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

const DAY = 86_400_000
const SHORT_VALIDITY = 25 * 365 * DAY

/** What Android asks of an APK. */
const signed = (check: (context: RuleContext) => readonly Hit[]): Rule => ({ needs: ['signature'], check })
/** What counts whatever was signed, a bundle by the key of its upload too. */
const certified = (check: Rule['check']): Rule => ({ needs: ['certificate'], check })

function certificateHits(
  context: RuleContext,
  judge: (certificate: Certificate) => Omit<Hit, 'location'> | undefined,
): Hit[] {
  // Schemes of APKs alone leave no entry: their block precedes the directory of the archive.
  const filed = context.entries.some(({ name }) => /^META-INF\/[^/]+\.(?:RSA|DSA|EC)$/i.test(name))
  const entry = filed ? 'META-INF' : 'APK Signing Block'
  return context.certificates.flatMap((certificate): Hit[] => {
    const found = judge(certificate)
    return found
      ? [
          {
            location: { entry, offset: -1, path: certificate.subject },
            owner: { kind: 'own', sdk: null },
            ...found,
          },
        ]
      : []
  })
}

export const signatureRules: RuleTable = {
  'android-sig-v1-only': signed((context) => {
    const schemes = context.signing!.schemes
    if (!schemes.v1.present || schemes.v2.present || schemes.v3.present || schemes.v31.present) return []
    const detail = text('只有 v1 签名', 'signed with scheme v1 alone')
    const judged = worthReplacing(context, detail, context.minSdk < 24 ? 'high' : 'middle')
    return [
      {
        ...entryHit('META-INF/MANIFEST.MF', 'v1 only', ...judged),
        owner: { kind: 'own', sdk: null },
      },
    ]
  }),

  'android-sig-debug-cert': certified((context) =>
    certificateHits(context, ({ subject }) =>
      isDebugSubject(subject)
        ? { key: 'debug', detail: text(`调试证书 ${subject}`, `debug certificate ${subject}`) }
        : undefined,
    ),
  ),

  'android-sig-public-testkey': certified((context) =>
    certificateHits(context, ({ fingerprints }) => {
      const name = PUBLIC_KEYS.get(fingerprints.sha256)
      return name ? { key: name, detail: text(`AOSP 公开密钥 ${name}`, `AOSP's public key ${name}`) } : undefined
    }),
  ),

  'android-sig-weak-digest': certified((context) => {
    const hits = certificateHits(context, ({ signatureAlgorithm }) => {
      const weak = weakDigestOf(signatureAlgorithm)
      if (!weak) return undefined
      const detail = text(`证书签名算法 ${signatureAlgorithm}`, `certificate signed with ${signatureAlgorithm}`)
      return { key: signatureAlgorithm, detail, ...(weak === 'SHA1' && { level: 'low' as const }) }
    })
    const beside = ({ scheme, state }: { scheme: string; state: string }) =>
      scheme !== 'v1' && scheme !== 'jar' && state !== 'absent'
    if (context.signature.schemes.some(beside)) return hits
    for (const { name } of context.entries) {
      if (!/^META-INF\/[^/]+\.SF$/i.test(name)) continue
      const content = Buffer.from(context.read(name)?.subarray(0, 8192) ?? []).toString('latin1')
      const weak = /^(MD5|SHA1)-Digest-Manifest:/im.exec(content)?.[1]
      if (weak && !/^SHA-?(?:256|512|384)-Digest-Manifest:/im.test(content))
        hits.push({
          ...entryHit(name, `${weak} digest`, text(`签名文件使用 ${weak} 摘要`, `signature file with ${weak} digests`)),
          owner: { kind: 'own', sdk: null },
        })
    }
    return hits
  }),

  'android-sig-weak-key': certified((context) =>
    certificateHits(context, ({ publicKey }) => {
      const { algorithm, bits } = publicKey
      return isWeakKey(algorithm, bits)
        ? {
            key: `${algorithm} ${bits}`,
            detail: text(`${algorithm} ${bits} 位密钥`, `${algorithm} key of ${bits} bits`),
          }
        : undefined
    }),
  ),

  'android-sig-cert-validity': certified((context) => {
    // Certificates of Java's code signing live for a few years, and a time stamp outlives them.
    if (context.kind === 'jar' || context.kind === 'aar')
      return notApplicable('库的签名证书不受此限', 'certificates of libraries are not meant to last')
    return certificateHits(context, ({ notBefore, notAfter }) => {
      if (context.date !== null && notAfter < context.date)
        return {
          key: 'expired',
          detail: text(`证书已于 ${day(notAfter)} 到期`, `certificate expired on ${day(notAfter)}`),
        }
      if (notAfter - notBefore >= SHORT_VALIDITY) return undefined
      const years = Math.floor((notAfter - notBefore) / (365 * DAY))
      return {
        key: 'short',
        level: 'info',
        detail: text(`证书有效期 ${years} 年`, `certificate valid for ${years} years`),
      }
    })
  }),

  'android-sig-v1-unsigned-meta': manifestRule((context) => {
    if (!context.signing?.schemes.v1.present) return notApplicable('没有 v1 签名', 'there is no v1 signature')
    const whole = context.signing.schemes.v2.present || context.signing.schemes.v3.present
    const listed = listedEntries(context)
    return context.entries.flatMap(({ name }): Hit[] => {
      if (
        listed.has(name) ||
        !/^META-INF\/[^/]+$/.test(name) ||
        /\.(?:SF|RSA|DSA|EC|MF|version|kotlin_module|pro|properties|txt|md)$/i.test(name)
      )
        return []
      if (
        !/channel|cztchannel|umeng|^META-INF\/[^.]+$/i.test(name) ||
        /LICENSE|NOTICE|DEPENDENCIES|INDEX\.LIST/i.test(name)
      )
        return []
      const detail = whole
        ? text(`渠道标记 ${name}`, `channel mark ${name}`)
        : text(`${name} 不受 v1 签名保护`, `${name} is not covered by the v1 signature`)
      return [{ ...entryHit(name, name, detail), owner: { kind: 'own', sdk: null } }]
    })
  }),
}

/** Entries whose digest the manifest of the v1 signature has. */
function listedEntries({ read }: RuleContext): ReadonlySet<string> {
  const manifest = read('META-INF/MANIFEST.MF')
  try {
    return new Set(manifest ? readManifest(manifest).flatMap(({ name }) => name ?? []) : [])
  } catch (error) {
    if (error instanceof FormatError) return new Set()
    throw error
  }
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
