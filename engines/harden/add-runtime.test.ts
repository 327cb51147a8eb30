import { expect, test } from 'vitest'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { readApk } from '../apk/read-apk.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import type { AndroidPackage } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { collectorBase, silenceOf } from './add-runtime.ts'
import { comparePackages } from './compare-packages.ts'
import { hardenApk } from './harden-apk.ts'
import type { HardenRequest } from './harden-request.ts'
import { hardenText } from './harden-texts.ts'
import { readKeepRules } from './keep-rules.ts'

const APP = 'Lorg/maker/app/App;'
const ABOVE = 'Landroid/app/Application;'
const PUBLIC = 0x1
const FINAL = 0x10
const ABSTRACT = 0x400
const CONTROL = { server: 'http://10.0.0.5', enrolmentKey: 'aw_ek_x', closed: false }
const attach = (flags: number) => ({
  name: 'attachBaseContext(Landroid/content/Context;)V',
  flags,
  registers: 2,
  code: () => [0x000e],
})
const ownApp = (flags: number, methods: NonNullable<MadePackage['classes']>[number]['methods'] = []): MadePackage => ({
  application: { name: '.App' },
  classes: [{ name: APP, flags, superclass: ABOVE, methods }],
})

async function harden(made: MadePackage, more: Partial<HardenRequest> = {}) {
  const input = apkBytes(made)
  const { pieces, lines } = await hardenApk(input, 'made.apk', {
    ...{ keep: readKeepRules(''), seed: Buffer.alloc(32, 5) },
    checks: { anti_debugging: 'exit', anti_xposed: 'warn' },
    ...more,
  })
  const bytes = new Uint8Array(Buffer.concat(pieces))
  return {
    ...{ input, bytes, apk: readApk(bytes) },
    texts: lines.map(
      ({ option, outcome, text, detail }) => `${outcome} ${option}: ${hardenText({ text, detail }, 'en')}`,
    ),
  }
}

test('[HARD-02] the runtime extends the app’s own Application, which is final no more, and adds no component and no permission', async () => {
  const { input, bytes, apk, texts } = await harden(ownApp(PUBLIC | FINAL))
  expect(texts).toEqual([
    'applied anti_debugging: checked when a process starts: exits',
    'applied anti_xposed: checked when a process starts: warns',
  ])
  const modelOf = (name: string) => readDexModels(entryBytes(apk.zip, apk.zip.byName.get(name)!))[0]!
  const own = modelOf('classes.dex')
  expect(own.classes.find(({ type }) => own.descriptor(type) === APP)!.flags & FINAL).toBe(0)
  const added = modelOf('classes2.dex')
  const application = `L${apk.facts.applicationClass!.value.replaceAll('.', '/')};`
  const start = added.classes.find(({ type }) => added.descriptor(type) === application)!
  expect(added.descriptor(start.superclass)).toBe(APP)
  const compared = comparePackages(
    readPackage(input, 'made.apk') as AndroidPackage,
    readPackage(bytes, 'made.apk') as AndroidPackage,
  )
  expect(compared.checks.filter(({ passed }) => !passed)).toEqual([])
  expect(apk.facts.components).toEqual([])
})

test('a package without an Application of its own gets one that extends the one of Android', async () => {
  const { apk } = await harden({ classes: [{ name: 'Lorg/maker/app/Main;', methods: [] }] })
  const added = readDexModels(entryBytes(apk.zip, apk.zip.byName.get('classes2.dex')!))[0]!
  const name = apk.facts.applicationClass!.value
  expect(name).toMatch(/^[a-z]{6}\.[a-z]{4}$/)
  const start = added.classes.find(({ type }) => added.descriptor(type) === `L${name.replace('.', '/')};`)!
  expect(added.descriptor(start.superclass)).toBe(ABOVE)
})

test.each<[string, MadePackage, string]>([
  ['Android 4', { ...ownApp(PUBLIC), minSdk: 19 }, 'Android before 5.0 loads the first dex file alone'],
  [
    'an Application of another package',
    { application: { name: 'com.other.App' }, classes: [], incomplete: true },
    'its Application com.other.App is not in the package',
  ],
  ['an abstract Application', ownApp(PUBLIC | ABSTRACT), 'its Application org.maker.app.App is abstract'],
  [
    'an attachBaseContext that is final',
    ownApp(PUBLIC, [attach(PUBLIC | FINAL)]),
    'its Application has a final attachBaseContext',
  ],
])(
  '[HARD-02] where the runtime cannot be added the package stays as it is, with the reason: %s',
  async (_, made, reason) => {
    const { apk, texts } = await harden(made, { riskControl: CONTROL })
    expect(texts).toEqual(['anti_debugging', 'anti_xposed', 'risk_control'].map((one) => `skipped ${one}: ${reason}`))
    expect(apk.facts.dexEntries).toHaveLength(1)
    expect(apk.facts.applicationClass?.value).not.toMatch(/^[a-z]{6}\.[a-z]{4}$/)
  },
)

test('the address of the collector has no path, query or slash behind it that was not meant', () => {
  expect(collectorBase('https://console.example.com/')).toBe('https://console.example.com')
  expect(collectorBase('https://console.example.com:8443/aw//?x=1#y')).toBe('https://console.example.com:8443/aw')
})

test('[HARD-02] the result says that a network configuration decides about an http server, which may stay silent then', async () => {
  const made = (application: Record<string, string | boolean>): MadePackage => ({
    ...{ classes: [], targetSdk: 35, application },
    others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
  })
  const text = 'skipped risk_control: a network security configuration decides whether the http address is reached'
  const decided = made({ networkSecurityConfig: 'res/xml/n.xml' })
  expect((await harden(decided, { riskControl: CONTROL })).texts).toContain(text)
  const tls = { ...CONTROL, server: 'https://a.example' }
  expect((await harden(decided, { riskControl: tls })).texts).not.toContain(text)
  expect((await harden(made({ usesCleartextTraffic: true }), { riskControl: CONTROL })).texts).not.toContain(text)
})

test('an http server is silent where the package allows no clear text, unless its network configuration decides', () => {
  const facts = (application: Record<string, string | boolean>, targetSdk = 35) =>
    readApk(
      apkBytes({
        ...{ classes: [], targetSdk, application },
        others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
      }),
    ).facts
  const silent = 'the server has an http address, and the package allows no clear text'
  expect(silenceOf(CONTROL, facts({}), false)).toBe(silent)
  expect(silenceOf(CONTROL, facts({}, 27), false)).toBeUndefined()
  expect(silenceOf(CONTROL, facts({}, 27), true)).toBe(silent)
  expect(silenceOf(CONTROL, facts({ usesCleartextTraffic: true }), false)).toBeUndefined()
  expect(silenceOf(CONTROL, facts({ networkSecurityConfig: 'res/xml/n.xml' }), true)).toBeUndefined()
  expect(silenceOf({ ...CONTROL, server: 'https://a.example' }, facts({}), true)).toBeUndefined()
})
