import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { scan } from '#engines/detect/scan.ts'
import { readPackage } from '#engines/package/read-package.ts'

/** A line of expected-findings.jsonl: a kind of evidence and the application's own classes whose code holds it. */
interface Expected {
  app: string
  ownPrefix: string
  mechanicalEvidence: Record<string, string[]>
}

/**
 * Items that must show a kind of evidence: as a finding, or among the locations that were looked at and found to be no problem. Kinds that
 * speak for a protection are shown by the item that asks for it.
 */
const SHOWN_BY: Record<string, readonly string[]> = {
  'cipher-ecb-or-default-aes': ['android-crypto-ecb', 'android-crypto-weak-cipher'],
  'cipher-getinstance': [
    'android-crypto-ecb',
    'android-crypto-weak-cipher',
    'android-crypto-cbc-padding-oracle',
    'android-crypto-rsa-no-padding',
  ],
  'clipboard-write': ['android-clipboard-sensitive'],
  'custom-hostname-verifier': ['android-hostname-verifier-allow-all'],
  'custom-trustmanager': ['android-trust-manager-empty'],
  'debugger-check': ['android-no-debugger-detect'],
  'dynamic-code': ['android-dynamic-dex-loading', 'android-external-code-load'],
  'emulator-check-string': ['android-no-emulator-detect'],
  'external-storage': ['android-external-storage-sensitive'],
  'hardcoded-key-spec': ['android-crypto-hardcoded-key'],
  'http-url': ['android-http-url-hardcoded'],
  'implicit-broadcast': ['android-ordered-broadcast-leak', 'android-implicit-intent-sensitive'],
  'load-native-lib': ['android-native-load-path'],
  'log-call': ['android-log-sensitive'],
  'root-check-string': ['android-no-root-detect'],
  'runtime-exec': ['android-runtime-exec'],
  'send-sms': ['permission:android.permission.SEND_SMS'],
  'set-result-intent': ['android-set-result-leak', 'android-intent-redirection'],
  'sharedprefs-write': ['android-sharedpref-sensitive'],
  'sqlite-raw': ['android-sql-injection-local', 'android-sqlite-unencrypted'],
  'temp-file': ['android-external-storage-sensitive'],
  'weak-hash': ['android-crypto-weak-hash'],
  'webview-file-access': ['android-webview-universal-file-access', 'android-webview-file-access'],
  'webview-js-enabled': ['android-webview-js-enabled'],
  'webview-js-interface': ['android-webview-js-interface-rce', 'android-webview-js-bridge-exposed'],
  'webview-loadurl': ['android-webview-url-from-intent'],
  'world-readable-prefs-or-file': ['android-world-readable-file'],
}

const folder = process.env['CORPUS_DIR']
const list = folder ? join(folder, 'expected-findings.jsonl') : ''
const expected: Expected[] =
  folder && existsSync(list)
    ? readFileSync(list, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Expected)
    : []
const present = expected.filter(({ app }) => existsSync(join(folder!, 'packages', app)))

/** Is the class among the findings of these items, or named among what they looked at? */
function isShown(result: ScanResult, items: readonly string[], name: string): boolean {
  const found = result.items
    .filter(({ id }) => items.includes(id))
    .some(
      ({ findings, reason }) =>
        findings.some(({ evidence }) => evidence.class === name) || reason?.en.includes(`${name}.`),
    )
  return (
    found ||
    result.permissions.some(
      (permission) =>
        items.includes(`permission:${permission.name}`) && permission.uses.some(({ place }) => place.class === name),
    )
  )
}

describe.skipIf(!present.length)('documented findings of vulnerable applications (CORPUS_DIR)', () => {
  test.each(present)('[DET-03] documented findings of $app are reported', ({ app, mechanicalEvidence }) => {
    const bytes = new Uint8Array(readFileSync(join(folder!, 'packages', app)))
    const result = scan(readPackage(bytes, app), SCAN_CHOICES)
    const missing: string[] = []
    for (const [kind, locations] of Object.entries(mechanicalEvidence))
      for (const location of locations) {
        const name = location.replace(/#.*/, '').replaceAll('/', '.')
        if (!isShown(result, SHOWN_BY[kind] ?? [], name)) missing.push(`${kind} ${name}`)
      }
    expect(missing).toEqual([])
  })
})
