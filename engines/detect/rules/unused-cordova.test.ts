import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const ENGINE = 'Lorg/apache/cordova/engine/SystemWebViewEngine;'
const VIEW = 'Lorg/apache/cordova/CordovaWebViewImpl;'
const SCREEN = 'Lorg/apache/cordova/CordovaActivity;'
const MAIN = 'Lorg/maker/app/Main;'

const made = method('<init>()V')
const heirOf = (name: string, superclass: string): WrittenDexClass => ({
  name,
  superclass,
  methods: [method('<init>()V', (body) => void body.super(`${superclass}-><init>()V`, body.parameter(0)))],
})
/** The classes of Cordova as an application of Capacitor has them, whose screen shows its pages in a web view of its own. */
const application = (
  {
    main = () => {},
    classes = [],
    ...more
  }: { main?: (body: Body) => void; classes?: readonly WrittenDexClass[] } & Omit<MadePackage, 'classes'> = {},
  loads: (body: Body) => void = () => {},
): MadePackage => ({
  components: [element('activity', { name: '.Main' })],
  ...more,
  classes: [
    {
      name: MAIN,
      superclass: 'Lcom/getcapacitor/BridgeActivity;',
      methods: [made, method('onCreate(Landroid/os/Bundle;)V', main), method('load(Ljava/lang/String;)V', loads)],
    },
    { name: 'Lcom/getcapacitor/BridgeActivity;', superclass: 'Landroid/app/Activity;', methods: [made] },
    {
      name: SCREEN,
      superclass: 'Landroid/app/Activity;',
      methods: [made, method('onCreate(Landroid/os/Bundle;)V', (body) => void body.static(`${VIEW}->make()V`))],
    },
    { name: VIEW, methods: [method('static make()V', (body) => void body.make(ENGINE))] },
    {
      name: ENGINE,
      methods: [
        method('<init>()V', (body) => void body.virtual(`${ENGINE}->init(Landroid/webkit/WebSettings;)V`, null, null)),
        method('init(Landroid/webkit/WebSettings;)V', (body) => {
          body.virtual('Landroid/webkit/WebSettings;->setAllowUniversalAccessFromFileURLs(Z)V', body.parameter(1), 1)
        }),
      ],
    },
    ...classes,
  ],
})
const level = (made: MadePackage) => judgeOne('android-webview-universal-file-access', made).level

describe('DET-03 the web view of Cordova in an application that has no screen of Cordova', () => {
  test('findings in it are notes', () => {
    expect(level(application())).toBe('info')
  })

  test('they stay where a screen extends that of Cordova, declared, made by code or not made at all', () => {
    const START = 'Lorg/maker/app/Start;'
    const classes = [heirOf(START, SCREEN)]
    const components = [element('activity', { name: '.Main' }), element('activity', { name: '.Start' })]
    expect(level(application({ classes, components }))).toBe('high')
    expect(level(application({ classes, main: (body) => void body.make(START) }))).toBe('high')
    expect(level(application({ classes }))).toBe('high')
    const itself = element('activity', { name: 'org.apache.cordova.CordovaActivity' })
    expect(level(application({ components: [element('activity', { name: '.Main' }), itself] }))).toBe('high')
  })

  test('they stay where other code makes or extends the web view, whether or not it is used itself', () => {
    expect(level(application({ main: (body) => void body.make(ENGINE) }))).toBe('high')
    expect(level(application({ main: (body) => void body.static(`${VIEW}->make()V`) }))).toBe('high')
    expect(level(application({ classes: [heirOf('Lorg/maker/app/Engine;', ENGINE)] }))).toBe('high')
    const plugin = {
      name: 'Lorg/apache/cordova/more/Plugin;',
      methods: [method('go()V', (body) => void body.make(ENGINE))],
    }
    expect(level(application({ classes: [plugin] }))).toBe('high')
  })

  test('they stay where a text names a class of it, and where code is loaded', () => {
    const load = `${MAIN}->load(Ljava/lang/String;)V`
    const names = (text: string) => application({ main: (body) => void body.virtual(load, null, text) })
    expect(level(names('org.apache.cordova.engine.SystemWebViewEngine'))).toBe('high')
    expect(level(names('org.apache.cordova.CordovaActivity'))).toBe('high')
    expect(level(names('org.apache.cordova'))).toBe('info')
    const native = { 'lib/arm64-v8a/liba.so': '\x7fELF\0org/apache/cordova/CordovaWebViewImpl\0' }
    expect(level(application({ files: native }))).toBe('high')
    const loads = (body: Body) =>
      void body.make('Ldalvik/system/DexClassLoader;', '(Ljava/lang/String;)V', body.parameter(1))
    expect(level(application({}, loads))).toBe('high')
  })
})
