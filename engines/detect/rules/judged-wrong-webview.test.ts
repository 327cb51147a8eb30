import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { code, MAIN, verdictOf } from '#tests/support/made-code.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'

const INTERFACE = 'addJavascriptInterface(Ljava/lang/Object;Ljava/lang/String;)V'
const STRING = 'Ljava/lang/String;'
const INTENT = 'Landroid/content/Intent;'

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
describe('DET-03 findings about web views that were judged wrong', () => {
  test.each(['file', 'content', 'http', 'https'])('the scheme "%s" is not reported as a custom scheme', (name) => {
    const opened = (scheme: string) =>
      code(() => {}, {
        components: [
          element(
            'activity',
            { name: '.Main', exported: true },
            element(
              'intent-filter',
              {},
              element('action', { name: 'android.intent.action.VIEW' }),
              element('category', { name: 'android.intent.category.BROWSABLE' }),
              element('data', { scheme }),
            ),
          ),
        ],
      })
    expect(verdictOf('android-deeplink-custom-scheme', opened(name))).toBe('pass')
    expect(verdictOf('android-deeplink-custom-scheme', opened('maker'))).toBe('fail')
  })

  test('a method with the name of onReceivedSslError and an error of its own is not called by Android', () => {
    const proceeding = (error: string): MadePackage => ({
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/webkit/WebViewClient;',
          methods: [
            method(
              `onReceivedSslError(Landroid/webkit/WebView;Landroid/webkit/SslErrorHandler;${error})V`,
              (body) => void body.virtual('Landroid/webkit/SslErrorHandler;->proceed()V', body.parameter(2)),
            ),
          ],
        },
      ],
    })
    const id = 'android-webview-ssl-error-proceed'
    expect(verdictOf(id, proceeding('Landroid/net/http/SslError;'))).toBe('fail')
    expect(verdictOf(id, proceeding('Lcom/tencent/smtt/export/external/interfaces/SslError;'))).toBe('fail')
    expect(verdictOf(id, proceeding('La/b/dw;'))).toBe('pass')
  })

  test('a JavaScript interface behind a look at the Android version, one call away, is a note', () => {
    const add = (body: Body) =>
      body.virtual(
        'Landroid/webkit/WebView;->addJavascriptInterface(Ljava/lang/Object;Ljava/lang/String;)V',
        null,
        null,
        'app',
      )
    const newer = method('static isNew()Z', (body) =>
      body.result(body.field('Landroid/os/Build$VERSION;->SDK_INT:I'), 'Z'),
    )
    const guarded = {
      minSdk: 14,
      classes: [
        {
          name: MAIN,
          methods: [
            newer,
            method('show()V', (body) => {
              body.static(`${MAIN}->isNew()Z`)
              add(body)
            }),
          ],
        },
      ],
    }
    expect(judgeOne('android-webview-js-interface-rce', { minSdk: 14, ...code((body) => void add(body)) }).level).toBe(
      'high',
    )
    expect(judgeOne('android-webview-js-interface-rce', guarded).level).toBe('info')
  })

  test('a page with a wrong certificate that is shown once the user has agreed is no high finding', () => {
    const FLAG = 'Lorg/maker/app/Page;->agreed:Z'
    const page = (asks: boolean): MadePackage => ({
      classes: [
        {
          name: 'Lorg/maker/app/Page;',
          superclass: 'Landroid/app/Activity;',
          staticFields: [{ name: 'agreed:Z' }],
          methods: [
            method('static isAgreed()Z', (body) => body.result(body.field(FLAG), 'Z')),
            method('static agree()V', (body) => body.put(FLAG, 1)),
          ],
        },
        {
          name: 'Lorg/maker/app/Client;',
          superclass: 'Landroid/webkit/WebViewClient;',
          methods: [
            method(
              'onReceivedSslError(Landroid/webkit/WebView;Landroid/webkit/SslErrorHandler;Landroid/net/http/SslError;)V',
              (body) => {
                if (asks) body.static('Lorg/maker/app/Page;->isAgreed()Z')
                body.virtual('Landroid/webkit/SslErrorHandler;->proceed()V', body.parameter(2))
              },
            ),
          ],
        },
        {
          name: 'Lorg/maker/app/Yes;',
          interfaces: ['Landroid/content/DialogInterface$OnClickListener;'],
          methods: [
            method(
              'onClick(Landroid/content/DialogInterface;I)V',
              (body) => void body.static('Lorg/maker/app/Page;->agree()V'),
            ),
          ],
        },
      ],
    })
    expect(judgeOne('android-webview-ssl-error-proceed', page(true)).level).toBe('middle')
    expect(judgeOne('android-webview-ssl-error-proceed', page(false)).level).toBe('high')
  })

  test('a WebView that adds interfaces from Android 4.2 on alone is safe', () => {
    const view = (write: (body: Body) => void): MadePackage => ({
      minSdk: 14,
      classes: [{ name: MAIN, superclass: 'Landroid/webkit/WebView;', methods: [method(INTERFACE, write)] }],
    })
    const add = (body: Body) =>
      void body.super(`Landroid/webkit/WebView;->${INTERFACE}`, body.parameter(0), body.parameter(1), body.parameter(2))
    const behind = (version: number) => (body: Body) => {
      const now = body.field('Landroid/os/Build$VERSION;->SDK_INT:I')
      body.static('Lorg/maker/app/Main;->compare(II)V', now, version)
      add(body)
    }
    const id = 'android-webview-js-interface-rce'
    expect(verdictOf(id, view(behind(17)))).toBe('pass')
    expect(verdictOf(id, view(behind(11)))).toBe('fail')
    expect(judgeOne(id, view(add)).level).toBe('high')
  })

  test('a page whose debugging every caller binds to a debuggable build is not open to debugging', () => {
    const debugs = (isGuarded: boolean): MadePackage => ({
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method('setUp()V', (body) => {
              if (isGuarded) body.virtual('Lorg/maker/app/Builds;->isDebuggable()Z', null)
              body.virtual(`${MAIN}->debug()V`, body.parameter(0))
            }),
            method(
              'debug()V',
              (body) => void body.static('Landroid/webkit/WebView;->setWebContentsDebuggingEnabled(Z)V', 1),
            ),
          ],
        },
      ],
    })
    expect(verdictOf('android-webview-debug', debugs(true))).toBe('pass')
    expect(verdictOf('android-webview-debug', debugs(false))).toBe('fail')
  })

  test('a debug build is asked of every caller, through an interface too, and never of what Android calls', () => {
    const LOG = 'Lorg/maker/app/Log;'
    const debugs = (body: Body) => void body.static('Landroid/webkit/WebView;->setWebContentsDebuggingEnabled(Z)V', 1)
    const guarded = (name: string) =>
      method('setUp()V', (body) => {
        body.virtual('Lorg/maker/app/Builds;->isDebuggable()Z', null)
        body.virtual(`${MAIN}->${name}`, body.parameter(0))
      })
    const screen = (name: string, ...more: WrittenDexClass['methods'] & object): WrittenDexClass => ({
      name: MAIN,
      superclass: 'Landroid/app/Activity;',
      interfaces: [LOG],
      methods: [guarded(name), method(name, debugs), ...more],
    })
    const log: WrittenDexClass = { name: LOG, flags: 0x601, methods: [{ name: 'debug()V', flags: 0x401 }] }
    const open = method('open()V', (body) => void body.interface(`${LOG}->debug()V`, null))
    const verdict = (...classes: WrittenDexClass[]) => verdictOf('android-webview-debug', { classes })
    expect(verdict(screen('debug()V'), log)).toBe('pass')
    expect(verdict(screen('debug()V', open), log)).toBe('fail')
    expect(verdict(screen('onResume()V'), log)).toBe('fail')
    const provider = { ...screen('query()V'), superclass: 'Landroid/content/ContentProvider;', interfaces: [] }
    expect(verdict(provider)).toBe('fail')
  })

  test('a field that says true in the package binds nothing to a debug build', () => {
    const verdict = (value: number) =>
      verdictOf('android-webview-debug', {
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [
              method('work()V', (body) => {
                body.field('Lorg/maker/app/Config;->DEBUG:Z')
                body.static('Landroid/webkit/WebView;->setWebContentsDebuggingEnabled(Z)V', 1)
              }),
            ],
          },
          { name: 'Lorg/maker/app/Config;', methods: [], staticFields: [{ name: 'DEBUG:Z', flags: 0x19, value }] },
        ],
      })
    expect(verdict(0)).toBe('pass')
    expect(verdict(1)).toBe('fail')
  })

  test('a page that only Android 5 and later loads has none of the bridges of Android 4.1', () => {
    const loads = (parameter: string): MadePackage => ({
      minSdk: 14,
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/webkit/WebViewClient;',
          methods: [
            method(`shouldOverrideUrlLoading(Landroid/webkit/WebView;${parameter})Z`, (body) => {
              body.virtual('Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V', null, 1)
              body.virtual(`Landroid/webkit/WebView;->loadUrl(${STRING})V`, body.parameter(1), 'http://a.b')
            }),
          ],
        },
      ],
    })
    const id = 'android-webview-system-js-interfaces'
    expect(verdictOf(id, loads('Landroid/webkit/WebResourceRequest;'))).toBe('pass')
    expect(verdictOf(id, loads(STRING))).toBe('fail')
  })

  describe('a page with scripts', () => {
    const page = (exported: boolean, prefix: string): MadePackage => ({
      targetSdk: 28,
      minSdk: 21,
      components: [element('activity', { name: '.Main', exported })],
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method('onCreate(Landroid/os/Bundle;)V', (body) => {
              body.virtual('Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V', null, 1)
              const intent = body.virtual(`${MAIN}->getIntent()${INTENT}`, body.parameter(0))
              const name = body.virtual(`${INTENT}->getStringExtra(${STRING})${STRING}`, intent, 'game')
              const address = body.make('Ljava/lang/StringBuilder;')
              for (const part of [prefix, name])
                body.virtual(`Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`, address, part)
              const whole = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, address)
              body.virtual(`Landroid/webkit/WebView;->loadUrl(${STRING})V`, null, whole)
            }),
          ],
        },
      ],
    })

    test('out of the package itself is no outside address, unless strangers choose it', () => {
      const id = 'android-webview-file-access'
      expect(verdictOf(id, page(false, 'file:///android_asset/'))).toBe('pass')
      expect(verdictOf(id, page(true, 'file:///android_asset/'))).toBe('fail')
      expect(verdictOf(id, page(false, 'https://maker.org/'))).toBe('fail')
    })

    test('from a cleartext address, that code or a resource opens by a name of parts, is a finding', () => {
      const level = (write: (body: Body) => void, more: Record<string, Uint8Array> = {}) =>
        judgeOne('android-webview-js-from-http', {
          ...code(write),
          files: { 'assets/help_en.html': '<script src="http://code.maker.org/a.js"></script>', ...more },
        }).level
      const opens = (address: string) => (body: Body) => void body.static(`${MAIN}->open(${STRING})V`, address)
      expect(level(opens('file:///android_asset/help_'))).toBe('middle')
      expect(level(opens('file:///android_asset/other_'))).toBe('low')
      const layout = (name: string) => ({ 'res/xml/pages.xml': writeAxml(element('page', { name })) })
      expect(level(() => {}, layout('help_en'))).toBe('middle')
      expect(level(() => {}, layout('help_fr'))).toBe('low')
    })

    test.each([
      ['<a href="demo.html">', 'middle'],
      ['<a href="other.html">', 'low'],
    ])('from a cleartext address, that nothing opens, is low: %s', (link, level) => {
      const files = {
        'assets/www/demo.html': '<script src="http://code.maker.org/a.js"></script>',
        'assets/www/index.html': link,
      }
      expect(judgeOne('android-webview-js-from-http', { ...code(() => {}), files }).level).toBe(level)
    })
  })

  test('what a method picks out of a request is not all that a page asks for', () => {
    const REQUEST = 'Landroid/webkit/PermissionRequest;'
    const answers = (picks: string, refuses: boolean) =>
      verdictOf('android-webview-permission-grant-all', {
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/webkit/WebChromeClient;',
            methods: [
              method(`onPermissionRequest(${REQUEST})V`, (body) => {
                const asked = body.virtual(`${REQUEST}->getResources()[${STRING}`, body.parameter(1))
                const given = picks ? body.static(picks, asked) : asked
                body.virtual(`${REQUEST}->grant([${STRING})V`, body.parameter(1), given)
                if (refuses) body.virtual(`${REQUEST}->deny()V`, body.parameter(1))
              }),
            ],
          },
        ],
      })
    const pick = `${MAIN}->pick([${STRING})[${STRING}`
    expect(answers(pick, true)).toBe('pass')
    expect(answers('', true)).toBe('fail')
    expect(answers(pick, false)).toBe('fail')
    expect(answers(`Ljava/util/Arrays;->copyOf([${STRING})[${STRING}`, true)).toBe('fail')
  })

  test('links of applications that nothing asks Bolts for open no page', () => {
    const NAVIGATION = 'Lbolts/AppLinkNavigation;'
    const level = (write: (body: Body) => void) =>
      judgeOne('android-webview-js-interface-rce', {
        minSdk: 14,
        classes: [
          {
            name: 'Lbolts/WebViewAppLinkResolver$2;',
            methods: [
              method('then()V', (body) => {
                const add = `Landroid/webkit/WebView;->addJavascriptInterface(Ljava/lang/Object;${STRING})V`
                body.virtual(add, null, null, 'bolts')
              }),
            ],
          },
          { name: NAVIGATION, methods: [method('static navigate()V')] },
          { name: MAIN, methods: [method('onResume()V', write)] },
        ],
      }).level
    expect(level(() => {})).toBe('info')
    expect(level((body) => void body.static(`${NAVIGATION}->navigate()V`))).toBe('high')
  })

  test('file access is low in a screen that nothing outside starts where all texts for its intent begin with a server by https', () => {
    const PUT = 'Landroid/content/Intent;->putExtra(Ljava/lang/String;Ljava/lang/String;)Landroid/content/Intent;'
    const PAGE = 'Lorg/maker/app/Page;'
    const shows = (body: Body) => {
      body.virtual('Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V', null, 1)
      const url = body.virtual(
        'Landroid/content/Intent;->getStringExtra(Ljava/lang/String;)Ljava/lang/String;',
        body.virtual(`${PAGE}->getIntent()Landroid/content/Intent;`, null),
        'url',
      )
      body.virtual('Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V', null, url)
    }
    const level = (write: (body: Body) => void, exported = false, library = (_: Body) => {}) =>
      judgeOne('android-webview-file-access', {
        targetSdk: 28,
        components: [element('activity', { name: '.Main' }), element('activity', { name: '.Page', exported })],
        classes: [
          {
            name: 'Lorg/maker/app/Main;',
            superclass: 'Landroid/app/Activity;',
            methods: [method('go(Ljava/lang/String;)V', write)],
          },
          {
            name: PAGE,
            superclass: 'Landroid/app/Activity;',
            methods: [method('onCreate(Landroid/os/Bundle;)V', shows)],
          },
          { name: 'Landroidx/core/A;', methods: [method('go(Ljava/lang/String;)V', library)] },
        ],
      }).level
    const puts = (name: string, value: string) => (body: Body) => void body.virtual(PUT, null, name, value)
    const given = (name: string) => (body: Body) => void body.virtual(PUT, null, name, body.parameter(1))
    const names = (body: Body) => void body.virtual(PUT, null, body.parameter(1), 'a')
    const https = puts('url', 'https://maker.org/a?b=')
    expect(level(https)).toBe('low')
    expect(level(https, false, names)).toBe('low')
    for (const other of [
      given('url'),
      puts('url', 'http://maker.org/'),
      puts('url', 'https://'),
      puts('more', 'a'),
      names,
    ])
      expect(level(other)).toBe('middle')
    const both = (body: Body) => {
      https(body)
      names(body)
    }
    expect(level(both)).toBe('middle')
    expect(level(https, true)).toBe('middle')
  })
})
