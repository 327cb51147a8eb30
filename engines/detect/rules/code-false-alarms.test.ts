import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import type { MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

/** Findings in code that readers called wrong or too high, each beside one that is right. */
const MAIN = 'Lorg/maker/app/Main;'
const own = (name: string, write: (body: Body) => void, more: Partial<WrittenDexClass> = {}): WrittenDexClass => ({
  name: MAIN,
  superclass: 'Landroid/app/Activity;',
  ...more,
  methods: [method(name, write)],
})
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [own('work(Ljava/lang/String;)V', write)],
})
/** The level of each finding, by the method that it is in. */
const levels = (id: string, made: MadePackage) => {
  const item = judgeOne(id, made)
  return Object.fromEntries(
    item.findings.map((finding) => [
      `${finding.evidence.class?.split('.').at(-1)}.${finding.evidence.method?.replace(/\(.*/, '')}`,
      finding.level ?? item.level,
    ]),
  )
}

const SSL = 'onReceivedSslError(Landroid/webkit/WebView;Landroid/webkit/SslErrorHandler;Landroid/net/http/SslError;)V'
const proceed = (body: Body, handler: Argument) => body.virtual('Landroid/webkit/SslErrorHandler;->proceed()V', handler)

describe('DET-03 the level of a finding in code', () => {
  test('a certificate error that a dialog asks about is lower than one that nobody is asked about', () => {
    const client: WrittenDexClass = {
      name: 'Lorg/maker/app/Client;',
      superclass: 'Landroid/webkit/WebViewClient;',
      methods: [method(SSL, (body) => void proceed(body, body.parameter(2)))],
    }
    const dialog: WrittenDexClass = {
      name: 'Lorg/maker/app/Yes;',
      interfaces: ['Landroid/content/DialogInterface$OnClickListener;'],
      methods: [method('onClick(Landroid/content/DialogInterface;I)V', (body) => void proceed(body, null))],
    }
    const id = 'android-webview-ssl-error-proceed'
    expect(levels(id, { classes: [client, dialog] })).toEqual({
      'Client.onReceivedSslError': 'high',
      'Yes.onClick': 'middle',
    })
    expect(judgeOne(id, { classes: [client, dialog] }).level).toBe('high')
    expect(judgeOne(id, { classes: [dialog] })).toMatchObject({ level: 'middle' })
    expect(judgeOne(id, { classes: [client] }).findings[0]).not.toHaveProperty('level')
  })
})
