import { expect, test } from 'vitest'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { buildApk } from '#tests/support/apk/signed-apk.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { type SigningScheme, signApk } from '../signing/sign-apk.ts'
import { readZip } from '../zip/read-zip.ts'
import { judgeChannelRoom } from './channel-room.ts'

const { key } = makeKey('signer', 'rsa')
const manifest = writeAxml({ name: 'manifest', children: [{ name: 'uses-sdk', attributes: [] }] })
const plain = buildApk({ 'AndroidManifest.xml': manifest, 'classes.dex': Buffer.from('code '.repeat(200)) })
const signed = (...schemes: SigningScheme[]): Buffer => {
  const request = { key, alias: 'a', minSdk: 1, createdBy: 'test', schemes: new Set(schemes) }
  return Buffer.concat(signApk(readZip(plain), request).pieces)
}

test('[HARD-07] packages for channels can be made of an APK with a signature, in its block or where v1 leaves room', () => {
  for (const apk of [signed('v1', 'v2', 'v3'), signed('v2'), signed('v1')]) {
    const before = Buffer.from(apk)
    expect(judgeChannelRoom(apk)).toMatchObject({
      ...{ option: 'multi_channel', outcome: 'applied', count: 1 },
      text: 'a package for a channel was made on trial and read back',
    })
    // It was a trial.
    expect(apk.equals(before)).toBe(true)
    expect(apk.includes(Buffer.from('trial'))).toBe(false)
  }
})

test('[HARD-07] an APK without signature, and one whose tail cannot be read, are said with the reason', () => {
  expect(judgeChannelRoom(plain)).toMatchObject({
    outcome: 'skipped',
    text: 'the package has no signature: channels are written after signing',
  })
  const longer = Buffer.concat([signed('v2'), Buffer.alloc(30)])
  expect(judgeChannelRoom(longer)).toMatchObject({
    ...{ outcome: 'skipped', text: 'no channel can be written: {detail}' },
    detail: 'zip: no end of central directory',
  })
  const taken = buildApk(
    {
      'AndroidManifest.xml': manifest,
      'META-INF/channel_a': Buffer.from('{}'),
      'META-INF/MANIFEST.MF': Buffer.from(''),
    },
    [],
  )
  expect(judgeChannelRoom(taken)).toMatchObject({ outcome: 'skipped', text: 'no channel can be written: {detail}' })
})
