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
  test('a certificate error that a dialog asks the user about has a lower level than one that is ignored', () => {
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

describe('DET-03 WebViews', () => {
  const JS = 'Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V'
  const LOAD = 'Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V'

  test('a certificate error that proceeds once a dialog has been answered is lower than one that always proceeds', () => {
    const CONSENT = 'Lorg/maker/app/Client;->agreed:Z'
    const reading = (writer: WrittenDexClass): MadePackage => ({
      classes: [
        {
          name: 'Lorg/maker/app/Client;',
          superclass: 'Landroid/webkit/WebViewClient;',
          methods: [
            method(SSL, (body) => {
              body.field(CONSENT)
              proceed(body, body.parameter(2))
            }),
            method('static agree()V', (body) => body.put(CONSENT, null)),
          ],
        },
        writer,
      ],
    })
    const agrees = (body: Body) => void body.static('Lorg/maker/app/Client;->agree()V')
    const dialog: WrittenDexClass = {
      name: 'Lorg/maker/app/Yes;',
      interfaces: ['Landroid/content/DialogInterface$OnClickListener;'],
      methods: [method('onClick(Landroid/content/DialogInterface;I)V', agrees)],
    }
    const start: WrittenDexClass = { name: 'Lorg/maker/app/Start;', methods: [method('run()V', agrees)] }
    const id = 'android-webview-ssl-error-proceed'
    expect(levels(id, reading(dialog))).toEqual({ 'Client.onReceivedSslError': 'middle' })
    expect(levels(id, reading(start))).toEqual({ 'Client.onReceivedSslError': 'high' })
  })

  test('the default access of file pages counts where minSdk admits it and a file is loaded, and is low', () => {
    const showing = (address: string, minSdk: number) =>
      code(
        (body) => {
          body.virtual(JS, null, 1)
          body.virtual(LOAD, null, address)
        },
        { minSdk },
      )
    const id = 'android-webview-universal-file-access'
    expect(levels(id, showing('file:///sdcard/a.html', 15))).toEqual({ 'Main.work': 'low' })
    expect(levels(id, showing('https://maker.org/', 15))).toEqual({})
    expect(levels(id, showing('file:///sdcard/a.html', 16))).toEqual({})
    const set = code(
      (body) => void body.virtual('Landroid/webkit/WebSettings;->setAllowUniversalAccessFromFileURLs(Z)V', null, 1),
    )
    expect(levels(id, set)).toEqual({ 'Main.work': 'high' })
  })

  test('loading javascript: text loads no page', () => {
    const loading = (address: string) =>
      code(
        (body) => {
          body.virtual(JS, null, 1)
          body.virtual(LOAD, null, address)
        },
        { minSdk: 16 },
      )
    const id = 'android-webview-system-js-interfaces'
    expect(levels(id, loading('javascript:done()'))).toEqual({ 'Main.work': 'low' })
    expect(levels(id, loading('https://maker.org/'))).toEqual({ 'Main.work': 'middle' })
  })

  test('a cleartext base address is lower than a page loaded in clear', () => {
    const BASE = 'Landroid/webkit/WebView;->loadDataWithBaseURL('
    const STRING = 'Ljava/lang/String;'
    const base = code(
      (body) => void body.virtual(`${BASE}${STRING.repeat(5)})V`, null, 'http://maker.org/', '<p>', null, null, null),
    )
    const page = code((body) => void body.virtual(LOAD, null, 'http://maker.org/'))
    expect(levels('android-webview-js-from-http', base)).toEqual({ 'Main.work': 'low' })
    expect(levels('android-webview-js-from-http', page)).toEqual({ 'Main.work': 'middle' })
  })
})

describe('DET-03 network code', () => {
  test('an address that code only compares, or uses as the name of a cookie, is not reported as contacted', () => {
    const id = 'android-http-url-hardcoded'
    const address = 'http://ns.maker.org/2026'
    const compared = (body: Body) =>
      void body.virtual('Ljava/lang/String;->equals(Ljava/lang/Object;)Z', body.parameter(1), address)
    const cookie = (body: Body) =>
      void body.virtual(
        'Landroid/webkit/CookieManager;->setCookie(Ljava/lang/String;Ljava/lang/String;)V',
        null,
        address,
        'a=b',
      )
    const opened = (body: Body) => void body.make('Ljava/net/URL;', '(Ljava/lang/String;)V', address)
    expect(levels(id, code(compared))).toEqual({})
    expect(levels(id, code(cookie))).toEqual({})
    expect(levels(id, code(opened))).toEqual({ 'Main.work': 'low' })
    const both = (body: Body) => {
      compared(body)
      opened(body)
    }
    expect(levels(id, code(both))).toEqual({ 'Main.work': 'low' })
  })

  test('an insecure option of a library is information if the application does not use it', () => {
    const TRUST = 'Lorg/jsoup/helper/TrustsAll;'
    const VERIFIES = 'Lorg/jsoup/helper/VerifiesAll;'
    const CHECK = 'checkServerTrusted([Ljava/security/cert/X509Certificate;Ljava/lang/String;)V'
    const empty = (name: string): WrittenDexClass => ({
      name,
      interfaces: ['Ljavax/net/ssl/X509TrustManager;'],
      methods: [method('<init>()V'), method(CHECK)],
    })
    const always: WrittenDexClass = {
      name: VERIFIES,
      interfaces: ['Ljavax/net/ssl/HostnameVerifier;'],
      methods: [
        method('<init>()V'),
        method('verify(Ljava/lang/String;Ljavax/net/ssl/SSLSession;)Z', (body) => body.result(1, 'Z')),
      ],
    }
    const library: WrittenDexClass = {
      name: 'Lorg/jsoup/helper/Connection;',
      methods: [
        method('static open()V', (body) => {
          body.make(TRUST)
          body.make(VERIFIES)
        }),
        method('validateTLSCertificates(Z)V'),
      ],
    }
    const using = (write: (body: Body) => void): MadePackage => ({
      classes: [own('work()V', write), library, empty(TRUST), always],
    })
    const silent = using(() => {})
    const demanding = using((body) => {
      body.virtual('Lorg/jsoup/helper/Connection;->validateTLSCertificates(Z)V', null, 0)
      body.static('Lorg/jsoup/helper/Connection;->open()V')
    })
    expect(Object.values(levels('android-trust-manager-empty', silent))).toEqual(['info'])
    expect(Object.values(levels('android-hostname-verifier-allow-all', silent))).toEqual(['info'])
    expect(Object.values(levels('android-trust-manager-empty', demanding))).toEqual(['high'])
    expect(Object.values(levels('android-hostname-verifier-allow-all', demanding))).toEqual(['high'])
    const other = {
      classes: [own('work()V', (body) => void body.make('Lorg/maker/app/Trusts;')), empty('Lorg/maker/app/Trusts;')],
    }
    expect(Object.values(levels('android-trust-manager-empty', other))).toEqual(['high'])
  })
})

describe('DET-03 storage code', () => {
  const shared = (body: Body) => body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
  const write = (body: Body, file: Argument) => body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)

  test('a folder made on shared storage holds no data; one handed to a method that writes does', () => {
    const id = 'android-external-storage-sensitive'
    const FOLDER = `${MAIN}->folder:Ljava/io/File;`
    const two = (first: (body: Body) => void): MadePackage => ({
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [method('prepare()V', first), method('save()V', (body) => void write(body, body.field(FOLDER)))],
        },
      ],
    })
    const makes = two((body) => void body.virtual('Ljava/io/File;->mkdir()Z', shared(body)))
    const keeps = two((body) => body.put(FOLDER, shared(body)))
    expect(levels(id, makes)).toEqual({})
    // What else it keeps, or says to others, is no place of files.
    const besides = two((body) => {
      body.put(`${MAIN}->handler:Landroid/os/Handler;`, body.make('Landroid/os/Handler;'))
      body.static(`${MAIN}->report(Ljava/lang/String;)V`, 'ready')
      body.virtual('Ljava/io/File;->mkdirs()Z', body.make('Ljava/io/File;', '(Ljava/io/File;)V', shared(body)))
    })
    const passesOn = two((body) => {
      const file = body.make('Ljava/io/File;', '(Ljava/io/File;)V', shared(body))
      body.virtual('Ljava/io/File;->mkdirs()Z', file)
      body.static(`${MAIN}->report(Ljava/io/File;)V`, file)
    })
    expect(levels(id, besides)).toEqual({})
    expect(levels(id, passesOn)).toEqual({ 'Main.prepare': 'low' })
    expect(levels(id, keeps)).toEqual({ 'Main.prepare': 'low' })
    expect(
      levels(
        id,
        code((body) => {
          body.static(`${MAIN}->name(Ljava/lang/String;)V`, '/accounts.db')
          write(body, shared(body))
        }),
      ),
    ).toEqual({ 'Main.work': 'middle' })
    const copiesArray = code((body) => {
      shared(body)
      body.static('Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V', null, 0, null, 0, 0)
    })
    expect(levels(id, copiesArray)).toEqual({})
  })

  test('a number put into an SQL statement injects nothing', () => {
    const asking = (type: string, append: (body: Body) => Argument): MadePackage => ({
      classes: [
        own(`work(${type})V`, (body) => {
          const builder = body.make('Ljava/lang/StringBuilder;')
          for (const part of ['select * from t where a=', append(body)])
            body.virtual(
              'Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;',
              builder,
              part,
            )
          body.virtual(
            'Landroid/database/sqlite/SQLiteDatabase;->rawQuery(Ljava/lang/String;[Ljava/lang/String;)Landroid/database/Cursor;',
            null,
            body.virtual('Ljava/lang/StringBuilder;->toString()Ljava/lang/String;', builder),
            null,
          )
        }),
      ],
    })
    const number = asking('I', (body) =>
      body.static('Ljava/lang/String;->valueOf(I)Ljava/lang/String;', body.parameter(1)),
    )
    const words = asking('Ljava/lang/String;', (body) => body.parameter(1))
    expect(levels('android-sql-injection-local', number)).toEqual({})
    expect(levels('android-sql-injection-local', words)).toEqual({ 'Main.work': 'middle' })
  })

  test('a constant log label with only an exception behind it is not a logged secret', () => {
    const logging = (part: (body: Body) => Argument) =>
      code((body) => {
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const one of ['Bad token: ', part(body)])
          body.virtual('Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;', builder, one)
        const message = body.virtual('Ljava/lang/StringBuilder;->toString()Ljava/lang/String;', builder)
        body.static('Landroid/util/Log;->e(Ljava/lang/String;Ljava/lang/String;)I', 'Main', message)
      })
    const id = 'android-log-sensitive'
    const exception = logging((body) => body.virtual('Lorg/json/JSONException;->getMessage()Ljava/lang/String;', null))
    expect(levels(id, exception)).toEqual({})
    expect(
      levels(
        id,
        logging((body) => body.parameter(1)),
      ),
    ).toEqual({ 'Main.work': 'low' })
  })
})

describe('DET-03 code that loads code, and pending intents', () => {
  test("the module loader of Google Play services is information, another package's code is not", () => {
    const LOADER = 'Lc/c/a/b;'
    const loader: WrittenDexClass = {
      name: LOADER,
      superclass: 'Ldalvik/system/PathClassLoader;',
      methods: [
        method(
          '<init>(Ljava/lang/String;)V',
          (body) =>
            void body.virtual(
              'Ldalvik/system/PathClassLoader;-><init>(Ljava/lang/String;Ljava/lang/ClassLoader;)V',
              body.parameter(0),
              body.parameter(1),
              null,
            ),
        ),
      ],
    }
    const made = (mark: string): MadePackage => ({
      classes: [
        own('work()V', (body) => {
          body.make(LOADER, '(Ljava/lang/String;)V', null)
          body.static(`${MAIN}->find(Ljava/lang/String;)V`, mark)
        }),
        loader,
      ],
    })
    const id = 'android-dynamic-dex-loading'
    expect(Object.values(levels(id, made('com.google.android.gms.dynamite.IDynamiteLoader')))).toEqual(['info'])
    expect(Object.values(levels(id, made('org.maker.plugin')))).not.toContain('info')
    expect(Object.values(levels(id, made('org.maker.plugin')))).toHaveLength(1)
  })

  test('a pending intent that only the alarm service gets is lower than one in a notification', () => {
    const pending = (take: (body: Body, intent: Argument) => void) =>
      code(
        (body) => {
          const intent = body.make('Landroid/content/Intent;', '(Ljava/lang/String;)V', 'org.maker.TICK')
          const made = body.static(
            'Landroid/app/PendingIntent;->getBroadcast(Landroid/content/Context;ILandroid/content/Intent;I)Landroid/app/PendingIntent;',
            null,
            0,
            intent,
            0,
          )
          take(body, made)
        },
        { targetSdk: 26 },
      )
    const alarm = pending(
      (body, made) => void body.virtual('Landroid/app/AlarmManager;->cancel(Landroid/app/PendingIntent;)V', null, made),
    )
    const notification = pending(
      (body, made) =>
        void body.virtual(
          'Landroid/app/Notification$Builder;->setContentIntent(Landroid/app/PendingIntent;)Landroid/app/Notification$Builder;',
          null,
          made,
        ),
    )
    const extra = pending((body, made) => {
      body.virtual('Landroid/app/AlarmManager;->cancel(Landroid/app/PendingIntent;)V', null, made)
      body.virtual(
        'Landroid/content/Intent;->putExtra(Ljava/lang/String;Landroid/os/Parcelable;)Landroid/content/Intent;',
        null,
        'app',
        made,
      )
    })
    const id = 'android-pending-intent-mutable'
    expect(levels(id, alarm)).toEqual({ 'Main.work': 'low' })
    expect(levels(id, notification)).toEqual({ 'Main.work': 'high' })
    expect(levels(id, extra)).toEqual({ 'Main.work': 'high' })
  })
})
