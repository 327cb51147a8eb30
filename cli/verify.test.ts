import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApk, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { ipaOf, profileOf, signedIpa } from '#tests/support/signed-ipa.ts'
import { verifyCommand } from './verify.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'))
  file = join(folder, 'app.apk')
  const signer = makeSigner('evil\u202eeman\u001b[2J')
  writeFileSync(file, buildApk({ 'classes.dex': Buffer.from('code') }, [schemeBlock(0x7109871a, { signer })]))
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  let text = ''
  const code = verifyCommand(args, (line) => {
    text += line
  })
  return { code, text }
}

test('answers 0 for a verified package, 1 for another, 2 for what it cannot do', () => {
  expect(run(file, '--min-sdk', '24').code).toBe(0)
  expect(run(file, '--min-sdk', '21').code).toBe(1)
  for (const args of [
    [],
    [file, file],
    [join(folder, 'none.apk')],
    [file, '--min-sdk', 'x'],
    [file, '--format', 'xml'],
    [file, '--wrong'],
    [file, '--stamp', 'xyz'],
  ])
    expect(run(...args).code).toBe(2)
  expect(run(file, '--min-sdk', '30', '--max-sdk', '29').code).toBe(2)
  const odd = run(join(folder, 'no\u001b[31m.apk'))
  expect([odd.code, odd.text.includes('\u001b')]).toEqual([2, false])
})

test('a source stamp that is asked for must be there', () => {
  const asked = run(file, '--min-sdk', '24', '--stamp', 'a'.repeat(64))
  expect(asked).toMatchObject({ code: 1, text: expect.stringMatching(/^verified [\s\S]*source stamp +none/) })
})

test('says who signed, without letting names of the package steer the terminal', () => {
  const { text } = run(file, '--min-sdk', '24')
  expect(text).toContain('v2 verified')
  expect(text).toContain('evil\\u202eeman\\u001b[2J')
  expect(text).not.toContain('\u202e')
})

test('gives the same as JSON, the same bytes each time', () => {
  const { text } = run(file, '--min-sdk', '21', '--max-sdk', '33', '--format', 'json')
  expect(JSON.parse(text)).toMatchObject({
    verified: false,
    minSdk: 21,
    maxSdk: 33,
    schemes: { v2: { present: true, checked: true, verified: true } },
    signers: [{ scheme: 'v2', name: 0, certificates: [{ publicKey: { algorithm: 'EC', bits: 256, curve: 'P-256' } }] }],
    certificates: [],
    errors: [{ key: 'JAR_SIG_NO_MANIFEST', scheme: 'v1' }],
  })
  expect(run(file, '--min-sdk', '21', '--max-sdk', '33', '--format', 'json').text).toBe(text)
})

test('judges a JAR by the rules of Java, and names the unsigned entries', () => {
  const jar = join(folder, 'library.jar')
  const signed = withV1({ 'a/B.class': Buffer.from('code') }, makeSigner('maker'))
  writeFileSync(jar, buildApk(signed))
  expect(run(jar)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^verified .*\nschemes +jar verified\nsigner +CN=maker/),
  })
  writeFileSync(jar, buildApk({ ...signed, 'a/C.class': Buffer.from('more') }))
  expect(run(jar)).toMatchObject({ code: 1, text: expect.stringMatching(/^PARTLY [\s\S]*"a\/C\.class" is not signed/) })
  expect(JSON.parse(run(jar, '--format', 'json').text)).toMatchObject({
    verified: false,
    state: 'partial',
    certificates: [{ subject: 'CN=maker, C=CN' }],
    warnings: [{ key: 'JAR_SIG_ZIP_ENTRY_NOT_SIGNED' }],
  })
  writeFileSync(jar, buildApk({ 'a/B.class': Buffer.from('code') }))
  expect(run(jar)).toMatchObject({ code: 1, text: expect.stringMatching(/^NOT SIGNED/) })
})

test('says what the signature of an iOS application covers', () => {
  const signer = makeSigner('Distribution', 'rsa')
  const files = signedIpa(signer, { profile: profileOf(signer, signer) })
  const app = join(folder, 'app.ipa')
  writeFileSync(app, ipaOf(files))
  const sound = run(app)
  expect(sound.code).toBe(0)
  expect(sound.text).toMatch(
    /^verified [\s\S]*code verified, resources verified, profile verified[\s\S]*CN=Distribution/,
  )
  writeFileSync(app, ipaOf({ ...files, 'Payload/App.app/more.js': Buffer.from('x') }))
  expect(run(app)).toMatchObject({ code: 1, text: expect.stringMatching(/^PARTLY [\s\S]*more\.js" is not signed/) })
  expect(JSON.parse(run(app, '--format', 'json').text)).toMatchObject({ verified: false, state: 'partial' })
})
