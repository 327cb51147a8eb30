import type { ItemResult, ScanResult, Text } from './scan-result.ts'

const STATES: Readonly<Record<NonNullable<ScanResult['package']['signature']>, Text>> = {
  verified: { zh: '有效', en: 'verified' },
  partial: { zh: '部分内容未签名', en: 'PARTLY signed' },
  broken: { zh: '无效', en: 'NOT VERIFIED' },
  unsigned: { zh: '未签名', en: 'NOT SIGNED' },
  unknown: { zh: '无法判断', en: 'not judged' },
}

/** Items whose failure qualifies a signature, with the words for it. */
const CAVEATS: readonly (readonly [id: RegExp, words: Text])[] = [
  [/^(?:android|ios)-signature-untrusted$/, { zh: '签名者不受信任', en: 'signer not trusted' }],
  [/^android-sig-debug-cert$/, { zh: '调试证书', en: 'debug certificate' }],
  [/^android-sig-public-testkey$/, { zh: '公开测试密钥', en: 'public test key' }],
  [/^android-sig-weak-key$/, { zh: '弱密钥', en: 'weak key' }],
  [/^android-sig-weak-digest$/, { zh: '弱摘要', en: 'weak digest' }],
  [/^android-sig-cert-validity$|^ios-profile-expired$/, { zh: '已过期', en: 'expired' }],
  [/^android-sig-v1-only$/, { zh: '仅 v1', en: 'v1 only' }],
]

/** The signature in one line, with its schemes and caveats: `verified (v2, v3), debug certificate, expired`. */
export function signatureText({ package: summary, items }: Pick<ScanResult, 'package' | 'items'>): Text {
  const { signature = 'unknown', schemes } = summary
  const state = STATES[signature]
  const caveats = CAVEATS.filter(([id]) => items.some((item) => id.test(item.id) && counts(item))).map(
    ([, words]) => words,
  )
  const inBrackets = schemes.length ? ` (${schemes.join(', ')})` : ''
  return {
    zh: [state.zh + inBrackets, ...caveats.map(({ zh }) => zh)].join('，'),
    en: [state.en + inBrackets, ...caveats.map(({ en }) => en)].join(', '),
  }
}

/** A short validity is information and no caveat; an expired one has a level. */
const counts = ({ verdict, level }: ItemResult): boolean => verdict === 'fail' && level !== 'info'
