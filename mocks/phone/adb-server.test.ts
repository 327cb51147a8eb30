import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startAdbServer } from './adb-server.ts'
import { TELLING } from './behaviour.ts'
import { SimulatedPhone } from './simulated-phone.ts'

const PACKAGE = 'node_modules/io.appium.settings/apks/settings_apk-debug.apk'
const ID = 'io.appium.settings'
const hasAdb = (() => {
  try {
    return execFileSync('adb', ['version'], { encoding: 'utf8' }).includes('1.0.41')
  } catch {
    return false
  }
})()

test.skipIf(!hasAdb)(
  '[DET-01] adb itself takes the simulated phone for one (needs adb on this machine)',
  { timeout: 60_000 },
  async () => {
    const phone = new SimulatedPhone({ behaviours: { [ID]: TELLING } })
    const server = await startAdbServer([phone])
    const folder = mkdtempSync(join(tmpdir(), 'aw-adb-'))
    const adb = async (...args: string[]) =>
      (await promisify(execFile)('adb', ['-P', String(server.port), ...args], { encoding: 'utf8', timeout: 20_000 }))
        .stdout
    try {
      expect(await adb('devices')).toMatch(/^simulated-1\s+device$/m)
      expect(await adb('shell', 'getprop', 'ro.product.model')).toBe('Simulated phone\n')
      await expect(adb('shell', 'nothing')).rejects.toMatchObject({ code: 127 })
      expect(await adb('install', PACKAGE)).toMatch(/Success/)
      expect(await adb('shell', 'pm', 'list', 'packages')).toBe(`package:${ID}\n`)
      expect(await adb('shell', 'am', 'start', '-W', '-n', `${ID}/${ID}.Settings`)).toMatch(/^Status: ok$/m)
      expect(await adb('logcat', '-d', '-v', 'epoch')).toMatch(/Start proc \d+:io\.appium\.settings/)
      const [sent, back] = [join(folder, 'sent'), join(folder, 'back')]
      writeFileSync(sent, Buffer.alloc(200_000, 7))
      await adb('push', sent, '/sdcard/sent.bin')
      await adb('pull', '/sdcard/sent.bin', back)
      expect(readFileSync(back).equals(readFileSync(sent))).toBe(true)
      expect(await adb('uninstall', ID)).toMatch(/Success/)
      expect(phone.apps.size).toBe(0)
    } finally {
      await server.close()
      rmSync(folder, { recursive: true })
    }
  },
)
