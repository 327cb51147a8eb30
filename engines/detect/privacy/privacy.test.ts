import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage, makePackage } from '#tests/support/detect-package.ts'
import { PRIVACY_ITEMS, PRIVACY_SOURCES } from '../catalogue/privacy-data.ts'
import { findPolicy } from '../content/policy-text.ts'
import { SCAN_CHOICES, type ScanChoices } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'

const APP = 'Lorg/maker/app/App;'
const HELPER = 'Lorg/maker/app/Helper;'
const IMEI = 'Landroid/telephony/TelephonyManager;->getDeviceId()Ljava/lang/String;'
const GETTER = 'Landroid/content/SharedPreferences;->getBoolean(Ljava/lang/String;Z)Z'
const imei = (body: Body) => void body.virtual(IMEI, null)

function privacyOf(made: MadePackage, choices: Partial<ScanChoices> = {}) {
  const others = [element('uses-permission', { name: 'android.permission.READ_PHONE_STATE' })]
  const result = scan(makePackage({ application: { name: '.App' }, others, ...made }), {
    ...SCAN_CHOICES,
    kinds: ['privacy'],
    ...choices,
  })
  return new Map(result.privacy.map((one) => [one.id, one]))
}
const app = (write: (body: Body) => void) => ({
  name: APP,
  superclass: 'Landroid/app/Application;',
  methods: [method('onCreate()V', write)],
})
const inTurn =
  (...steps: readonly ((body: Body) => void)[]) =>
  (body: Body) => {
    for (const step of steps) step(body)
  }
const helper = { name: HELPER, methods: [method('static collect()V', imei)] }

describe('[DET-06] privacy', () => {
  test('all 66 checks answer, each with reason and source', () => {
    const found = privacyOf({ classes: [app(() => {})] })
    expect(found.size).toBe(66)
    expect(PRIVACY_ITEMS).toHaveLength(66)
    for (const one of found.values()) {
      expect(one.reason.zh && one.reason.en, one.id).toBeTruthy()
      expect(PRIVACY_SOURCES.has(one.source)).toBe(true)
    }
    for (const { questionZh, questionEn } of PRIVACY_ITEMS) expect(questionZh && questionEn).toBeTruthy()
  })

  test('collection before consent is reported with the chain from the entry point down to the call', () => {
    const found = privacyOf({ classes: [app((body) => body.static(`${HELPER}->collect()V`)), helper] }).get('m3-1')!
    expect(found.verdict).toBe('fail')
    expect(found.chains).toHaveLength(1)
    expect(found.chains[0]).toMatchObject({ info: 'imei', owner: null })
    expect(found.chains[0]!.steps.map((step) => `${step.class}.${step.method}`)).toEqual([
      'org.maker.app.App.onCreate()V',
      'org.maker.app.Helper.collect()V',
    ])
  })

  test('collection after a consent check passes, before it fails, and another setting guards nothing', () => {
    const verdict = (write: (body: Body) => void) => privacyOf({ classes: [app(write), helper] }).get('m3-1')!.verdict
    const look = (key: string) => (body: Body) => void body.interface(GETTER, null, key, 0)
    const collect = (body: Body) => void body.static(`${HELPER}->collect()V`)
    expect(verdict(inTurn(look('privacy_agreed'), collect))).toBe('pass')
    expect(verdict(inTurn(collect, look('privacy_agreed')))).toBe('fail')
    expect(verdict(inTurn(look('dark_mode'), collect))).toBe('fail')
  })

  test('threads, subclasses and content providers are followed; what only a button starts is not', () => {
    const task = {
      name: 'Lorg/maker/app/Task;',
      interfaces: ['Ljava/lang/Runnable;'],
      methods: [method('<init>()V'), method('run()V', imei)],
    }
    const thread = privacyOf({ classes: [app((body) => body.make('Lorg/maker/app/Task;')), task] })
    expect(thread.get('m3-1')!.chains[0]!.steps.map((step) => step.method)).toEqual(['onCreate()V', 'run()V'])
    const provider = privacyOf({
      components: [element('provider', { name: 'com.igexin.Start', authorities: 'a' })],
      classes: [
        app(() => {}),
        {
          name: 'Lcom/igexin/Start;',
          superclass: 'Landroid/content/ContentProvider;',
          methods: [
            method('onCreate()Z', (body) => {
              imei(body)
              body.result(1, 'Z')
            }),
          ],
        },
      ],
    })
    expect(provider.get('m3-1')!.chains[0]).toMatchObject({ owner: 'getui', info: 'imei' })
    expect(provider.get('m5-1')!.verdict).toBe('fail')
    const click = {
      name: 'Lorg/maker/app/Click;',
      interfaces: ['Landroid/view/View$OnClickListener;'],
      methods: [method('<init>()V'), method('onClick(Landroid/view/View;)V', imei)],
    }
    const button = privacyOf({ classes: [app((body) => body.make('Lorg/maker/app/Click;')), click] })
    expect(button.get('m3-1')!.verdict).toBe('pass')
    expect(button.get('g-15')!.verdict).toBe('fail')
  })

  test('recursion and wide hierarchies end', () => {
    const loop = {
      name: HELPER,
      methods: [
        method('static a()V', (body) => body.static(`${HELPER}->b()V`)),
        method('static b()V', (body) => {
          body.static(`${HELPER}->a()V`)
          imei(body)
        }),
      ],
    }
    const found = privacyOf({ classes: [app((body) => body.static(`${HELPER}->a()V`)), loop] })
    expect(found.get('m3-1')!.chains[0]!.steps).toHaveLength(3)
  })

  test('privacy items of packed code are not assessed', () => {
    const packed = privacyOf({
      application: { name: 'com.stub.StubApp' },
      classes: [{ name: 'Lcom/stub/StubApp;', superclass: 'Landroid/app/Application;' }],
      files: { 'assets/libjiagu.so': 'x' },
    })
    for (const id of ['m3-1', 'g-15', 'm4-6']) expect(packed.get(id)!.verdict, id).toBe('not_assessed')
    expect(packed.get('m1-1')!.verdict).toBe('manual')
  })

  test('the policy is held against what code collects', () => {
    const classes = [app(imei)]
    expect(privacyOf({ classes }).get('m2-1')!.verdict).toBe('not_assessed')
    const policy = (what: string) =>
      `隐私政策。我们收集${what}用于安全。更新日期 2026-01-01，变更时弹窗通知。${'说明'.repeat(300)}`
    const named = privacyOf({ classes }, { policyText: policy('设备识别码') })
    expect(named.get('m3-3')!.verdict).toBe('pass')
    expect(named.get('m2-2')!.verdict).toBe('pass')
    const silent = privacyOf({ classes }, { policyText: policy('昵称') })
    expect(silent.get('m3-3')!).toMatchObject({ verdict: 'fail', reason: { en: expect.stringContaining('IMEI') } })
    const denied = privacyOf({ classes }, { policyText: policy('昵称，不会收集您的设备识别码') })
    expect(denied.get('m3-9')!.verdict).toBe('fail')
    const shipped = privacyOf({
      classes,
      files: { 'assets/privacy.html': `<html><title>隐私政策</title><body>${policy('设备识别码')}</body></html>` },
    })
    expect(shipped.get('m1-1')!.verdict).toBe('pass')
  })

  test('a hostile policy costs time in proportion to its length', () => {
    // Time of the processor: the machine may be busy with something else.
    const began = process.cpuUsage()
    for (const text of ['<script>'.repeat(200_000), '<'.repeat(500_000), `隐私政策${'不会收集'.repeat(100_000)}`])
      findPolicy(null, [{ source: 'file', text: `隐私政策 ${text}`, location: { entry: 'a.html', offset: 0 } }])
    for (const policyText of [
      'a'.repeat(500_000),
      '答复 1 '.repeat(100_000),
      `1${' '.repeat(499_999)}`,
      '1'.repeat(500_000),
    ])
      privacyOf({ classes: [app(imei)] }, { policyText })
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(5000)
  })

  test('self-start, requests at launch, types: what the manifest and permissions say', () => {
    const boot = (actions: readonly string[]) =>
      privacyOf({
        classes: [app(() => {})],
        components: [
          element(
            'receiver',
            { name: '.Boot', exported: true },
            element('intent-filter', {}, ...actions.map((name) => element('action', { name }))),
          ),
        ],
      }).get('t164-6')!.verdict
    expect(boot([])).toBe('pass')
    expect(boot(['android.intent.action.BOOT_COMPLETED'])).toBe('manual')
    expect(boot(['android.intent.action.USER_PRESENT'])).toBe('fail')
    const typed = {
      classes: [app(() => {})],
      others: [element('uses-permission', { name: 'android.permission.READ_CONTACTS' })],
    }
    expect(privacyOf(typed).get('m4-1')!.verdict).toBe('manual')
    expect(privacyOf(typed, { applicationTypes: ['news'] }).get('m4-1')!.verdict).toBe('fail')
    expect(privacyOf({ ...typed, targetSdk: 22 }).get('m4-6')!.verdict).toBe('fail')
  })
})
