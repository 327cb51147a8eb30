import type { Random } from '#tests/fuzz/mutate-input.ts'
import { buildApk, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { filesOf } from './mutant-parts.ts'

export const signer = makeSigner('maker')

export const signedFiles = () =>
  Object.fromEntries([...filesOf(), ['assets/notes.txt', Buffer.from('notes '.repeat(400))]])

export const v1 = () => buildApk(withV1(signedFiles(), signer))

export const v2 = () => buildApk(signedFiles(), [schemeBlock(0x7109871a, { signer })])

export const v3 = () =>
  buildApk(withV1(signedFiles(), signer), [
    schemeBlock(0x7109871a, { signer }),
    schemeBlock(0xf05368c0, { signer, sdk: [28, 0x7fffffff] }),
  ])

export const SIGNATURE = ['android-signature-broken', 'android-signature-missing']

export function flipped(apk: Buffer, random: Random): Buffer {
  const directory = apk.readUInt32LE(apk.length - 6)
  // In the data of the package: compressed content, a header's unused field and the signing block alike.
  const at = 40 + random.below(directory - 40)
  apk[at]! ^= 1 << random.below(8)
  return apk
}
