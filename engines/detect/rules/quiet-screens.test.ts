import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { writeArsc } from '#tests/support/resource-writer.ts'

const MAIN = 'Lorg/maker/app/Main;'
const PAGE = 'Lorg/maker/app/PageScreen;'
const STRING = 'Ljava/lang/String;'
const INTENT = 'Landroid/content/Intent;'
const TAKE = `${MAIN}->take(${STRING})V`
const ID = 'android-crypto-ecb'

type Write = (body: Body) => void
const idle: Write = () => {}
const encrypts: Write = (body) =>
  void body.static(`Ljavax/crypto/Cipher;->getInstance(${STRING})Ljavax/crypto/Cipher;`, 'AES/ECB/PKCS5Padding')
const starts =
  (screen: string): Write =>
  (body) => {
    const intent = body.make(
      INTENT,
      '(Landroid/content/Context;Ljava/lang/Class;)V',
      body.parameter(0),
      body.classObject(screen),
    )
    body.virtual(`${MAIN}->startActivity(${INTENT})V`, body.parameter(0), intent)
  }
const says =
  (value: string): Write =>
  (body) =>
    void body.static(TAKE, value)
const screen = (name: string, write: Write, ...more: NonNullable<WrittenDexClass['methods']>): WrittenDexClass => ({
  name,
  superclass: 'Landroid/app/Activity;',
  methods: [method('<init>()V'), method('onCreate(Landroid/os/Bundle;)V', write), ...more],
})
const page = (attributes = {}, ...children: ReturnType<typeof element>[]) =>
  element('activity', { name: '.PageScreen', ...attributes }, ...children)
const filter = (action: string) => element('intent-filter', {}, element('action', { name: action }))
const main = (attributes = {}) =>
  element('activity', { name: '.Main', ...attributes }, filter('android.intent.action.MAIN'))
const PAGE_SCREEN = screen(PAGE, encrypts)

/** What is found in a screen that only code can start, with this code of the main screen. */
const app = (write: Write = idle, more: MadePackage = {}): MadePackage => ({
  components: [main(), page()],
  ...more,
  classes: [screen(MAIN, write), ...(more.classes ?? [PAGE_SCREEN])],
})
const levelOf = (made: MadePackage) => judgeOne(ID, made).level
const found = (write?: Write, more?: MadePackage) => levelOf(app(write, more))

describe('[DET-03] findings in screens that nothing starts are low', () => {
  test('a declared screen that neither code nor a text names is low, and the finding says why', () => {
    const { level, findings } = judgeOne(ID, app())
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toMatch(/; only screens that no code of the package starts use this$/)
    expect(findings[0]!.detail.zh).toMatch(/；仅用于包内没有代码启动的界面$/)
  })

  test('a screen whose class is named by code that is used keeps its level', () => {
    expect(found(starts(PAGE))).toBe('high')
    expect(found(starts('Lorg/maker/app/Other;'))).toBe('low')
  })

  test('a starter that nothing calls starts nothing, nor does a screen that itself is not started', () => {
    const starter = method('static start(Landroid/content/Context;)V', starts(PAGE))
    const classes = [screen(PAGE, encrypts, starter)]
    expect(found(idle, { classes })).toBe('low')
    expect(found((body) => void body.static(`${PAGE}->start(Landroid/content/Context;)V`, null), { classes })).toBe(
      'high',
    )
    const SECOND = 'Lorg/maker/app/Second;'
    const second = {
      components: [main(), page(), element('activity', { name: '.Second' })],
      classes: [PAGE_SCREEN, screen(SECOND, starts(PAGE))],
    }
    expect(found(idle, second)).toBe('low')
    expect(found(starts(SECOND), second)).toBe('high')
  })

  test('what a listener of such a screen does is low too, but not what another class uses as well', () => {
    const listener: WrittenDexClass = {
      name: 'Lorg/maker/app/PageScreen$1;',
      interfaces: ['Ljava/lang/Runnable;'],
      methods: [method('<init>()V'), method('run()V', encrypts)],
    }
    const makes: Write = (body) => void body.make(listener.name)
    const classes = [screen(PAGE, makes), listener]
    expect(found(idle, { classes })).toBe('low')
    expect(found(makes, { classes })).toBe('high')
  })

  test('a heir that is started has what it inherits', () => {
    const heir: WrittenDexClass = {
      name: 'Lorg/maker/app/Heir;',
      superclass: PAGE,
      methods: [method('<init>()V', (body) => void body.super(`${PAGE}-><init>()V`, body.parameter(0)))],
    }
    const more = { components: [main(), page(), element('activity', { name: '.Heir' })], classes: [PAGE_SCREEN, heir] }
    expect(found(starts(heir.name), more)).toBe('high')
    expect(found(idle, more)).toBe('low')
  })

  test.each([
    ['it is exported', { components: [main(), page({ exported: true })] }],
    ['it has an intent filter', { components: [main(), page({ exported: false }, filter('org.maker.OPEN'))] }],
    [
      'an alias leads to it',
      {
        components: [
          main(),
          page(),
          element('activity-alias', { name: '.Door', targetActivity: '.PageScreen', exported: true }),
        ],
      },
    ],
    ['it is the parent of another', { components: [main({ parentActivityName: '.PageScreen' }), page()] }],
    ['a file of the assets names it', { files: { 'assets/menu.json': '{"open":"PageScreen"}' } }],
    [
      'an XML resource with a shortened name names it',
      { xml: { 'res/a1.xml': element('intent', { targetClass: 'org.maker.app.PageScreen' }) } },
    ],
    [
      'a text of the resources names it',
      {
        files: {
          'resources.arsc': writeArsc({
            types: [{ name: 'string', entries: { 0: { key: 'first', value: 'ui.PageScreen' } } }],
          }),
        },
      },
    ],
    ['a package of the same user id may start it', { manifest: { sharedUserId: 'org.maker' } }],
    ['scripts may start it', { classes: [PAGE_SCREEN, { name: 'Lorg/apache/cordova/CordovaPlugin;' }] }],
    ['native code names it', { files: { 'lib/arm64-v8a/liba.so': '\0org/maker/app/PageScreen\0' } }],
  ] as [string, MadePackage][])('a screen keeps its level where %s', (_, more) => {
    expect(found(idle, more)).toBe('high')
  })

  test('an application that no screen opens is not followed', () => {
    expect(found(idle, { components: [element('activity', { name: '.Main' }), page()] })).toBe('high')
  })

  test('a text of code that names it is a reference, unless it is its own', () => {
    expect(found(says('org.maker.app.PageScreen'))).toBe('high')
    expect(found(says('.PageScreen'))).toBe('high')
    expect(found(says('MyPageScreen'))).toBe('low')
    const tag = screen(PAGE, (body) => {
      encrypts(body)
      says('PageScreen')(body)
    })
    expect(found(idle, { classes: [tag] })).toBe('low')
  })

  test('where names of screens may come from elsewhere, every one may be started', () => {
    const names =
      (value: (body: Body) => ReturnType<Body['parameter']> | string): Write =>
      (body) =>
        void body.virtual(
          `${INTENT}->setClassName(Landroid/content/Context;${STRING})${INTENT}`,
          null,
          null,
          value(body),
        )
    expect(found(names((body) => body.parameter(1)))).toBe('high')
    expect(found(names(() => 'org.maker.app.Main'))).toBe('low')
    const nameOf = (body: Body) => body.virtual(`Ljava/lang/Class;->getName()${STRING}`, body.classObject(MAIN))
    expect(found(names(nameOf))).toBe('low')
    expect(
      found((body) => void body.static(`Ljava/lang/Class;->forName(${STRING})Ljava/lang/Class;`, body.parameter(1))),
    ).toBe('high')
    const passesOn: Write = (body) => {
      const given = body.virtual(`${INTENT}->getParcelableExtra(${STRING})Landroid/os/Parcelable;`, null, 'next')
      body.virtual(`${MAIN}->startActivity(${INTENT})V`, body.parameter(0), given)
    }
    expect(found(passesOn)).toBe('high')
    // Android's own libraries name what the manifest or Android gave them.
    const androidx = {
      name: 'Landroidx/core/app/NavUtils;',
      methods: [
        method(
          `go(${STRING})V`,
          names((body) => body.parameter(1)),
        ),
      ],
    }
    expect(found(idle, { classes: [PAGE_SCREEN, androidx] })).toBe('low')
  })
})
