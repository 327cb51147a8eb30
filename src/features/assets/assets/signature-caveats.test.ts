import { expect, test } from 'vitest'
import type { FileDetail } from './compare-files.ts'
import { signatureCaveats } from './signature-caveats.ts'

const NOW = Date.UTC(2026, 10, 1)
const file = (caveats: string[] | undefined, notAfter: number, kind = 'apk', issues: string[] = []) =>
  ({
    kind,
    facts: {
      certificates: [{ caveats, not_after: notAfter }],
      signature_issues: issues.map((key) => ({ severity: 'warning', key, detail: '' })),
    },
  }) as unknown as FileDetail

test('[ASSET-01] the badge of a file names a debug certificate and an expired one', () => {
  expect(signatureCaveats(file(['debug'], NOW - 1), NOW)).toEqual(['debug', 'expired'])
  expect(signatureCaveats(file(undefined, NOW + 1), NOW)).toEqual([])
})

test('[ASSET-01] an expired certificate of a library is no caveat, a chain that misses Apple is one', () => {
  expect(signatureCaveats(file([], NOW - 1, 'jar'), NOW)).toEqual([])
  expect(signatureCaveats(file([], NOW + 1, 'ipa', ['IPA_NOT_APPLE']), NOW)).toEqual(['not_apple'])
})
