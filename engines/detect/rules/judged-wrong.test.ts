import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

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
