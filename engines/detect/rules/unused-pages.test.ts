import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const MAIN = 'Lorg/maker/app/Main;'
const HELPER = 'Lorg/maker/app/Helper;'
const PLUGIN = 'Lorg/apache/cordova/CordovaPlugin;'

const makes = method('<init>()V')
const encrypts = (body: Body) =>
  void body.static(
    'Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;',
    'AES/ECB/PKCS5Padding',
  )
const level = (engine: readonly string[], more: Omit<MadePackage, 'classes'>, ...classes: WrittenDexClass[]) =>
  judgeOne('android-crypto-ecb', {
    components: [element('activity', { name: '.Main' })],
    ...more,
    classes: [
      { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [makes, method('onCreate(Landroid/os/Bundle;)V')] },
      ...engine.map((name) => ({ name, methods: [makes] })),
      ...classes,
    ],
  }).level
const helper = (...methods: WrittenDexClass['methods'] & object): WrittenDexClass => ({ name: HELPER, methods })
const task: WrittenDexClass = {
  name: HELPER,
  interfaces: ['Ljava/lang/Runnable;'],
  methods: [makes, method('run()V', encrypts)],
}

describe('[DET-03] code that nothing uses beside pages of Cordova', () => {
  const unused = helper(method('static seal()V', encrypts))

  test('is a note: pages reach plug-ins alone; scripts of other engines may call it', () => {
    expect(level([PLUGIN], {}, unused)).toBe('info')
    expect(
      level(['Lcom/facebook/react/bridge/CatalystInstance;', 'Lcom/facebook/react/ReactActivity;'], {}, unused),
    ).toBe('high')
  })

  test('a trust manager that only a class makes which nothing names is a note, and high where something names that', () => {
    const MANAGER = 'Lorg/maker/net/Lax;'
    const FACTORY = 'Lorg/maker/net/Factory;'
    const certificates = '([Ljava/security/cert/X509Certificate;Ljava/lang/String;)V'
    const lax: WrittenDexClass[] = [
      {
        name: MANAGER,
        interfaces: ['Ljavax/net/ssl/X509TrustManager;'],
        methods: [makes, method(`checkServerTrusted${certificates}`), method(`checkClientTrusted${certificates}`)],
      },
      {
        name: FACTORY,
        superclass: 'Ljavax/net/ssl/SSLSocketFactory;',
        methods: [
          method('static <clinit>()V', (body) => void body.make(MANAGER)),
          makes,
          method('static insecure()Ljavax/net/ssl/SSLSocketFactory;', (body) => body.result(body.make(FACTORY))),
        ],
      },
    ]
    const judged = (...classes: WrittenDexClass[]) =>
      judgeOne('android-trust-manager-empty', {
        components: [element('activity', { name: '.Main' }), element('service', { name: '.Sync' })],
        classes: [
          { name: PLUGIN, methods: [makes] },
          { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [makes] },
          ...lax,
          ...classes,
        ],
      }).level
    const sync = (name: string): WrittenDexClass => ({
      name,
      superclass: 'Landroid/app/Service;',
      methods: [
        makes,
        method('onCreate()V', (body) => void body.static(`${FACTORY}->insecure()Ljavax/net/ssl/SSLSocketFactory;`)),
      ],
    })
    expect(judged()).toBe('info')
    expect(judged(sync('Lorg/maker/app/Undeclared;'))).toBe('info')
    expect(judged(sync('Lorg/maker/app/Sync;'))).toBe('high')
  })

  test('keeps its level where a script or the configuration names its class', () => {
    const script = (content: string) => ({ files: { 'assets/www/index.js': content } })
    expect(level([PLUGIN], script('start("org.maker.app.Helper")'), task)).toBe('high')
    expect(level([PLUGIN], script('start("org.maker.app.Other")'), task)).toBe('info')
    // Without an engine no script runs.
    expect(level([], script('start("org.maker.app.Helper")'), task)).toBe('info')
    const named = { xml: { 'res/xml/config.xml': element('param', { value: 'org.maker.app.Helper' }) } }
    expect(level([PLUGIN], named, task)).toBe('high')
  })

  test('a page may call every method of a plug-in that is made', () => {
    const plugin: WrittenDexClass = { ...helper(makes, method('seal()V', encrypts)), superclass: PLUGIN }
    const named = { xml: { 'res/xml/config.xml': element('param', { value: 'org.maker.app.Helper' }) } }
    expect(level([PLUGIN], named, plugin)).toBe('high')
    expect(level([PLUGIN], {}, plugin)).toBe('info')
    // No plug-in: nothing calls the method of an object that is made.
    expect(level([PLUGIN], named, helper(makes, method('seal()V', encrypts)))).toBe('info')
  })

  test('keeps its level where a plug-in looks for a class by a name that a page may say', () => {
    const looks = (name?: string, plugin = 'Lorg/maker/app/Plugin;'): WrittenDexClass => ({
      name: plugin,
      superclass: PLUGIN,
      methods: [
        makes,
        method('open(Ljava/lang/String;)V', (body) => {
          const wanted = name ?? body.parameter(1)
          body.static('Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;', wanted)
        }),
      ],
    })
    expect(level([PLUGIN], {}, task, looks())).toBe('high')
    expect(level([PLUGIN], {}, task, looks('org.maker.app.Other'))).toBe('info')
    // Cordova itself does so for the constants of the build.
    expect(level([PLUGIN], {}, task, looks(undefined, 'Lorg/apache/cordova/CoreAndroid;'))).toBe('info')
    expect(level([PLUGIN], {}, task, looks(undefined, 'Lorg/apache/cordova/open/Open;'))).toBe('high')
  })

  test('the assets of a set of packages name classes too', () => {
    const files = { 'base/assets/www/index.html': '<a href="org.maker.app.Helper">' }
    expect(level([PLUGIN], { files }, task)).toBe('high')
  })

  test('a star in a file, and a blank text, do not name every class', () => {
    const open = { xml: { 'res/xml/config.xml': element('access', { origin: '*' }, element('a', { origin: ' ' })) } }
    const blank: WrittenDexClass = {
      name: 'Lorg/maker/app/Texts;',
      methods: [],
      staticFields: [
        { name: 'star:Ljava/lang/String;', value: '*' },
        { name: 'blank:Ljava/lang/String;', value: ' ' },
        { name: 'slash:Ljava/lang/String;', value: '/ ' },
      ],
    }
    expect(level([], open, task, blank)).toBe('info')
  })
})
