import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApk, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { INSPECTION_LIMITS, runInspection } from './run-inspection.ts'
import { packageAt } from './store-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'aw-inspection-'))
afterAll(() => rmSync(folder, { recursive: true }))

function inspect(bytes: Uint8Array, limits = INSPECTION_LIMITS) {
  const path = join(folder, 'upload')
  writeFileSync(path, bytes)
  return runInspection(packageAt(path), 'a.apk', folder, limits)
}

test('[ASSET-01] a package is read in the sandbox; another file is refused', async () => {
  expect(await inspect(apkBytes({ id: 'org.maker.app' }))).toMatchObject({
    kind: 'apk',
    platform: 'android',
    packageName: 'org.maker.app',
    signature: 'unsigned',
    icon: null,
  })
  await expect(inspect(Buffer.alloc(5000, 7))).rejects.toMatchObject({
    key: 'asset.unknown_kind',
  })
})

test('[ASSET-01] the JAR signature of a library is verified, and entries that it does not cover are reported', async () => {
  const signed = withV1({ 'a/B.class': Buffer.from('code') }, makeSigner('maker'))
  const found = await inspect(buildApk({ ...signed, 'a/C.class': Buffer.from('more') }))
  expect(found).toMatchObject({
    kind: 'jar',
    signature: 'partial',
    facts: {
      schemes: [{ scheme: 'jar', state: 'partial' }],
      certificates: [{ subject: 'CN=maker, C=CN' }],
      signature_issues: [{ severity: 'warning', key: 'JAR_SIG_ZIP_ENTRY_NOT_SIGNED' }],
    },
  })
})

test('[ASSET-01] reading ends with its limits, and the next package is read', async () => {
  const bytes = apkBytes({ id: 'org.maker.app' })
  await expect(inspect(bytes, { ...INSPECTION_LIMITS, wallSeconds: 0.05 })).rejects.toMatchObject({
    params: { detail: { zh: '读取超过 0.05 秒', en: 'reading took more than 0.05 s' } },
  })
  expect((await inspect(bytes)).packageName).toBe('org.maker.app')
})
