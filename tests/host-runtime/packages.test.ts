import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPackage } from '#engines/package/read-package.ts'
import { assembleSmali } from './assemble-smali.ts'
import { missingForHostRuntime } from './build-host-runtime.ts'
import { stubSuperclasses } from './stub-superclasses.ts'
import { verifyOnHost } from './verify-on-host.ts'

const NO_HOST = missingForHostRuntime()
/** Packages that others built, with the numbers of their classes and of the methods that the missing hierarchy of Android makes hard failures. */
const PACKAGES = [
  { from: 'io.appium.settings', file: 'settings_apk-debug.apk', classes: 5846, hard: 0 },
  { from: 'appium-uiautomator2-server', file: 'appium-uiautomator2-server-v10.6.6.apk', classes: 9575, hard: 19 },
]

function codeOf({ from, file }: (typeof PACKAGES)[number]): Uint8Array[] | undefined {
  const require = createRequire(import.meta.url)
  try {
    const path = join(dirname(require.resolve(`${from}/package.json`)), 'apks', file)
    const read = readPackage(new Uint8Array(readFileSync(path)), file)
    return read.kind === 'apk' ? read.code.map(({ bytes }) => bytes) : undefined
  } catch {
    return undefined
  }
}

describe.skipIf(NO_HOST)(`packages on the host runtime${NO_HOST ? `: ${NO_HOST}` : ''}`, () => {
  describe.each(PACKAGES)('$file', (item) => {
    const code = codeOf(item)

    test.skipIf(!code)('every class is linked and verified below stubs of Android', async () => {
      const stubs = stubSuperclasses(code!)
      const result = await verifyOnHost([...code!, assembleSmali(stubs)])
      expect(result.refused).toBeUndefined()
      expect(result.unlinked).toEqual([])
      expect(result.classes).toBe(item.classes + stubs.length)
      expect(result.hard.length).toBe(item.hard)
      // All of them are values whose real superclass a stub does not have.
      const below = /^\[0x[0-9A-F]+\] returning '.*', but expected from declaration '.*'$/
      expect(result.hard.filter(({ message }) => !below.test(message))).toEqual([])
    })
  })
})
