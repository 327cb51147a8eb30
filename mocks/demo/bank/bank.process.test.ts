import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleSmali } from '#tests/host-runtime/assemble-smali.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { runOnHost } from '#tests/host-runtime/run-on-host.ts'
import { stubSuperclasses } from '#tests/host-runtime/stub-superclasses.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
// @ts-expect-error: plain JavaScript without types
import { assembleBank } from '../../../scripts/build-demo-bank.mjs'
import { BANK_VERSIONS, bankDex, bankDexHash } from './bank-build.ts'
import { bankPackage } from './bank-package.ts'
import { bankSigner } from './bank-signer.ts'

const NO_HOST = missingForHostRuntime()
const missing = (program: string) =>
  spawnSync(program, ['--version']).error || spawnSync(program, ['version']).error ? `no ${program}` : ''
const [NO_APKSIGNER, NO_AAPT] = [missing('apksigner'), missing('aapt')]

/** Prints what Money makes of its arguments, and back. */
const AMOUNTS = `
.class public Lcheck/Amounts;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 6
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const/4 v1, 0x0
    :next
    array-length v2, p0
    if-ge v1, v2, :done
    aget-object v2, p0, v1
    invoke-static {v2}, Lcn/example/pocketbank/Money;->parse(Ljava/lang/String;)J
    move-result-wide v4
    invoke-static {v4, v5}, Lcn/example/pocketbank/Money;->format(J)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    add-int/lit8 v1, v1, 0x1
    goto :next
    :done
    return-void
.end method
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bank-'))
  for (const version of BANK_VERSIONS) writeFileSync(fileOf(version), bankPackage(version))
})
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (version: string) => join(folder, `${version}.apk`)

describe.skipIf(NO_HOST)(`the code of the bank on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test.each(BANK_VERSIONS)('the committed code of %s is what its sources assemble to', (version) => {
    const hash = createHash('sha256').update(assembleBank(version)).digest('hex')
    expect(hash).toBe(bankDexHash(version))
  })

  test.each(BANK_VERSIONS)('the verifier of ART takes every class of %s', async (version) => {
    const dex = bankDex(version)
    const verified = await verifyOnHost([dex, assembleSmali(stubSuperclasses([dex]))])
    expect([verified.refused, verified.hard, verified.unlinked]).toEqual([undefined, [], []])
    expect(verified.classes).toBeGreaterThan(20)
  })

  test('amounts are read to the cent, and what is no amount is refused', async () => {
    const amounts = ['1234.5', '0.07', '88', '.5', '1.234', 'ten', '', '12.3.4']
    const run = await runOnHost([bankDex('9.4.0'), assembleSmali([AMOUNTS.trim()], 26)], 'check.Amounts', amounts)
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    expect(run.stdout.trim().split('\n')).toEqual(['1234.50', '0.07', '88.00', '0.50', ...Array(4).fill('-0.01')])
  })
})

describe.skipIf(NO_APKSIGNER)(`the packages of the bank and apksigner${NO_APKSIGNER && `: ${NO_APKSIGNER}`}`, () => {
  test.each(BANK_VERSIONS)('%s verifies by v1, v2 and v3 with the certificate of the bank', (version) => {
    const verify = (...more: string[]) =>
      execFileSync('apksigner', ['verify', '-v', '-Werr', '--print-certs', ...more, fileOf(version)], {
        encoding: 'utf8',
      })
    const all = verify('--min-sdk-version', '21')
    for (const scheme of ['v1', 'v2', 'v3']) expect(all).toMatch(new RegExp(`${scheme} scheme .*: true`))
    expect(all).toContain(`SHA-256 digest: ${bankSigner}`)
    expect(verify()).toContain('Verifies')
  })
})

describe.skipIf(NO_AAPT)(`the packages of the bank and aapt${NO_AAPT && `: ${NO_AAPT}`}`, () => {
  test.each(BANK_VERSIONS)('%s has its names, icons and first screen', (version) => {
    const badging = execFileSync('aapt', ['dump', 'badging', fileOf(version)], { encoding: 'utf8' })
    for (const line of [
      `package: name='cn.example.pocketbank' versionCode='${version.replaceAll('.', '')}' versionName='${version}'`,
      "application-label:'掌上银行'",
      "application-label-en:'Pocket Bank'",
      "application-icon-640:'res/mipmap-xxxhdpi/ic_launcher.png'",
      "launchable-activity: name='cn.example.pocketbank.LoginActivity'",
    ])
      expect(badging).toContain(line)
  })
})
