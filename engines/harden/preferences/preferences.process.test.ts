import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, phoneClasses, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { verifyOnHost } from '#tests/host-runtime/verify-on-host.ts'
import { element } from '#tests/support/detect-package.ts'
import { readPackage } from '../../package/read-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'
import { hardenApk } from '../harden-apk.ts'
import type { HardenRequest } from '../harden-request.ts'
import { readKeepRules } from '../keep-rules.ts'

const NO_HOST = missingForHostRuntime()
const DER = Buffer.from('the certificate of the maker')
const CERTIFICATE = createHash('sha256').update(DER).digest('hex')

let folder: string
let phones = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'encrypted-preferences-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const app = (minSdk: number) => phoneApp({ minSdk, components: [element('activity', { name: '.Settings' })] })
let made: Uint8Array | undefined
function plain(): Uint8Array {
  made ??= app(21)
  return made
}

async function harden(more: Partial<HardenRequest> = {}, seed = 7, source = plain()) {
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, seed), preferences: true, ...more }
  const { pieces, lines } = await hardenApk(source, 'made.apk', request)
  return { apk: new Uint8Array(Buffer.concat(pieces)), lines }
}

/** What a phone keeps between starts of the app. */
class Phone {
  private readonly home = join(folder, String(phones++))
  readonly keyStore = join(this.home, 'keystore')

  constructor() {
    for (const name of ['preferences', 'private']) mkdirSync(join(this.home, name), { recursive: true })
  }

  /** Starts the app and does what the steps say. Without `keyStore` AndroidKeyStore does not answer. */
  async start(apk: Uint8Array, steps: readonly string[], { keyStore = true, ...facts }: Record<string, unknown> = {}) {
    const run = await startOnPhone(apk, {
      activity: 'org.maker.app.Settings',
      script: steps.map((step) => `${step}${step.includes(' ') ? '' : ' '}|`).join(''),
      preferences: join(this.home, 'preferences'),
      noBackup: join(this.home, 'private'),
      ...(keyStore === true && { keystore: this.keyStore }),
      ...(facts as Record<string, string>),
    })
    expect(run).toMatchObject({ exit: 0 })
    return run.stdout.split('\n').filter((line) => !['attached', 'created', 'running', ''].includes(line))
  }

  private path(name: string): string {
    return join(this.home, 'preferences', name)
  }

  /** Lines of a file of preferences. */
  lines(name: string): string[] {
    const path = this.path(name)
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
  }

  write(name: string, lines: readonly string[]): void {
    writeFileSync(this.path(name), lines.map((line) => `${line}\n`).join(''))
  }

  /** Files of the private folder, with their content. */
  private(): Record<string, Buffer> {
    const path = join(this.home, 'private')
    return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]))
  }

  /** As after an install on another phone, which got the preferences from a backup. */
  loseKeys(): void {
    rmSync(join(this.home, 'private'), { recursive: true })
    mkdirSync(join(this.home, 'private'))
    rmSync(this.keyStore, { force: true })
  }
}

const LARGE = '9007199254740993'
const PUTS = [
  'put s token a secret of the app',
  'put s empty ',
  'put s 名字 值 🔑',
  'put i count -2147483648',
  `put l id ${LARGE}`,
  'put f share 1056964609',
  'put b seen true',
  'put c roles admin,owner,',
  'put s null named by null',
]
const GETS = [
  's token',
  's empty',
  's 名字',
  'i count',
  'l id',
  'f share',
  'b seen',
  'c roles',
  's null',
  's none',
].map((one) => `get ${one}`)
const SEALED = /^s\t\+q7Zk3vX9:[\w-]{43}\t[\w-]{64,}$/

describe.skipIf(NO_HOST)(
  `encrypted preferences on ART 11${NO_HOST ? `: ${NO_HOST}` : ''}`,
  { timeout: 180_000 },
  () => {
    test('[HARD-02] values of each type come back in the same process and in the next one, and the file has neither names nor values', async () => {
      const steps = ['open account 0', 'edit', ...PUTS, 'commit', ...GETS, 'all']
      const expected = await new Phone().start(plain(), steps)
      expect(expected).toContain('s\t+token\ta secret of the app')
      expect(expected).toContain('c\t+roles\tadmin,owner,')
      const { apk, lines } = await harden()
      expect(lines.filter(({ outcome }) => outcome === 'applied')).toMatchObject([
        { option: 'db_protection', file: 'classes.dex', text: 'calls that open preferences redirected', count: 5 },
      ])
      const phone = new Phone()
      expect(await phone.start(apk, steps)).toEqual(expected)
      const kept = phone.lines('account')
      expect(kept).toHaveLength(PUTS.length)
      for (const line of kept) expect(line).toMatch(SEALED)
      expect(await phone.start(apk, ['open account 0', ...GETS])).toEqual(expected.slice(1, 1 + 2 * GETS.length))
      // Another build of the app, which has other names for all of ours, reads them too.
      const { apk: next } = await harden({}, 8)
      expect((await phone.start(next, ['open account 0', ...GETS]))[1]).toBe('s\t+token\ta secret of the app')
      const keys = phone.private()
      expect(Object.keys(keys).sort()).toEqual(['preferences.key', 'preferences.lock'])
      expect(keys['preferences.key']![0]).toBe(1)
      expect(existsSync(phone.keyStore)).toBe(true)
    })

    test('[HARD-02] removing, clearing, a null text, other types, sets that are changed afterwards and listeners are as without encryption', async () => {
      const steps = [
        ...['open account 0', 'listen', 'edit', ...PUTS, 'apply', 'all'],
        ...[
          'edit',
          'put s token a secret of the app',
          'put i count 5',
          'null empty',
          'remove none',
          'remove seen',
          'commit',
        ],
        ...[
          'get s empty',
          'get i count',
          'get b seen',
          'get i token',
          'get s count',
          'get c token',
          'get l count',
          'all',
        ],
        ...[
          'edit',
          'put s left yes',
          'clear',
          'remove left',
          'put s late no',
          'commit',
          'all',
          'edit',
          'remove null',
          'commit',
        ],
        ...['deaf', 'edit', 'put s unheard yes', 'commit', 'get s unheard', 'inherited account', 'get s late'],
      ]
      const expected = await new Phone().start(plain(), steps)
      expect(expected).toContain('changed: token')
      expect(expected).toContain('java.lang.ClassCastException')
      const phone = new Phone()
      expect(await phone.start((await harden()).apk, steps)).toEqual(expected)
      expect(phone.lines('account').map((line) => SEALED.test(line))).toEqual([true, true])
    })

    test('[HARD-02] listeners hear of a clear only from Android 11 on in an app that is made for it, and of changes by other threads on the main thread', async () => {
      const { apk } = await harden()
      const steps = ['open account 0', 'edit', 'put s a b', 'commit', 'listen', 'edit', 'clear', 'put i n 1', 'commit']
      expect(await new Phone().start(apk, steps)).toEqual(['true', 'changed: null', 'changed: n', 'true'])
      for (const facts of [{ SDK_INT: '29' }, { targetSdkVersion: '29' }])
        expect(await new Phone().start(apk, steps, facts)).toEqual(['true', 'changed: n', 'true'])
      expect(await new Phone().start(apk, ['open account 0', 'listen', 'edit', 'put i n 1', 'elsewhere'])).toEqual([
        'committed elsewhere',
        'changed: n',
      ])
    })

    test('[HARD-02] the preferences of an activity and of the app are encrypted, those of another package are not, nor those that have no key', async () => {
      const { apk } = await harden()
      const phone = new Phone()
      const put = (name: string) => ['edit', `put s ${name} secret`, 'commit', `get s ${name}`]
      await phone.start(apk, ['own', ...put('a'), 'default', ...put('b'), 'open null 0', ...put('c')])
      for (const name of ['Settings', 'org.maker.app_preferences', 'null'])
        expect(phone.lines(name)).toEqual([expect.stringMatching(SEALED)])
      await phone.start(apk, ['other foreign', ...put('d')])
      expect(phone.lines('foreign')).toEqual(['s\t+d\tsecret'])
      const broken = new Phone()
      expect(await broken.start(apk, ['open x 0', ...put('e')], { noBackup: join(folder, 'nowhere') })).toEqual([
        'true',
        'true',
        's\t+e\tsecret',
      ])
      expect(broken.lines('x')).toEqual(['s\t+e\tsecret'])
    })

    test('[HARD-02] readable values of before are read and moved, one of no known type stays, and a value that was put is not taken back', async () => {
      const { apk } = await harden()
      const phone = new Phone()
      const before = [
        's\t+token\tsecret of before',
        'i\t+count\t7',
        'c\t+roles\ta,b,',
        'z\t+odd\t',
        's\t-\tby null',
        'b\t+seen\tfalse',
      ]
      phone.write('account', before)
      const all = await phone.start(apk, ['open account 0', 'all', 'get s odd', 'edit', 'put s token new', 'commit'])
      expect(all.slice(0, 6).sort()).toEqual([...before].sort())
      expect(all.slice(6)).toEqual(['true', 'java.lang.ClassCastException', 'true'])
      const kept = phone.lines('account')
      expect(kept.filter((line) => !SEALED.test(line))).toEqual(['z\t+odd\t'])
      expect(kept).toHaveLength(6)
      expect(
        await phone.start(apk, ['open account 0', 'get s token', 'get s null', 'edit', 'remove odd', 'commit']),
      ).toEqual(['true', 's\t+token\tnew', 'true', 's\t-\tby null', 'true'])
      expect(phone.lines('account').filter((line) => !SEALED.test(line))).toEqual([])
    })

    test('[HARD-02] a value that was changed, cut, or put in the place of another one is absent, and the others are there', async () => {
      const { apk } = await harden()
      const phone = new Phone()
      await phone.start(apk, ['open account 0', 'edit', 'put s a first', 'put s b second', 'commit'])
      const [first, second] = phone.lines('account') as [string, string]
      const sealedOf = (line: string) => line.split('\t')[2]!
      const flip = (line: string, at: number) => {
        const value = Buffer.from(sealedOf(line), 'base64url')
        value[at < 0 ? value.length + at : at]! ^= 1
        return line.replace(sealedOf(line), value.toString('base64url'))
      }
      const changed = [
        ...[0, 15, 16, 20, -33, -32, -1].map((at) => flip(first, at)),
        first.replace(sealedOf(first), sealedOf(first).slice(0, 40)),
        first.replace(sealedOf(first), ''),
        first.replace(sealedOf(first), '?!'),
        first.replace(sealedOf(first), sealedOf(second)),
      ]
      for (const line of changed) {
        phone.write('account', [line, second])
        expect(await phone.start(apk, ['open account 0', 'get s a', 'get s b'])).toEqual([
          ...['false', 's\t+a\tinstead', 'true', 's\t+b\tsecond'],
        ])
        expect(phone.lines('account')).toEqual([line, second])
      }
    })

    test('[HARD-02] after the keys are lost the app starts with absent values, and keeps new ones', async () => {
      const { apk } = await harden()
      const phone = new Phone()
      await phone.start(apk, ['open account 0', 'edit', 'put s a first', 'commit'])
      phone.loseKeys()
      const steps = ['open account 0', 'get s a', 'edit', 'put s a again', 'commit']
      expect(await phone.start(apk, steps)).toEqual(['false', 's\t+a\tinstead', 'true'])
      expect(await phone.start(apk, ['open account 0', 'get s a', 'all'])).toEqual([
        ...['true', 's\t+a\tagain', 's\t+a\tagain'],
      ])
    })

    test('[HARD-02] while AndroidKeyStore does not answer a spare key is used, and nothing is lost when it answers again', async () => {
      const { apk } = await harden()
      const phone = new Phone()
      await phone.start(apk, ['open account 0', 'edit', 'put s a first', 'put s b second', 'commit'])
      const during = ['open account 0', 'get s a', 'edit', 'put s b changed', 'put s c third', 'commit']
      expect(await phone.start(apk, during, { keyStore: false })).toEqual(['false', 's\t+a\tinstead', 'true'])
      expect(phone.lines('account')).toHaveLength(4)
      expect(Object.keys(phone.private())).toContain('preferences.spare')
      const after = ['open account 0', 'get s a', 'get s b', 'get s c']
      const there = ['true', 's\t+a\tfirst', 'true', 's\t+b\tchanged', 'true', 's\t+c\tthird']
      expect(await phone.start(apk, after)).toEqual(there)
      expect(phone.lines('account')).toHaveLength(3)
      expect(await phone.start(apk, after)).toEqual(there)
    })

    test.each(['21', '22'])(
      '[HARD-02] on Android API %s, which has no AndroidKeyStore for this, the key lies in the private folder',
      async (SDK_INT) => {
        const { apk } = await harden()
        const phone = new Phone()
        await phone.start(apk, ['open account 0', 'edit', 'put s a first', 'commit'], { SDK_INT })
        expect(phone.private()['preferences.key']).toHaveLength(33)
        expect(existsSync(phone.keyStore)).toBe(false)
        expect(await phone.start(apk, ['open account 0', 'get s a'], { SDK_INT })).toEqual(['true', 's\t+a\tfirst'])
        // Android was updated meanwhile.
        expect(await phone.start(apk, ['open account 0', 'get s a'])).toEqual(['true', 's\t+a\tfirst'])
      },
    )

    test.each(['21', '26', '28', '33'])(
      '[HARD-02] with encrypted code, checks at run time, hidden texts and shell protection preferences are encrypted as well on Android API %s',
      async (SDK_INT) => {
        const { apk } = await harden({
          ...{ dexProtection: true, certificate: CERTIFICATE, antiDecompile: true },
          checks: {
            integrity_check: 'exit',
            anti_debugging: 'exit',
            signature_check: 'exit',
            shell_protection: 'exit',
          },
        })
        const certificate = join(folder, 'maker.der')
        const sourceDir = join(folder, `sealed-${SDK_INT}.apk`)
        writeFileSync(certificate, DER)
        writeFileSync(sourceDir, apk)
        const phone = new Phone()
        const steps = ['open account 0', 'edit', ...PUTS, 'commit', ...GETS, 'all']
        const facts = { SDK_INT, certificate, sourceDir, wait: '1500' }
        expect(await phone.start(apk, steps, facts)).toEqual(await new Phone().start(plain(), steps, { SDK_INT }))
        for (const line of phone.lines('account')) expect(line).toMatch(SEALED)
      },
    )

    test.each([
      ['alone', {}],
      ['inside of encrypted code', { dexProtection: true, certificate: CERTIFICATE }],
    ] as [string, Partial<HardenRequest>][])(
      '[HARD-02] methods that are virtualised open encrypted preferences, %s',
      async (_, more) => {
        const source = app(26)
        const { apk, lines } = await harden({ virtualised: ['org.maker.app.Settings'], ...more }, 7, source)
        const count = (text: string) => lines.find((line) => line.text === text)?.count
        expect(count('calls that open preferences redirected')).toBe(5)
        expect(lines.filter(({ text }) => text === 'methods virtualised').length).toBeGreaterThan(0)
        const nativeLibraries = mkdtempSync(join(folder, 'lib-'))
        const zip = readZip(apk)
        for (const [name, entry] of zip.byName)
          if (name.startsWith('lib/x86_64/'))
            writeFileSync(join(nativeLibraries, basename(name)), entryBytes(zip, entry))
        const certificate = join(folder, 'maker.der')
        const sourceDir = join(folder, 'virtualised.apk')
        writeFileSync(certificate, DER)
        writeFileSync(sourceDir, apk)
        const steps = [
          'open account 0',
          'listen',
          'edit',
          ...PUTS,
          'commit',
          ...GETS,
          'own',
          'default',
          'edit',
          'put s a b',
          'commit',
        ]
        const phone = new Phone()
        expect(await phone.start(apk, steps, { nativeLibraries, certificate, sourceDir })).toEqual(
          await new Phone().start(source, steps),
        )
        for (const name of ['account', 'org.maker.app_preferences'])
          for (const line of phone.lines(name)) expect(line).toMatch(SEALED)
      },
    )

    test('[HARD-02] ART’s verifier accepts all code, no two builds have names or texts of ours in common, and no text says what it does', async () => {
      const builds = await Promise.all([1, 2].map((seed) => harden({}, seed)))
      const code = builds.map(({ apk }) => readPackage(apk, 'made.apk').code.map(({ bytes }) => bytes))
      const { hard, soft, access, unlinked } = await verifyOnHost([...code[0]!, phoneClasses()])
      expect({ hard, soft, access, unlinked }).toEqual({ hard: [], soft: [], access: [], unlinked: [] })
      expect(code[0]![1]).not.toEqual(code[1]![1])
      const { apk } = builds[0]!
      const whole = Buffer.concat(readZip(apk).entries.map((one) => Buffer.from(entryBytes(readZip(apk), one))))
      for (const text of ['appwarden', 'AndroidKeyStore', 'preferences.key', 'HmacSHA256', 'q7Zk3vX9'])
        expect(whole.includes(text)).toBe(false)
    })
  },
)
