import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

describe('[DET-03] file access of web views by default', () => {
  const LOAD = 'Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V'
  const VIEW = 'Lorg/maker/app/View;'
  const enables = (body: Body) => void body.virtual('Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V', null, 1)
  const joined = (body: Body, begin: string) => {
    const builder = body.make('Ljava/lang/StringBuilder;')
    body.virtual('Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;', builder, begin)
    body.virtual(
      'Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;',
      builder,
      body.parameter(1),
    )
    return body.virtual('Ljava/lang/StringBuilder;->toString()Ljava/lang/String;', builder)
  }
  const judged = (...classes: WrittenDexClass[]) =>
    judgeOne('android-webview-file-access', {
      targetSdk: 28,
      components: [element('activity', { name: '.Main' })],
      classes,
    })
  const screen = (write: (body: Body) => void): WrittenDexClass => ({
    name: 'Lorg/maker/app/Main;',
    superclass: 'Landroid/app/Activity;',
    methods: [method('<init>()V'), method('open(Ljava/lang/String;)V', write)],
  })
  const loads = (begin: string) => (body: Body) => {
    enables(body)
    body.virtual(LOAD, null, joined(body, begin))
  }

  test('is low where each address begins with a server by https', () => {
    const { level, findings } = judged(screen(loads('https://maker.org/page?id=')))
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toMatch(/; own code gives every address, and each begins with a server by https$/)
    for (const begin of ['http://maker.org/', 'https://', 'https://maker.org', 'file:///sdcard/'])
      expect(judged(screen(loads(begin))).level, begin).toBe('middle')
  })

  test('is followed through a web view of the application to its callers, and to where its pages lead', () => {
    const view = {
      name: VIEW,
      superclass: 'Landroid/webkit/WebView;',
      methods: [
        method('loadUrl(Ljava/lang/String;)V', (body) => {
          enables(body)
          body.super(LOAD, body.parameter(0), body.parameter(1))
        }),
      ],
    }
    const client = {
      name: 'Lorg/maker/app/Client;',
      superclass: 'Landroid/webkit/WebViewClient;',
      methods: [
        method('shouldOverrideUrlLoading(Landroid/webkit/WebView;Ljava/lang/String;)Z', (body) => {
          body.virtual(LOAD, body.parameter(1), body.parameter(2))
          body.result(1, 'Z')
        }),
      ],
    }
    const opens = (begin: string) =>
      screen((body) => void body.virtual(`${VIEW}->loadUrl(Ljava/lang/String;)V`, null, joined(body, begin)))
    expect(judged(view, client, opens('https://maker.org/')).level).toBe('low')
    expect(judged(view, client, opens('http://maker.org/')).level).toBe('middle')
  })

  test('keeps its level where nothing but the links of pages is seen', () => {
    const main = screen(enables)
    const links = method('shouldOverrideUrlLoading(Landroid/webkit/WebView;Ljava/lang/String;)Z', (body) => {
      body.virtual(LOAD, body.parameter(1), body.parameter(2))
      body.result(1, 'Z')
    })
    expect(judged({ ...main, methods: [...main.methods!, links] }).level).toBe('middle')
  })
})
