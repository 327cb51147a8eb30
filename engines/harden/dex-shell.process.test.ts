import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import type { HostRun } from '#tests/host-runtime/run-on-host.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { element } from '#tests/support/detect-package.ts'
import { rewritten } from '#tests/support/rewritten-zip.ts'
import { inspectAndroid } from '../detect/inspect-android.ts'
import { readProgram } from '../dex/read-program.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { hardenApk } from './harden-apk.ts'
import type { HardenRequest } from './harden-request.ts'
import { readKeepRules } from './keep-rules.ts'
import type { WantedChecks } from './runtime-checks.ts'

const NO_HOST = missingForHostRuntime()
const DER = Buffer.from('the certificate of the maker')
const CERTIFICATE = createHash('sha256').update(DER).digest('hex')

let folder: string
let certificate: string
let plain: Uint8Array
let sealed: Uint8Array
let sourceDir: string
beforeAll(async () => {
  if (NO_HOST) return
  folder = mkdtempSync(join(tmpdir(), 'dex-shell-'))
  certificate = file('maker.der', DER)
  plain = madeApp()
  sealed = await encrypted(plain)
  sourceDir = file('sealed.apk', sealed)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const harden = (apk: Uint8Array, more: Partial<HardenRequest>) =>
  hardenApk(apk, 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 7), certificate: CERTIFICATE, dexProtection: true },
    ...more,
  })
const joined = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces))
const encrypted = async (apk: Uint8Array, more: Partial<HardenRequest> = {}) => joined((await harden(apk, more)).pieces)

const madeApp = (application: Record<string, string> = {}, minSdk = 21) =>
  phoneApp({
    ...{ minSdk, application },
    components: [element('provider', { name: '.Store', authorities: 'a' }), element('activity', { name: '.Main' })],
  })
const STARTED = `attached
provider
  in its application
provider, application context
  in its application
created
activity
  in its application
activity, outer context
  in its application
running
`

describe.skipIf(NO_HOST)(`encrypted code on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`, { timeout: 120_000 }, () => {
  test('the made-up phone starts the app as it is', async () => {
    for (const SDK_INT of ['21', '28', '35'])
      expect(await startOnPhone(plain, { SDK_INT, activity: 'org.maker.app.Main' })).toMatchObject({
        ...{ exit: 0, stdout: STARTED },
      })
  })

  test.each(['21', '23', '25', '26', '27', '28', '29', '33', '35'])(
    '[HARD-02] an app whose code is encrypted starts as before on Android API %s: its Application before providers, and no other one anywhere',
    async (SDK_INT) => {
      const activity = 'org.maker.app.Main'
      const run = await startOnPhone(sealed, { SDK_INT, activity, certificate, sourceDir })
      if (run.exit !== 0) console.log(JSON.stringify(run).slice(0, 3000))
      expect(run).toMatchObject({ exit: 0, stdout: STARTED })
    },
  )

  test('[HARD-02] what is encrypted is the code after all other options: what it printed is gone, as in the readable result', async () => {
    const { pieces, open } = await harden(plain, { logLevels: ['println'], antiDecompile: true })
    const apk = joined(pieces)
    for (const SDK_INT of ['24', '28', '33']) {
      const facts = { SDK_INT, activity: 'org.maker.app.Main', certificate }
      const run = await startOnPhone(apk, { ...facts, sourceDir: file('silent.apk', apk) })
      // The phone says the last line; the call behind a branch stays, since its stream may be another one.
      const stdout = `${'  in its application\n'.repeat(4)}running\n`
      for (const one of [run, await startOnPhone(joined(open!()), facts)])
        expect(one).toMatchObject({ exit: 0, stdout })
    }
  })

  test('[HARD-02] the app’s own factory makes its components, and the process finds it only when its code is there', async () => {
    const apk = await encrypted(madeApp({ appComponentFactory: '.Parts' }, 29))
    const facts = { activity: 'org.maker.app.Main', certificate, sourceDir: file('factory.apk', apk) }
    for (const SDK_INT of ['29', '35'])
      expect((await startOnPhone(apk, { ...facts, SDK_INT })).stdout).toContain('created\nmade by its own factory\n')
  })

  test('[HARD-02] several processes start, with the files of Android 7 written once', async () => {
    const facts = { SDK_INT: '24', certificate, sourceDir, codeCache: mkdtempSync(join(folder, 'cache-')) }
    const runs = await Promise.all(['1', '2', '3'].map((pid) => startOnPhone(sealed, { ...facts, pid })))
    for (const run of runs) expect(run).toMatchObject({ exit: 0 })
    const [name, ...more] = codeFiles(facts.codeCache)
    expect(more).toEqual([])
    // What somebody else put there is not used.
    writeFileSync(join(facts.codeCache, name!), 'dex\n035')
    expect(await startOnPhone(sealed, facts)).toMatchObject({ exit: 0 })
  })

  test.each(['21', '25'])(
    '[HARD-02] on Android API %s a file that is not written whole is deleted, and what ended processes left, but nothing of running ones',
    async (SDK_INT) => {
      const facts = { SDK_INT, certificate, sourceDir }
      const first = mkdtempSync(join(folder, 'cache-'))
      expect(await startOnPhone(sealed, { ...facts, codeCache: first })).toMatchObject({ exit: 0 })
      const [name] = codeFiles(first) as [string]
      const codeCache = mkdtempSync(join(folder, 'cache-'))
      const pid = String(process.pid)
      symlinkSync('/dev/full', join(codeCache, name + pid))
      const failed = await startOnPhone(sealed, { ...facts, codeCache, pid })
      expect([failed.exit, failed.exception?.type]).toEqual([1, 'java.io.FileNotFoundException'])
      expect(codeFiles(codeCache)).toEqual([])
      // No process has so high a number (PID_MAX_LIMIT is 2^22); the one of another build is not ours to delete.
      const [ended, running, other] = [`${name}${2 ** 22 + 1}`, name + pid, `other${name}${2 ** 22 + 1}`]
      for (const one of [ended, running, other]) writeFileSync(join(codeCache, one), 'part')
      expect(await startOnPhone(sealed, { ...facts, codeCache, pid: '1' })).toMatchObject({ exit: 0 })
      expect(codeFiles(codeCache)).toEqual([name, running, other].sort())
    },
  )

  test.each(['21', '25', '28'])(
    '[HARD-02] on Android API %s the first Application hides the name of the package from the main thread alone, and not after onCreate',
    async (SDK_INT) => {
      const names = 'org.maker.app\n'
      const run = await startOnPhone(sealed, { SDK_INT, certificate, sourceDir, names: '1' })
      const plainly = await startOnPhone(plain, { SDK_INT, names: '1' })
      expect(run).toMatchObject({ exit: 0, stdout: plainly.stdout })
      expect(run.stdout.split(names)).toHaveLength(3)
    },
  )

  test('[HARD-02] a package with another certificate, or with a changed byte of its code, does not start and says why', async () => {
    const other = file('other.der', Buffer.from('the certificate of somebody else'))
    const zip = readZip(sealed)
    const name = payloadOf(sealed)
    const changed = (at: (size: number) => number) => {
      const bytes = new Uint8Array(entryBytes(zip, zip.byName.get(name)!))
      bytes[at(bytes.length)]! ^= 1
      return file('changed.apk', rewritten(sealed, { [name]: bytes }))
    }
    for (const SDK_INT of ['24', '27', '33']) {
      const facts = { SDK_INT, certificate, sourceDir }
      const signed = await startOnPhone(sealed, { ...facts, certificate: other })
      expect(signed).toMatchObject({ exit: 1, stdout: '' })
      expect(reasonOf(signed)).toBe('This package is not signed with the certificate that it was protected for')
      for (const at of [() => 0, () => 33, (size: number) => size - 1]) {
        const run = await startOnPhone(sealed, { ...facts, sourceDir: changed(at) })
        expect(run).toMatchObject({ exit: 1, stdout: '' })
        expect(reasonOf(run)).toBe('The code of this package was changed')
      }
      const less = file('less.apk', rewritten(sealed, { [name]: undefined }))
      expect(reasonOf(await startOnPhone(sealed, { ...facts, sourceDir: less }))).toBe(
        'The code of this package was changed',
      )
    }
  })

  test('[HARD-02] the checks at run time are encrypted too, know the loader, and act before the code of the app', async () => {
    const checks: WantedChecks = { anti_debugging: 'exit', signature_check: 'exit', integrity_check: 'exit' }
    const apk = await encrypted(plain, { checks })
    const facts = { certificate, sourceDir: file('checked.apk', apk), wait: '3000' }
    const flipped = new Uint8Array(entryBytes(readZip(apk), readZip(apk).byName.get('classes.dex')!))
    flipped[flipped.length - 1]! ^= 1
    const loader = file('loader.apk', rewritten(apk, { 'classes.dex': flipped }))
    const more = file('more.apk', rewritten(apk, { 'classes2.dex': 'x' }))
    for (const SDK_INT of ['25', '28', '33']) {
      const activity = 'org.maker.app.Main'
      expect(await startOnPhone(apk, { ...facts, SDK_INT, activity })).toMatchObject({ exit: 0, stdout: STARTED })
      expect(await startOnPhone(apk, { ...facts, SDK_INT, debugger: '1' })).toMatchObject({ exit: 0x89, stdout: '' })
      for (const changed of [loader, more])
        expect(await startOnPhone(apk, { ...facts, SDK_INT, sourceDir: changed })).toMatchObject({ exit: 0x89 })
    }
  })

  test('[HARD-02] what is readable is the loader alone, which ART’s verifier accepts, and no two builds have names or texts in common', async () => {
    const builds = await Promise.all([1, 2].map((seed) => encrypted(plain, { seed: Buffer.alloc(32, seed) })))
    const loaders = builds.map((apk) => {
      const zip = readZip(apk)
      expect([...zip.byName.keys()].filter((name) => name.endsWith('.dex'))).toEqual(['classes.dex'])
      return entryBytes(zip, zip.byName.get('classes.dex')!)
    })
    for (const dex of loaders)
      for (const text of ['org/maker', 'appwarden', 'HmacSHA256', 'mInitialApplication', 'dexElements'])
        expect(Buffer.from(dex).toString('latin1')).not.toContain(text)
    const { hard, soft, access, unlinked } = await verifyOnHost([loaders[0]!, phoneClasses()])
    expect({ hard, soft, access, unlinked }).toEqual({ hard: [], soft: [], access: [], unlinked: [] })
    expect(payloadOf(builds[0]!)).not.toBe(payloadOf(builds[1]!))
  })

  test('[HARD-02] our detector names the shell: a second run is refused, and the code is not called clean', async () => {
    await expect(encrypted(sealed)).rejects.toMatchObject({ key: 'packed', message: /already protected by AppWarden/ })
    const source = readPackage(sealed, 'made.apk')
    const { inspected } = inspectAndroid(source, readProgram(source.code))
    expect(inspected.packer).toEqual({ zh: 'AppWarden', en: 'AppWarden' })
    // A file with other bytes has no mark.
    const random = rewritten(plain, { 'assets/abcdefgh': Buffer.alloc(4096, 7) })
    expect(inspectAndroid(readPackage(random, 'made.apk'), null).inspected.packer).not.toMatchObject({
      en: 'AppWarden',
    })
  })
})

/** The innermost reason of what ended a process. */
function reasonOf({ exception }: HostRun): string | undefined {
  let cause = exception
  while (cause?.cause) cause = cause.cause
  return cause?.message
}

/** Without the folder that ART writes into. */
const codeFiles = (codeCache: string): string[] =>
  readdirSync(codeCache)
    .filter((name) => name !== 'o')
    .sort()

const payloadOf = (apk: Uint8Array): string =>
  [...readZip(apk).byName.keys()].find((name) => /^assets\/[a-z]{8}$/.test(name))!
