import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeChannelTail } from '#engines/channels/channel-tail.ts'
import { readPackageTail } from '#engines/channels/package-tail.ts'
import { type SigningScheme, signApk } from '#engines/signing/sign-apk.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { makeKey } from '#tests/support/apk/made-key.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { type JavaRig, NO_JAVA, startRig } from '#tests/support/sdk/java-rig.ts'

describe.skipIf(NO_JAVA)('the channel as the Android SDK reads it', { timeout: 120_000 }, () => {
  let rig: JavaRig
  let folder: string
  const signer = makeKey('release')
  const signed = (schemes: SigningScheme[]): Buffer => {
    const request = { key: signer.key, alias: 'release', minSdk: 21, createdBy: 'test', schemes: new Set(schemes) }
    return Buffer.concat(signApk(readZip(apkBytes({ minSdk: 21, targetSdk: 29 })), request).pieces)
  }
  const withChannel = (base: Buffer): Buffer => {
    const tail = readPackageTail((offset, length) => base.subarray(offset, offset + length), base.length)
    const channel = { key: 'store_hw', name: '华为 "channel":"x"' }
    return Buffer.concat([base.subarray(0, tail.bodySize), ...writeChannelTail(tail, channel)])
  }
  const read = async (bytes: Uint8Array) => {
    const path = join(folder, 'app.apk')
    writeFileSync(path, bytes)
    return (await rig.ask({ op: 'channel', path }))['channel']
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sdk-channel-'))
    rig = startRig()
  })
  afterAll(async () => {
    await rig?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('[HARD-07] it is read from the signing block and from META-INF; a package without one has none', async () => {
    for (const schemes of [['v1', 'v2', 'v3'], ['v2'], ['v1']] satisfies SigningScheme[][]) {
      const base = signed(schemes)
      expect(await read(base)).toBeNull()
      expect(await read(withChannel(base))).toBe('store_hw')
    }
  })

  test('what is no package, or is cut or changed, has no channel and throws nothing', async () => {
    expect(await read(Buffer.from('no package'))).toBeNull()
    expect(await read(Buffer.alloc(0))).toBeNull()
    const whole = withChannel(signed(['v2']))
    for (let at = 24; at < 400; at += 25) {
      const changed = Buffer.from(whole)
      changed[changed.length - at]! ^= 0xff
      expect([null, 'store_hw']).toContain(await read(changed))
    }
    expect(await read(whole.subarray(0, whole.length - 30))).toBeNull()
  })
})
