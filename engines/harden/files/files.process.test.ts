import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleSmali, classesOf } from '#tests/host-runtime/assemble-smali.ts'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { element } from '#tests/support/detect-package.ts'
import { writeArsc } from '#tests/support/resource-writer.ts'
import { rewritten } from '#tests/support/rewritten-zip.ts'
import { readPackage } from '../../package/read-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'
import { hardenApk } from '../harden-apk.ts'
import type { HardenRequest } from '../harden-request.ts'
import { readKeepRules } from '../keep-rules.ts'

const NO_HOST = missingForHostRuntime()
const DER = Buffer.from('the certificate of the maker')
const CERTIFICATE = createHash('sha256').update(DER).digest('hex')
const PEM = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n'
const LONG = Buffer.from('offline map '.repeat(9000))
const OPENS =
  'aconfig/settings.ini,mconfig/settings.ini,aca.pem,amap.dat,anote.bin,a缺.txt,r7f010000,v7f010000,o7f010000,r7f010001,'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'encrypted-files-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const made = (files: Record<string, Uint8Array> = {}) =>
  phoneApp({
    ...{ minSdk: 21, components: [element('activity', { name: '.Reading' })] },
    files: {
      ...files,
      'assets/config/settings.ini': 'server = 10.0.0.1',
      'assets/ca.pem': PEM,
      'assets/map.dat': LONG,
      'assets/note.bin': 'left as it is',
      'res/raw/pin.cer': PEM,
      'res/raw/other.bin': 'plain resource',
      'resources.arsc': writeArsc({
        types: [
          {
            name: 'raw',
            entries: { 0: { key: 'pin', value: 'res/raw/pin.cer' }, 1: { key: 'other', value: 'res/raw/other.bin' } },
          },
        ],
      }),
    },
  })

/** It is not run: that it is there is what counts. */
const REACHES_OTHERS = `
.class public Lorg/maker/other/Reach;
.super Ljava/lang/Object;
.method static reach(Landroid/content/Context;Ljava/lang/String;)Landroid/content/Context;
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, p1, v0}, Landroid/content/Context;->createPackageContext(Ljava/lang/String;I)Landroid/content/Context;
    move-result-object v0
    return-object v0
.end method
`

const WANTED: Partial<HardenRequest> = { resources: ['assets/**', '!assets/*.bin'], certificates: true }

async function harden(apk: Uint8Array, more: Partial<HardenRequest> = {}) {
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 7), ...WANTED, ...more }
  const { pieces, lines } = await hardenApk(apk, 'made.apk', request)
  return { apk: new Uint8Array(Buffer.concat(pieces)), lines }
}

const FACTS = {
  activity: 'org.maker.app.Reading',
  opens: OPENS,
  'raw.7f010000': 'res/raw/pin.cer',
  'raw.7f010001': 'res/raw/other.bin',
}

describe.skipIf(NO_HOST)(`encrypted files on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test('[HARD-02] a program opens encrypted files, by every call, with the content of before, and others untouched', async () => {
    const plain = made()
    const { apk, lines } = await harden(plain)
    expect(
      lines
        .filter(({ outcome, text }) => outcome === 'applied' && text === 'file encrypted')
        .map(({ option, file }) => `${option} ${file}`),
    ).toEqual([
      'resource_protection assets/config/settings.ini',
      'resource_protection assets/ca.pem',
      'cer_protection assets/ca.pem',
      'resource_protection assets/map.dat',
      'cer_protection res/raw/pin.cer',
    ])
    const before = await startOnPhone(plain, FACTS)
    const after = await startOnPhone(apk, FACTS)
    expect(before).toMatchObject({ exit: 0 })
    expect(before.stdout).toContain(Buffer.from('server = 10.0.0.1').toString('base64').replace(/=+$/, ''))
    expect(before.stdout).toContain('java.io.FileNotFoundException: 缺.txt')
    expect(after).toMatchObject({ exit: 0, stdout: before.stdout })
    const whole = Buffer.concat(readZip(apk).entries.map((one) => Buffer.from(entryBytes(readZip(apk), one)))).toString(
      'latin1',
    )
    for (const text of ['10.0.0.1', 'BEGIN CERTIFICATE', 'offline map', 'HmacSHA256', 'appwarden'])
      expect(whole).not.toContain(text)
  })

  test('[HARD-02] a file with one changed byte, a shorter one, one of another name and a readable one in its place are refused by name', async () => {
    const { apk } = await harden(made())
    const zip = readZip(apk)
    const content = (name: string) => new Uint8Array(entryBytes(zip, zip.byName.get(name)!))
    const flipped = (name: string, at: number) => {
      const bytes = content(name)
      bytes[at < 0 ? bytes.length + at : at]! ^= 1
      return bytes
    }
    const settings = 'assets/config/settings.ini'
    const refusals: [Record<string, Uint8Array | string>, string][] = [
      ...[0, 15, 16, 47, 48, 63, 64, -1].map((at): [Record<string, Uint8Array>, string] => [
        { [settings]: flipped(settings, at) },
        'java.io.IOException: The file config/settings.ini of this package was changed',
      ]),
      [
        { [settings]: content(settings).slice(0, 40) },
        'java.io.IOException: The file config/settings.ini of this package was changed',
      ],
      [
        { [settings]: content('assets/map.dat') },
        'java.io.IOException: The file config/settings.ini of this package was changed',
      ],
      [
        { [settings]: 'server = 6.6.6.6' },
        'java.io.IOException: The file config/settings.ini of this package was changed',
      ],
    ]
    for (const [changes, message] of refusals) {
      const assets = file('changed.apk', rewritten(apk, changes))
      const run = await startOnPhone(apk, { ...FACTS, opens: 'aconfig/settings.ini,aca.pem,', assets })
      expect(run.stdout).toContain(
        `aconfig/settings.ini\n${message}\naca.pem\n${Buffer.from(PEM).toString('base64').slice(0, 20)}`,
      )
    }
    const assets = file('raw.apk', rewritten(apk, { 'res/raw/pin.cer': flipped('res/raw/pin.cer', -1) }))
    const run = await startOnPhone(apk, { ...FACTS, opens: 'r7f010000,v7f010000,', assets })
    const message = 'android.content.res.Resources$NotFoundException: The file 7f010000 of this package was changed'
    expect(run.stdout).toContain(`r7f010000\n${message}\nv7f010000\n${message}\n`)
  })

  test.each(['21', '26', '28', '33'])(
    '[HARD-02] with encrypted code, checks at run time, hidden texts and renamed resources the files open as before on Android API %s',
    async (SDK_INT) => {
      const plain = made()
      const { apk } = await harden(plain, {
        ...{ dexProtection: true, certificate: CERTIFICATE, antiDecompile: true, logLevels: ['d'] },
        checks: { integrity_check: 'exit', anti_debugging: 'exit', signature_check: 'exit' },
      })
      const read = readPackage(apk, 'made.apk')
      if (read.kind !== 'apk') throw new Error('no APK')
      const named = [...(read.resources?.all() ?? [])].map(({ id, value }) => [`raw.${id.toString(16)}`, value!.text!])
      const facts = { ...FACTS, SDK_INT, ...Object.fromEntries(named) }
      const more = { certificate: file('maker.der', DER), sourceDir: file('sealed.apk', apk), wait: '1500' }
      const before = await startOnPhone(plain, { ...FACTS, SDK_INT })
      expect(await startOnPhone(apk, { ...facts, ...more })).toMatchObject({ exit: 0, stdout: before.stdout })
    },
  )

  test('[HARD-02] an app that opens files of other packages gets those that have the name of an encrypted one', async () => {
    const classes = assembleSmali(classesOf(REACHES_OTHERS), 21)
    const { apk } = await harden(made({ 'classes2.dex': classes }))
    const changed = new Uint8Array(entryBytes(readZip(apk), readZip(apk).byName.get('assets/ca.pem')!))
    changed[changed.length - 1]! ^= 1
    const open = async (content: Uint8Array | string) => {
      const assets = file('other.apk', rewritten(apk, { 'assets/ca.pem': content }))
      return (await startOnPhone(apk, { ...FACTS, opens: 'aca.pem,', assets })).stdout
    }
    const content = 'of another package, and longer than what an encrypted file has before its content'
    expect(await open(content)).toContain(`aca.pem\n${Buffer.from(content).toString('base64url')}\n`)
    expect(await open('short')).toContain(`aca.pem\n${Buffer.from('short').toString('base64url')}\n`)
    expect(await open(changed)).toContain('The file ca.pem of this package was changed')
  })

  test('[HARD-02] ART’s verifier accepts all code, and no two builds have names, texts or bytes of files in common', async () => {
    const builds = await Promise.all([1, 2].map((seed) => harden(made(), { seed: Buffer.alloc(32, seed) })))
    const read = builds.map(({ apk }) => readPackage(apk, 'made.apk'))
    const code = read.map((one) => one.code.map(({ bytes }) => bytes))
    const { hard, soft, access, unlinked } = await verifyOnHost([...code[0]!, phoneClasses()])
    expect({ hard, soft, access, unlinked }).toEqual({ hard: [], soft: [], access: [], unlinked: [] })
    const [first, second] = builds.map(({ apk }) => entryBytes(readZip(apk), readZip(apk).byName.get('assets/ca.pem')!))
    expect(Buffer.from(first!.subarray(0, 16))).not.toEqual(Buffer.from(second!.subarray(0, 16)))
    expect(code[0]![1]).not.toEqual(code[1]![1])
  })
})
