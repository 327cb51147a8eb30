import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass, WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
const MAIN = 'Lorg/maker/app/Main;'
const uses = (...names: string[]) => ({
  others: names.map((name) => element('uses-permission', { name: `android.permission.${name}` })),
})
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [
    { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('work(Ljava/lang/String;)V', write)] },
  ],
})
const verdictOf = (id: string, made: MadePackage) => judgeOne(id, made).verdict

describe('DET-03 findings of kinds that were judged wrong', () => {
  test('cleartext and user certificates are no matter of an application without network', () => {
    const cleartext = { application: { usesCleartextTraffic: true } }
    expect(verdictOf('android-cleartext-allowed', { ...cleartext, ...uses('CAMERA') })).toBe('not_applicable')
    expect(verdictOf('android-cleartext-allowed', { ...cleartext, ...uses('INTERNET') })).toBe('fail')
    const userCertificates = {
      application: { networkSecurityConfig: 'res/xml/nsc.xml' },
      xml: {
        'res/xml/nsc.xml': element(
          'network-security-config',
          {},
          element('base-config', {}, element('trust-anchors', {}, element('certificates', { src: 'user' }))),
        ),
      },
    }
    expect(verdictOf('android-nsc-user-ca', userCertificates)).toBe('not_applicable')
    expect(verdictOf('android-nsc-user-ca', { ...userCertificates, ...uses('INTERNET') })).toBe('fail')
  })

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

  test.each(['passed: ', 'bypass ', 'Compass '])('a log text with "%s" is not reported as a password', (word) => {
    const logged = (text: string) =>
      code((body) => {
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const part of [text, body.parameter(1)])
          body.virtual('Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;', builder, part)
        const said = body.virtual('Ljava/lang/StringBuilder;->toString()Ljava/lang/String;', builder)
        body.static('Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I', 'Main', said)
      })
    expect(verdictOf('android-log-sensitive', logged(word))).toBe('pass')
    expect(verdictOf('android-log-sensitive', logged('pass: '))).toBe('fail')
  })

  test('a permission that Android implies was not requested by anyone', () => {
    const asked = (targetSdk: number) =>
      judgeOne('android-permission-overprivilege', {
        ...uses('READ_CONTACTS'),
        minSdk: 14,
        targetSdk,
        classes: [{ name: MAIN, methods: [method('run()V')] }],
      }).findings.map(({ detail }) => detail.en.split(' ')[0])
    // Below 16 the right to read contacts brings the right to read calls.
    expect(asked(15)).toEqual(['android.permission.READ_CONTACTS'])
    expect(asked(16)).toEqual(['android.permission.READ_CONTACTS'])
  })

  test.each(['http://xml.org/sax/features/namespaces', 'http://www.ccil.org/~cowan/tagsoup/properties/scanner'])(
    '%s names a feature and is no address',
    (name) => {
      const opened = (address: string) =>
        code((body) => void body.static(`${MAIN}->take(Ljava/lang/String;)V`, address), uses('INTERNET'))
      expect(verdictOf('android-http-url-hardcoded', opened(name))).toBe('pass')
      expect(verdictOf('android-http-url-hardcoded', opened('http://www.ccil.org/upload'))).toBe('fail')
    },
  )

  test('a frame around a text field is no field', () => {
    const screen = (name: string): MadePackage => ({
      components: [element('activity', { name: '.Main' })],
      xml: { 'res/layout/a.xml': element('LinearLayout', {}, element(name, { hint: 'Card number' })) },
    })
    expect(verdictOf('android-keyboard-cache', screen('com.google.android.material.textfield.TextInputLayout'))).toBe(
      'pass',
    )
    expect(verdictOf('android-keyboard-cache', screen('com.google.android.material.textfield.TextInputEditText'))).toBe(
      'fail',
    )
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

  test("WorkManager's own data is no input, whatever its classes are called", () => {
    const reading = (message: string) =>
      code((body) => {
        body.virtual('Ljava/io/ObjectInputStream;->readObject()Ljava/lang/Object;', body.parameter(1))
        body.static('Landroid/util/Log;->e(Ljava/lang/String;Ljava/lang/String;)I', 'WM-Data', message)
      })
    expect(verdictOf('android-unsafe-deserialization', reading('broken'))).toBe('fail')
    expect(verdictOf('android-unsafe-deserialization', reading('Error in Data#fromByteArray: '))).toBe('pass')
  })

  test('reading or deleting files on shared storage writes nothing there', () => {
    const path = (body: Body) => body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
    const on = (use: (body: Body, folder: ReturnType<typeof path>) => unknown) =>
      code((body) => void use(body, path(body)))
    const writing = on((body, folder) => body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', folder))
    const reading = on((body, folder) => body.make('Ljava/io/FileInputStream;', '(Ljava/io/File;)V', folder))
    const deleting = on((body, folder) => body.virtual('Ljava/io/File;->delete()Z', folder))
    expect(verdictOf('android-external-storage-sensitive', writing)).toBe('fail')
    expect(verdictOf('android-external-storage-sensitive', reading)).toBe('pass')
    expect(verdictOf('android-external-storage-sensitive', deleting)).toBe('pass')
    // A reader in a class whose other method writes.
    const writer = method(
      'save()V',
      (body) => void body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', path(body)),
    )
    const reader = method('load()V', (body) => void body.make('Ljava/io/FileReader;', '(Ljava/io/File;)V', path(body)))
    const both = judgeOne('android-external-storage-sensitive', {
      classes: [{ name: MAIN, methods: [writer, reader] }],
    })
    expect(both.findings.map(({ evidence }) => evidence.method)).toEqual(['save()V'])
  })

  test('an activity that a permission guards does not offer its task', () => {
    const exported = (more: object) => ({
      components: [element('activity', { name: '.Main', exported: true, launchMode: 2, ...more })],
    })
    expect(verdictOf('android-launch-mode-task-affinity', exported({}))).toBe('fail')
    expect(verdictOf('android-launch-mode-task-affinity', exported({ permission: 'org.maker.USE' }))).toBe('pass')
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

  test('a path on shared storage that code writes as a text uses the storage permission', () => {
    const opening = (path: string) =>
      code((body) => void body.make('Ljava/io/File;', '(Ljava/lang/String;)V', path), uses('WRITE_EXTERNAL_STORAGE'))
    expect(verdictOf('android-permission-overprivilege', opening('/sdcard/x.png'))).toBe('pass')
    expect(verdictOf('android-permission-overprivilege', opening('/sdcardx/x.png'))).toBe('fail')
  })
})

describe('DET-03 findings of sample s7 that were judged wrong', () => {
  const INTERFACE = 'addJavascriptInterface(Ljava/lang/Object;Ljava/lang/String;)V'
  const STRING = 'Ljava/lang/String;'

  test('a configuration split says nothing of the application: the base package decides', () => {
    const split = (manifest: object): MadePackage => ({
      manifest: { split: 'config.en', ...manifest },
      application: { hasCode: false },
      minSdk: 14,
      targetSdk: 14,
    })
    for (const id of ['android-allow-backup', 'android-privacy-target-bypass', 'android-target-sdk-low']) {
      const item = judgeOne(id, split({}))
      expect([id, item.verdict, item.findings]).toEqual([id, 'not_assessed', []])
      expect(item.reason).toEqual({
        zh: '配置分包：由基础包决定',
        en: 'configuration split: the base package decides',
      })
      expect(verdictOf(id, split({ split: 'maps.xhdpi', configForSplit: 'maps' }))).toBe('not_assessed')
    }
    expect(verdictOf('android-allow-backup', { minSdk: 14, targetSdk: 14 })).toBe('fail')
    expect(verdictOf('android-target-sdk-low', { minSdk: 14, targetSdk: 14 })).toBe('fail')
    // Code or components beside such a name make it no mere configuration.
    const shown = { ...split({}), components: [element('activity', { name: '.Main', exported: true, launchMode: 2 })] }
    expect(verdictOf('android-launch-mode-task-affinity', shown)).toBe('fail')
    expect(judgeOne('android-allow-backup', shown).reason?.en).toBe('feature split: the base package decides')
  })

  test('commands of a look for root, also from an array, run nothing of interest', () => {
    const run = (pick: (body: Body) => Argument) =>
      code((body) => {
        const runtime = body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;')
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, runtime, pick(body))
      })
    const whole = (...words: string[]) =>
      code((body) => {
        const runtime = body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;')
        body.virtual(`Ljava/lang/Runtime;->exec([${STRING})Ljava/lang/Process;`, runtime, body.texts(...words))
      })
    const id = 'android-runtime-exec'
    expect(
      verdictOf(
        id,
        run(() => 'which su'),
      ),
    ).toBe('pass')
    expect(
      verdictOf(
        id,
        run((body) => body.at(body.texts('/system/xbin/which su', 'which su'), 1)),
      ),
    ).toBe('pass')
    expect(verdictOf(id, whole('/system/xbin/which', 'su'))).toBe('pass')
    expect(
      judgeOne(
        id,
        run((body) => body.at(body.texts('which su', 'rm -r /data'), 1)),
      ).findings,
    ).toHaveLength(1)
    expect(verdictOf(id, whole('mount', '-o', 'remount,rw', '/system'))).toBe('fail')
    expect(
      verdictOf(
        id,
        run(() => 'su'),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        run((body) => body.parameter(1)),
      ),
    ).toBe('fail')
  })

  test('a value that is compared with null, or asked whether it is empty, is not used unchecked', () => {
    const INTENT = 'Landroid/content/Intent;'
    const started = (look: (body: Body, action: () => ReturnType<Body['parameter']>) => void) => ({
      components: [element('activity', { name: '.Main', exported: true })],
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method('onCreate(Landroid/os/Bundle;)V', (body) => {
              const action = () => {
                const intent = body.virtual(`${MAIN}->getIntent()${INTENT}`, body.parameter(0))
                return body.virtual(`${INTENT}->getAction()${STRING}`, intent)
              }
              look(body, action)
              body.virtual(`${STRING}->equalsIgnoreCase(${STRING})Z`, action(), 'go')
            }),
          ],
        },
      ],
    })
    const id = 'android-component-local-dos'
    expect(
      verdictOf(
        id,
        started(() => {}),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        started((body, action) => body.compareWithNull(action())),
      ),
    ).toBe('pass')
    const isEmpty = 'Landroid/text/TextUtils;->isEmpty(Ljava/lang/CharSequence;)Z'
    expect(
      verdictOf(
        id,
        started((body, action) => void body.static(isEmpty, action())),
      ),
    ).toBe('pass')
    // Another value of the same intent.
    const type = (body: Body) =>
      body.virtual(`${INTENT}->getType()${STRING}`, body.virtual(`${MAIN}->getIntent()${INTENT}`, body.parameter(0)))
    expect(
      verdictOf(
        id,
        started((body) => body.compareWithNull(type(body))),
      ),
    ).toBe('fail')
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

  test.each([
    ['TokenDataProviderSource: ', 'pass'],
    ['tokenizer at ', 'pass'],
    ['getConvertedToken: no value for ', 'pass'],
    ['convertedToken: ', 'fail'],
    ['token=', 'fail'],
    ['aws_secret_access_key ', 'fail'],
    ['cookies are ', 'fail'],
  ])('a log of "%s" and a value: %s', (label, verdict) => {
    const logged = code((body) => {
      const said = body.virtual(`${STRING}->concat(${STRING})${STRING}`, label, body.parameter(1))
      body.static(`Landroid/util/Log;->d(${STRING}${STRING})I`, 'Main', said)
    })
    expect(verdictOf('android-log-sensitive', logged)).toBe(verdict)
  })

  test('classes of DataEye are those of a library', () => {
    const print = (body: Body) => {
      for (let n = 0; n < 21; n++) body.virtual('Ljava/lang/Throwable;->printStackTrace()V', body.parameter(1))
    }
    const prints = (name: string): MadePackage => ({
      classes: [{ name, methods: [method('run(Ljava/lang/Exception;)V', print)] }],
    })
    expect(verdictOf('android-print-stack-trace', prints('Lcom/dataeye/monitor/D;'))).toBe('pass')
    expect(verdictOf('android-print-stack-trace', prints(MAIN))).toBe('fail')
  })

  describe('a check that accepts anything', () => {
    const VERIFY = 'verify(Ljava/lang/String;Ljavax/net/ssl/SSLSession;)Z'
    const TRUST = 'checkServerTrusted([Ljava/security/cert/X509Certificate;Ljava/lang/String;)V'
    const made = (maker: WrittenDexMethod, more: WrittenDexMethod[] = [], superclass?: string): MadePackage => ({
      classes: [
        {
          name: 'Lorg/maker/app/Any;',
          interfaces: ['Ljavax/net/ssl/HostnameVerifier;', 'Ljavax/net/ssl/X509TrustManager;'],
          methods: [method('<init>()V'), method(VERIFY, (body) => body.result(1, 'Z')), method(TRUST)],
        },
        { name: 'Lorg/maker/app/Net;', ...(superclass && { superclass }), methods: [maker] },
        { name: MAIN, superclass: 'Landroid/app/Activity;', methods: more },
      ],
    })
    const makes = (name: string) => method(name, (body) => void body.make('Lorg/maker/app/Any;'))
    const calls = (callee: string) =>
      method('onResume()V', (body) => void body.static(`Lorg/maker/app/Net;->${callee}`))
    const levels = (source: MadePackage) =>
      ['android-hostname-verifier-allow-all', 'android-trust-manager-empty'].map(
        (id) => judgeOne(id, source).findings[0]!.level ?? judgeOne(id, source).level,
      )

    test('is a note where only methods that nothing calls make it', () => {
      expect(levels(made(makes('static open()V')))).toEqual(['info', 'info'])
      expect(levels(made(makes('open()V')))).toEqual(['info', 'info'])
    })

    test('is high where the method is called, may be called by Android, or by its name', () => {
      expect(levels(made(makes('static open()V'), [calls('open()V')]))).toEqual(['high', 'high'])
      expect(levels(made(makes('onCreate()V'), [], 'Landroid/app/Service;'))).toEqual(['high', 'high'])
      const named = method(
        'onResume()V',
        (body) =>
          void body.virtual(
            `Ljava/lang/Class;->getMethod(${STRING}[Ljava/lang/Class;)Ljava/lang/reflect/Method;`,
            null,
            'open',
          ),
      )
      expect(levels(made(makes('static open()V'), [named]))).toEqual(['high', 'high'])
    })
  })

  test('a path on shared storage that a method without callers returns writes nothing', () => {
    const path = method('static path()Ljava/io/File;', (body) =>
      body.result(body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')),
    )
    const save = method(
      'save(Ljava/io/File;)V',
      (body) => void body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', body.parameter(1)),
    )
    const used = method('onResume()V', (body) => void body.static('Lorg/maker/app/Files;->path()Ljava/io/File;'))
    const files = (...more: WrittenDexMethod[]): MadePackage => ({
      classes: [
        { name: 'Lorg/maker/app/Files;', methods: [path, save] },
        { name: MAIN, superclass: 'Landroid/app/Activity;', methods: more },
      ],
    })
    expect(verdictOf('android-external-storage-sensitive', files())).toBe('pass')
    expect(verdictOf('android-external-storage-sensitive', files(used))).toBe('fail')
  })

  test('hosts that trust a bundled certificate alone are pinned', () => {
    const config = (...sources: string[]): MadePackage => ({
      ...code((body) => void body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)),
      application: { networkSecurityConfig: 'res/xml/nsc.xml' },
      xml: {
        'res/xml/nsc.xml': element(
          'network-security-config',
          {},
          element(
            'domain-config',
            {},
            element('domain'),
            element('trust-anchors', {}, ...sources.map((src) => element('certificates', { src }))),
          ),
        ),
      },
    })
    expect(verdictOf('android-no-cert-pinning', config('@raw/own'))).toBe('pass')
    expect(verdictOf('android-no-cert-pinning', config('@raw/own', 'system'))).toBe('fail')
    expect(verdictOf('android-no-cert-pinning', config('user'))).toBe('fail')
    expect(verdictOf('android-no-cert-pinning', config())).toBe('fail')
  })

  test('a statement whose values are bound takes no SQL from anybody but the name of its table', () => {
    const runs = (...parts: ((body: Body) => Argument)[]) =>
      code((body) => {
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const part of parts)
          body.virtual(`Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`, builder, part(body))
        const sql = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, builder)
        const values = body.static(`${MAIN}->values()[Ljava/lang/Object;`)
        body.virtual(
          `Landroid/database/sqlite/SQLiteDatabase;->execSQL(${STRING}[Ljava/lang/Object;)V`,
          null,
          sql,
          values,
        )
      })
    const given = (body: Body) => body.parameter(1)
    const id = 'android-sql-injection-local'
    expect(
      verdictOf(
        id,
        runs(
          () => 'INSERT INTO ',
          given,
          () => ' (a,b) VALUES (?,?);',
        ),
      ),
    ).toBe('pass')
    expect(
      verdictOf(
        id,
        runs(
          () => 'INSERT INTO t (a,b) VALUES (?,',
          given,
          () => ');',
        ),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        runs(
          () => 'DELETE FROM ',
          given,
          () => " WHERE a=? AND b='",
          given,
          () => "'",
        ),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        runs(
          () => 'DELETE FROM ',
          given,
          () => ' WHERE a=? AND b=',
          given,
        ),
      ),
    ).toBe('fail')
  })

  test('whether parts of a packer check the files is not known', () => {
    const holding = (files: Record<string, string>): MadePackage => ({ ...code(() => {}), files })
    const packed: MadePackage = {
      ...holding({ 'lib/armeabi/libAPKProtect.so': 'x' }),
      application: { name: 'APKPMainAPP140CF' },
    }
    expect(verdictOf('android-no-integrity-check', packed)).toBe('not_assessed')
    expect(verdictOf('android-no-integrity-check', holding({}))).toBe('fail')
    // The code stays readable, and a packer does not prove the device.
    expect(verdictOf('android-no-attestation', packed)).toBe('fail')
    expect(verdictOf('android-print-stack-trace', packed)).toBe('pass')
  })

  test('an intent that a local broadcast takes leaves no process', () => {
    const sent = (manager: string) =>
      code((body) => {
        const intent = body.make('Landroid/content/Intent;', '(Ljava/lang/String;)V', 'org.maker.GO')
        const put = `Landroid/content/Intent;->putExtra(${STRING}${STRING})Landroid/content/Intent;`
        body.virtual(put, intent, 'password', 'a')
        body.virtual(`${manager}->sendBroadcast(Landroid/content/Intent;)V`, null, intent)
      })
    const id = 'android-implicit-intent-sensitive'
    expect(verdictOf(id, sent('Landroidx/localbroadcastmanager/content/LocalBroadcastManager;'))).toBe('pass')
    expect(verdictOf(id, sent('Landroid/content/Context;'))).toBe('fail')
  })

  test('a pending intent that a method of the package hands to the alarm service alone is no more than one that goes there at once', () => {
    const OWN = `${MAIN}->stop(Landroid/app/PendingIntent;)V`
    const made = (taker: string): MadePackage => ({
      targetSdk: 26,
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method('work(Ljava/lang/String;)V', (body) => {
              const intent = body.make('Landroid/content/Intent;', '(Ljava/lang/String;)V', 'org.maker.TICK')
              const get =
                'Landroid/app/PendingIntent;->getBroadcast(Landroid/content/Context;ILandroid/content/Intent;I)Landroid/app/PendingIntent;'
              body.virtual(OWN, body.parameter(0), body.static(get, null, 0, intent, 0))
            }),
            method('stop(Landroid/app/PendingIntent;)V', (body) => void body.virtual(taker, null, body.parameter(1))),
          ],
        },
      ],
    })
    const level = (taker: string) => judgeOne('android-pending-intent-mutable', made(taker)).level
    expect(level('Landroid/app/AlarmManager;->cancel(Landroid/app/PendingIntent;)V')).toBe('low')
    expect(level('Lorg/other/Sender;->send(Landroid/app/PendingIntent;)V')).toBe('high')
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

  test('a listener or a helper of a screen may ask others for the result that the screen gets', () => {
    const INTENT = 'Landroid/content/Intent;'
    const result = method(
      `onActivityResult(II${INTENT})V`,
      (body) => void body.virtual(`${INTENT}->getSerializableExtra(${STRING})Ljava/io/Serializable;`, null, 'a'),
    )
    const start = `Landroid/app/Activity;->startActivityForResult(${INTENT}I)V`
    const picks = (made: string) => (body: Body) =>
      void body.virtual(start, null, made === 'action' ? body.make(INTENT, `(${STRING})V`, 'a.PICK') : null, 1)
    const verdict = (name: string, made: string, flags = 'static ') =>
      verdictOf('android-component-local-dos', {
        components: [element('activity', { name: '.Main', exported: true })],
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [result, method('open()V', (body) => void body.static(`${name}->ask()V`))],
          },
          { name, methods: [method(`${flags}ask()V`, picks(made))] },
        ],
      })
    expect(verdict('Lorg/maker/app/Main$1;', 'action')).toBe('fail')
    expect(verdict('Lcom/other/Scanner;', 'action')).toBe('fail')
    expect(verdict('Lcom/other/Scanner;', 'none')).toBe('pass')
  })

  test('what the services of Google alone may send, and a result of an activity of the package, is no input of strangers', () => {
    const INTENT = 'Landroid/content/Intent;'
    const reads = (name: string, more: MadePackage, ask?: (body: Body) => void): MadePackage => ({
      ...more,
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method(name, (body) => {
              ask?.(body)
              body.virtual(`${INTENT}->getSerializableExtra(${STRING})Ljava/io/Serializable;`, null, 'a')
            }),
          ],
        },
      ],
    })
    const id = 'android-component-local-dos'
    const receiver = (permission: string) => ({
      components: [element('receiver', { name: '.Main', exported: true, permission })],
    })
    const receive = `onReceive(Landroid/content/Context;${INTENT})V`
    expect(verdictOf(id, reads(receive, receiver('com.google.android.c2dm.permission.SEND')))).toBe('pass')
    expect(verdictOf(id, reads(receive, receiver('org.other.SEND')))).toBe('fail')
    const activity = { components: [element('activity', { name: '.Main', exported: true })] }
    const result = `onActivityResult(II${INTENT})V`
    expect(verdictOf(id, reads(result, activity))).toBe('pass')
    const pick = (body: Body) => void body.make(INTENT, `(${STRING})V`, 'android.intent.action.PICK')
    // Who answers was picked by the person.
    expect(judgeOne(id, reads(result, activity, pick)).level).toBe('low')
    expect(judgeOne(id, reads(receive, receiver('org.other.SEND'))).level).toBe('middle')
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
})

describe('DET-03 findings of sample s8 that were judged wrong', () => {
  const STRING = 'Ljava/lang/String;'
  const INTENT = 'Landroid/content/Intent;'
  const PERSON = 'Landroid/provider/ContactsContract$Data;->CONTENT_URI:Landroid/net/Uri;'
  const QUERY = `Landroid/content/ContentResolver;->query(Landroid/net/Uri;[${STRING}${STRING}[${STRING}${STRING})Landroid/database/Cursor;`

  describe('contacts', () => {
    const id = 'android-privacy-contacts'
    const asks = (name: string, files: Record<string, string>, where: (body: Body) => Argument = () => null) =>
      judgeOne(id, {
        ...uses('READ_CONTACTS', 'INTERNET'),
        files,
        classes: [
          {
            name,
            methods: [
              method(`ask(${INTENT})V`, (body) => {
                const address = body.field(PERSON)
                body.virtual(QUERY, null, address, null, where(body))
              }),
            ],
          },
        ],
      })

    test('one that the person picks is no collection, a list of them is', () => {
      const picked = (body: Body) => {
        const address = body.virtual(`${INTENT}->getData()Landroid/net/Uri;`, body.parameter(1))
        return body.virtual(`Landroid/net/Uri;->getLastPathSegment()${STRING}`, address)
      }
      expect(asks(MAIN, {}, picked).verdict).toBe('pass')
      expect(asks(MAIN, {}, () => 'has_phone_number=1').level).toBe('high')
      expect(asks(MAIN, {}).level).toBe('high')
    })

    test.each([
      ['navigator.contacts.pickContact(take)', 'info'],
      ['navigator.contacts.pickContact(take); navigator.contacts.find(["*"], send)', 'high'],
      ['var all = navigator.contacts; all.find(["*"], send)', 'high'],
      ['navigator["contacts"].pickContact(take)', 'high'],
      ['navigator.contacts.pickContact(take); $cordovaContacts.find({})', 'high'],
      ['navigator.contacts.pickContact(take); var n=navigator;n.contacts.find(["*"],send)', 'high'],
      ['navigator.contacts.pickContact(take); window["navigator"].contacts.find(["*"], send)', 'high'],
      ['navigator.contacts.pickContact(take); const { contacts } = navigator; contacts.find(["*"], send)', 'high'],
      ['navigator.contacts.pickContact(take); cordova.exec(send, fail, "Contacts", "search", [["*"]])', 'high'],
      [
        'navigator.contacts.pickContact(take); scope.contacts.push(one); if (typeof navigator == "object") go()',
        'info',
      ],
      ['start()', 'high'],
    ])("Cordova's plug-in behind a script with %s: %s", (script, level) => {
      const files: Record<string, string> = {
        'assets/www/js/app.js': script,
        'assets/www/lib/ng-cordova.js': 'navigator.contacts.find(fields, done)',
      }
      expect(asks('Lorg/apache/cordova/contacts/ContactAccessorSdk5;', files).level).toBe(level)
      expect(asks(MAIN, files).level).toBe('high')
      // What a script from elsewhere asks for is not in the package.
      const remote = { ...files, 'assets/www/index.html': '<script async src="https://maker.org/a.js"></script>' }
      expect(asks('Lorg/apache/cordova/contacts/ContactAccessorSdk5;', remote).level).toBe('high')
    })
  })

  test('a write to shared storage that Android refuses is no finding', () => {
    const save = (targetSdk: number, ...permissions: string[]) =>
      verdictOf('android-external-storage-sensitive', {
        targetSdk,
        ...uses(...permissions),
        classes: [
          {
            name: MAIN,
            methods: [
              method('save()V', (body) => {
                const folder = body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
                body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', folder)
              }),
            ],
          },
        ],
      })
    expect(save(23, 'READ_EXTERNAL_STORAGE')).toBe('pass')
    expect(save(23, 'WRITE_EXTERNAL_STORAGE')).toBe('fail')
    // An application for Android 11 may add files of its own without asking.
    expect(save(30)).toBe('fail')
  })

  test('an intent that another method gives a target is explicit', () => {
    const TAKER = `${MAIN}->prepare(${INTENT})V`
    const level = (step: string) =>
      judgeOne('android-pending-intent-mutable', {
        targetSdk: 26,
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [
              method('onResume()V', (body) => {
                const intent = body.make(INTENT, `(${STRING})V`, 'org.maker.OPEN')
                body.virtual(TAKER, body.parameter(0), intent)
                body.static(
                  `Landroid/app/PendingIntent;->getActivity(Landroid/content/Context;I${INTENT}I)Landroid/app/PendingIntent;`,
                  null,
                  0,
                  intent,
                  0,
                )
              }),
              method(`prepare(${INTENT})V`, (body) => void body.virtual(step, body.parameter(1), null, null)),
            ],
          },
        ],
      }).verdict
    expect(level(`${INTENT}->setClass(Landroid/content/Context;Ljava/lang/Class;)${INTENT}`)).toBe('pass')
    expect(level(`${INTENT}->putExtra(${STRING}${STRING})${INTENT}`)).toBe('fail')
  })

  test("a pending intent for Google's own services, by which they know the caller, is low", () => {
    const level = (target: string) =>
      judgeOne('android-pending-intent-mutable', {
        targetSdk: 26,
        ...code((body) => {
          const empty = body.make(INTENT)
          const get = `Landroid/app/PendingIntent;->getBroadcast(Landroid/content/Context;I${INTENT}I)Landroid/app/PendingIntent;`
          const pending = body.static(get, null, 0, empty, 0)
          const intent = body.make(INTENT, `(${STRING})V`, 'com.google.android.c2dm.intent.REGISTER')
          body.virtual(`${INTENT}->setPackage(${STRING})${INTENT}`, intent, target)
          body.virtual(`${INTENT}->putExtra(${STRING}Landroid/os/Parcelable;)${INTENT}`, intent, 'app', pending)
        }),
      }).level
    expect(level('com.google.android.gsf')).toBe('low')
    expect(level('org.other')).toBe('high')
  })

  test("fastjson's classes for Spring cannot be loaded without Spring", () => {
    const config = 'Lcom/alibaba/fastjson/parser/ParserConfig;'
    const verdict = (name: string, ...more: WrittenDexClass[]) =>
      verdictOf('android-fastjson-autotype', {
        classes: [
          {
            name,
            interfaces: ['Lorg/springframework/data/redis/serializer/RedisSerializer;'],
            methods: [
              method('static go()V', (body) => void body.virtual(`${config}->setAutoTypeSupport(Z)V`, null, 1)),
            ],
          },
          ...more,
        ],
      })
    const spring = 'Lcom/alibaba/fastjson/support/spring/GenericFastJsonRedisSerializer;'
    expect(verdict(spring)).toBe('pass')
    expect(verdict(MAIN)).toBe('fail')
    expect(
      verdict(spring, {
        name: 'Lorg/springframework/data/redis/serializer/RedisSerializer;',
        flags: 0x601,
        methods: [],
      }),
    ).toBe('fail')
  })

  test('netty opens a port where code outside of netty makes a server of it', () => {
    const CHANNEL = 'Lio/netty/channel/socket/nio/NioServerSocketChannel;'
    const verdict = (...more: WrittenDexMethod[]) =>
      verdictOf('android-webview-like-local-server', {
        classes: [
          {
            name: CHANNEL,
            methods: [
              method(
                'doBind(Ljava/net/SocketAddress;)V',
                (body) => void body.virtual('Ljava/net/ServerSocket;->bind(Ljava/net/SocketAddress;I)V', null, null, 1),
              ),
            ],
          },
          { name: MAIN, methods: more },
        ],
      })
    expect(verdict(method('talk()V', (body) => void body.make('Lio/netty/bootstrap/Bootstrap;')))).toBe('pass')
    expect(verdict(method('serve()V', (body) => void body.make('Lio/netty/bootstrap/ServerBootstrap;')))).toBe('fail')
  })

  test('addresses in explanations of test tools are none that are opened', () => {
    const verdict = (name: string) =>
      verdictOf('android-http-url-hardcoded', {
        ...uses('INTERNET'),
        classes: [
          {
            name,
            methods: [method('help()V', (body) => void body.static(`${MAIN}->take(${STRING})V`, 'http://jdk.dev/a'))],
          },
        ],
      })
    expect(verdict('Lorg/mockito/internal/util/Platform;')).toBe('pass')
    expect(verdict('Lorg/mockitox/Platform;')).toBe('fail')
  })

  test("the cache of films of Google's advertisements is open to all, other files are not to be", () => {
    const level = (folder: string) =>
      judgeOne(
        'android-file-set-readable',
        code((body) => {
          const file = body.make('Ljava/io/File;', `(Ljava/io/File;${STRING})V`, null, folder)
          body.virtual('Ljava/io/File;->setReadable(ZZ)Z', file, 1, 0)
        }),
      ).level
    expect(level('admobVideoStreams')).toBe('info')
    expect(level('accounts')).toBe('middle')
  })

  test('a context of the package itself loads no foreign code', () => {
    const verdict = (name: string, ...steps: string[]) =>
      verdictOf(
        'android-dynamic-dex-loading',
        code((body) => {
          const create = `Landroid/content/Context;->createPackageContext(${STRING}I)Landroid/content/Context;`
          const context = body.virtual(create, null, name, 3)
          for (const step of steps) body.virtual(step, context)
        }),
      )
    const loader = 'Landroid/content/Context;->getClassLoader()Ljava/lang/ClassLoader;'
    expect(verdict('org.maker.app')).toBe('pass')
    expect(verdict('org.other')).toBe('fail')
    expect(verdict('org.maker.app', loader)).toBe('fail')
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

  test('a program that only reports something is low, whatever its arguments', () => {
    const level = (...parts: string[]) =>
      judgeOne(
        'android-runtime-exec',
        code((body) => {
          const command = body.make('Ljava/lang/StringBuilder;')
          const append = `Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`
          for (const part of [...parts, body.parameter(1)]) body.virtual(append, command, part)
          const whole = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, command)
          body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, whole)
        }),
      ).level
    expect(level('getprop ')).toBe('low')
    expect(level('mkdir -p ')).toBe('low')
    expect(level('rm ')).toBe('middle')
    expect(level('sh -c getprop ')).toBe('middle')
    expect(level()).toBe('middle')
    // A builder that is emptied between says nothing of what it is given then.
    const reused = judgeOne(
      'android-runtime-exec',
      code((body) => {
        const command = body.make('Ljava/lang/StringBuilder;')
        const append = `Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`
        body.virtual(append, command, 'getprop ')
        body.virtual('Ljava/lang/StringBuilder;->setLength(I)V', command, 0)
        body.virtual(append, command, body.parameter(1))
        const whole = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, command)
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, whole)
      }),
    )
    expect(reused.level).toBe('middle')
  })

  test('a root path that names one folder of the application is low, one with its settings is not', () => {
    const level = (path: string) =>
      judgeOne('android-fileprovider-root-path', {
        ...code((body) => void body.static('Landroid/support/v4/content/FileProvider;->getUriForFile()V')),
        components: [
          element(
            'provider',
            { name: 'android.support.v4.content.FileProvider', authorities: 'a' },
            element('meta-data', { name: 'android.support.FILE_PROVIDER_PATHS', value: 'res/xml/paths.xml' }),
          ),
        ],
        xml: { 'res/xml/paths.xml': element('paths', {}, element('root-path', { name: 'a', path })) },
      }).level
    expect(level('/data/user_de/0/org.maker.app/log')).toBe('low')
    expect(level('/data/data/org.maker.app/shared_prefs')).toBe('middle')
    expect(level('/data/data/org.other/log')).toBe('middle')
    expect(level('/data/data/org.maker.app/log/../..')).toBe('middle')
    expect(level('/data/data/org.maker.app/./')).toBe('middle')
    expect(level('/data/data/org.maker.app/app_flutter')).toBe('middle')
    expect(level('')).toBe('high')
  })

  test('certificates of users matter less where nothing in the package speaks TLS', () => {
    const level = (write: (body: Body) => void) =>
      judgeOne('android-nsc-user-ca', { ...code(write), ...uses('INTERNET'), targetSdk: 22, minSdk: 14 }).level
    const opens = (address: string) => (body: Body) => void body.static(`${MAIN}->open(${STRING})V`, address)
    expect(level(opens('http://maker.org'))).toBe('low')
    expect(level(opens('https://maker.org'))).toBe('middle')
    expect(level(opens('https'))).toBe('middle')
    const socket = 'Ljavax/net/ssl/SSLSocketFactory;->getDefault()Ljavax/net/SocketFactory;'
    expect(level((body) => void body.static(socket))).toBe('middle')
  })

  test('the shell around pages holds next to nothing to protect', () => {
    const ids = ['android-no-packer', 'android-no-obfuscation', 'android-no-signature-check']
    const levels = (steps: number, files: Record<string, string> = {}, first: (body: Body) => void = () => {}) =>
      ids.map((id) => {
        const write = (body: Body) => {
          first(body)
          for (let n = 0; n < steps; n++) body.static(`${MAIN}->go()V`)
        }
        const classes = [MAIN, 'Lorg/maker/app/Helper;'].map((name) => ({ name, methods: [method('work()V', write)] }))
        return judgeOne(id, { classes, files, components: [element('activity', { name: '.Main' })] }).level
      })
    expect(levels(10)).toEqual(['low', 'low', 'low'])
    expect(levels(400)).toEqual(['middle', 'middle', 'middle'])
    expect(levels(10, { 'lib/arm64-v8a/liba.so': 'x' })).not.toContain('low')
    // The rest may come while it runs.
    expect(levels(10, {}, (body) => void body.make('Ldalvik/system/DexClassLoader;'))).toEqual([
      'middle',
      'middle',
      'middle',
    ])
  })

  test('the certificates that xUtils ignores for pictures are a finding where code gets pictures by it', () => {
    const FIELD =
      'Lorg/apache/http/conn/ssl/SSLSocketFactory;->ALLOW_ALL_HOSTNAME_VERIFIER:Lorg/apache/http/conn/ssl/X509HostnameVerifier;'
    const level = (owner: string, write: (body: Body) => void) =>
      judgeOne('android-hostname-verifier-allow-all', {
        classes: [
          { name: owner, methods: [method('static open()V', (body) => void body.field(FIELD))] },
          {
            name: 'Lcom/lidroid/xutils/bitmap/download/DefaultDownloader;',
            methods: [method('get()V', (body) => void body.static(`${owner}->open()V`))],
          },
          { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('onResume()V', write)] },
        ],
      }).level
    const pictures = (body: Body) => void body.make('Lcom/lidroid/xutils/BitmapUtils;')
    const requests = (body: Body) => void body.make('Lcom/lidroid/xutils/HttpUtils;')
    const others = 'Lcom/lidroid/xutils/util/OtherUtils;'
    expect(level(others, pictures)).toBe('high')
    expect(level(others, requests)).toBe('info')
    expect(
      level(others, (body) => void body.static(`${MAIN}->make(${STRING})V`, 'com.lidroid.xutils.BitmapUtils')),
    ).toBe('high')
    expect(level('Lcom/lidroid/xutils/http/client/DefaultSSLSocketFactory;', requests)).toBe('high')
  })
})

describe('DET-03 findings of sample s9 that were judged wrong', () => {
  const STRING = 'Ljava/lang/String;'

  test("the browser that Android's library for web applications checked is no credential", () => {
    const stored = (key: string) =>
      code((body) => {
        const put = `Landroid/content/SharedPreferences$Editor;->putString(${STRING}${STRING})Landroid/content/SharedPreferences$Editor;`
        body.interface(put, null, key, body.parameter(1))
      })
    expect(verdictOf('android-sharedpref-sensitive', stored('SharedPreferencesTokenStore.TOKEN'))).toBe('pass')
    expect(verdictOf('android-sharedpref-sensitive', stored('ACCESS_TOKEN'))).toBe('fail')
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

  test('a trust manager that a library takes on demand alone is low', () => {
    const level = (name: string) =>
      judgeOne('android-trust-manager-empty', {
        classes: [
          {
            name,
            interfaces: ['Ljavax/net/ssl/X509TrustManager;'],
            methods: [
              method('<init>()V'),
              method(`checkServerTrusted([Ljava/security/cert/X509Certificate;${STRING})V`),
            ],
          },
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [method('onResume()V', (body) => void body.make(name))],
          },
        ],
      }).level
    expect(level('Lorg/acra/util/NaiveTrustManager;')).toBe('low')
    expect(level('Lorg/maker/app/NaiveTrustManager;')).toBe('high')
  })

  test('a factory that hands on sockets of another is low, code that opens one is not', () => {
    const CREATE = `createSocket(${STRING}I)Ljava/net/Socket;`
    const judged = (superclass: string, name: string, ...more: ((body: Body) => void)[]) =>
      judgeOne('android-ssl-socket-no-hostname', {
        classes: [
          {
            name: MAIN,
            superclass,
            methods: [
              method(name, (body) =>
                body.result(body.virtual(`Ljavax/net/ssl/SSLSocketFactory;->${CREATE}`, null, 'a.b', 443)),
              ),
              ...more.map((write) => method('check()V', write)),
            ],
          },
        ],
      })
    const level = (superclass: string, name: string) => judged(superclass, name).level
    const FACTORY = 'Ljavax/net/ssl/SSLSocketFactory;'
    expect(level(FACTORY, CREATE)).toBe('low')
    expect(level('Ljava/lang/Object;', CREATE)).toBe('middle')
    const verifies = (body: Body) =>
      void body.interface(`Ljavax/net/ssl/HostnameVerifier;->verify(${STRING}Ljavax/net/ssl/SSLSession;)Z`, null)
    expect(judged(FACTORY, CREATE, verifies).verdict).toBe('pass')
    expect(level(FACTORY, 'open()Ljava/net/Socket;')).toBe('middle')
  })

  test('a report of the system is harmless, a command that changes something is not', () => {
    const level = (...words: string[]) =>
      judgeOne(
        'android-runtime-exec',
        code((body) => {
          const runtime = body.static('Ljava/lang/Runtime;->getRuntime()Ljava/lang/Runtime;')
          body.virtual(`Ljava/lang/Runtime;->exec([${STRING})Ljava/lang/Process;`, runtime, body.texts(...words))
        }),
      ).level
    expect(level('bugreport')).toBe('low')
    expect(level('pm', 'uninstall', 'org.other')).toBe('middle')
  })

  test('preferences with the name of the browser are published by Google Play services on purpose', () => {
    const level = (name: string) =>
      judgeOne('android-file-set-readable', {
        classes: [
          {
            name,
            methods: [
              method('static publish()V', (body) => void body.virtual('Ljava/io/File;->setReadable(ZZ)Z', null, 1, 0)),
            ],
          },
        ],
      }).level
    expect(level('Lcom/google/android/gms/common/util/SharedPreferencesUtils;')).toBe('info')
    expect(level(MAIN)).toBe('middle')
  })
})
