import { expect, test } from 'vitest'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import { scan } from '#engines/detect/scan.ts'
import { hardenApk } from '#engines/harden/harden-apk.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { method } from '#tests/support/code-body.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { hiddenFindings } from './scan-again.ts'

test('[HARD-05] findings of items that are not assessed behind the shell are hidden; what the shell still shows is not', async () => {
  const weak = method('run()V', (body) => {
    body.static('Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;', 'DES')
  })
  const made = { classes: [{ name: 'Lorg/maker/app/Main;', methods: [weak] }], application: { debuggable: true } }
  const { pieces, open } = await hardenApk(apkBytes(made), 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 5), dexProtection: true, certificate: 'c0'.repeat(32) },
  })
  const resultOf = (some: readonly Uint8Array[]) =>
    scan(readPackage(new Uint8Array(Buffer.concat(some)), 'made.apk'), SCAN_CHOICES)
  const [readable, shell] = [resultOf(open!()), resultOf(pieces)]
  const verdictOf = (id: string) => [readable, shell].map(({ items }) => items.find((one) => one.id === id)!.verdict)
  expect(verdictOf('android-crypto-weak-cipher')).toEqual(['fail', 'not_assessed'])
  expect(verdictOf('android-debuggable')).toEqual(['fail', 'fail'])
  const hidden = hiddenFindings(readable, shell)
  expect([hidden.get('android-crypto-weak-cipher'), hidden.get('android-debuggable')]).toEqual([1, 0])
  expect([...hiddenFindings(readable, readable).values()].every((count) => count === 0)).toBe(true)
})
