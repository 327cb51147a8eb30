import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'
import { descriptorOf } from '../evidence/locations.ts'

const MAIN = 'Lorg/maker/app/Main;'
const made = (name: string, superclass: string, interfaces: string[], ...methods: WrittenDexMethod[]) => ({
  name,
  superclass,
  interfaces,
  methods,
})
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [made(MAIN, 'Landroid/app/Activity;', [], method('work(Ljava/lang/String;)V', write))],
})
const nothing = code(() => {})
const finance = { applicationTypes: ['online_payment'] }
const activity = { components: [element('activity', { name: '.Main' })] }
const uses = (name: string) => ({ others: [element('uses-permission', { name: `android.permission.${name}` })] })
/** A trust manager that is made somewhere. */
const trusting = (write: (body: Body) => void): MadePackage => ({
  classes: [
    made(
      'Lorg/maker/app/Trust;',
      'Ljava/lang/Object;',
      ['Ljavax/net/ssl/X509TrustManager;'],
      method('checkServerTrusted([Ljava/security/cert/X509Certificate;Ljava/lang/String;)V', write),
    ),
    made(
      MAIN,
      'Ljava/lang/Object;',
      [],
      method('run()V', (body) => void body.make('Lorg/maker/app/Trust;')),
    ),
  ],
})
const verifying = (value: number): MadePackage => ({
  classes: [
    made('Lorg/maker/app/Any;', 'Ljava/lang/Object;', ['Ljavax/net/ssl/HostnameVerifier;'], {
      ...method('verify(Ljava/lang/String;Ljavax/net/ssl/SSLSession;)Z', (body) => body.result(value, 'Z')),
    }),
    made(
      MAIN,
      'Ljava/lang/Object;',
      [],
      method('run()V', (body) => void body.make('Lorg/maker/app/Any;')),
    ),
  ],
})
const open = (body: Body, url: string) => {
  const address = body.make('Ljava/net/URL;', '(Ljava/lang/String;)V', url)
  body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', address)
}
const joined = (body: Body, ...parts: Argument[]) => {
  const builder = body.make('Ljava/lang/StringBuilder;')
  for (const part of parts)
    body.virtual('Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;', builder, part)
  return body.virtual('Ljava/lang/StringBuilder;->toString()Ljava/lang/String;', builder)
}
const sql = (body: Body, statement: Argument) =>
  body.virtual(
    'Landroid/database/sqlite/SQLiteDatabase;->rawQuery(Ljava/lang/String;[Ljava/lang/String;)Landroid/database/Cursor;',
    null,
    statement,
    null,
  )
const external = (body: Body) => body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
const prefs = (body: Body, key: string) =>
  body.interface(
    'Landroid/content/SharedPreferences$Editor;->putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;',
    null,
    key,
    body.parameter(1),
  )
const layout = (field: ReturnType<typeof element>): MadePackage => ({
  ...activity,
  files: {},
  xml: { 'res/layout/a.xml': element('LinearLayout', {}, field) },
})
const context = 'Landroid/content/Context;'

const NETWORK: Record<string, ItemCase> = {
  'android-trust-manager-empty': {
    fails: trusting(() => {}),
    passes: trusting((body) => void body.make('Ljava/security/cert/CertificateException;')),
  },
  'android-hostname-verifier-allow-all': { fails: verifying(1), passes: verifying(0) },
  'android-ssl-socket-no-hostname': {
    fails: code(
      (body) =>
        void body.virtual(
          'Ljavax/net/ssl/SSLSocketFactory;->createSocket(Ljava/lang/String;I)Ljava/net/Socket;',
          null,
          'maker.org',
          443,
        ),
    ),
    passes: code((body) => {
      body.virtual(
        'Ljavax/net/ssl/SSLSocketFactory;->createSocket(Ljava/lang/String;I)Ljava/net/Socket;',
        null,
        'maker.org',
        443,
      )
      body.virtual(
        'Ljavax/net/ssl/SSLParameters;->setEndpointIdentificationAlgorithm(Ljava/lang/String;)V',
        null,
        'HTTPS',
      )
    }),
  },
  'android-ssl-insecure-factory': {
    fails: code(
      (body) =>
        void body.static(
          'Landroid/net/SSLCertificateSocketFactory;->getInsecure(ILandroid/net/SSLSessionCache;)Ljavax/net/ssl/SSLSocketFactory;',
          0,
          null,
        ),
    ),
    passes: nothing,
  },
  'android-tls-old-protocol': {
    fails: code(
      (body) =>
        void body.static(
          'Ljavax/net/ssl/SSLContext;->getInstance(Ljava/lang/String;)Ljavax/net/ssl/SSLContext;',
          'SSLv3',
        ),
    ),
    passes: code(
      (body) =>
        void body.static(
          'Ljavax/net/ssl/SSLContext;->getInstance(Ljava/lang/String;)Ljavax/net/ssl/SSLContext;',
          'TLSv1.2',
        ),
    ),
  },
  'android-http-url-hardcoded': {
    fails: code((body) => open(body, 'http://api.maker.org/v1')),
    passes: code((body) => open(body, 'http://schemas.android.com/apk/res/android')),
  },
  'android-no-cert-pinning': {
    fails: code((body) => open(body, 'https://api.maker.org/v1')),
    passes: code((body) => {
      open(body, 'https://api.maker.org/v1')
      body.virtual(
        'Lokhttp3/CertificatePinner$Builder;->add(Ljava/lang/String;[Ljava/lang/String;)Lokhttp3/CertificatePinner$Builder;',
        null,
        'maker.org',
        null,
      )
    }),
  },
  'android-sensitive-in-get': {
    fails: code((body) => void joined(body, 'https://api.maker.org/?token=', body.parameter(1))),
    passes: code((body) => void joined(body, 'https://api.maker.org/?page=', body.parameter(1))),
  },
  'android-webview-like-local-server': {
    fails: code((body) => void body.make('Ljava/net/ServerSocket;', '(I)V', 8080)),
    passes: code((body) => void body.make('Ljava/net/ServerSocket;')),
  },
  'android-local-socket-abstract': {
    fails: code((body) => void body.make('Landroid/net/LocalServerSocket;', '(Ljava/lang/String;)V', 'door')),
    passes: code((body) => {
      body.make('Landroid/net/LocalServerSocket;', '(Ljava/lang/String;)V', 'door')
      body.virtual('Landroid/net/LocalSocket;->getPeerCredentials()Landroid/net/Credentials;', null)
    }),
  },
  'android-ftp-telnet-use': {
    fails: code((body) => open(body, 'ftp://files.maker.org/')),
    passes: code((body) => open(body, 'https://files.maker.org/')),
  },
  'android-proxy-detection-absent': {
    fails: nothing,
    passes: code(
      (body) =>
        void body.static('Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;', 'http.proxyHost'),
    ),
    choices: finance,
  },
  'android-clipboard-bg-listener': {
    fails: code(
      (body) =>
        void body.virtual(
          'Landroid/content/ClipboardManager;->addPrimaryClipChangedListener(Landroid/content/ClipboardManager$OnPrimaryClipChangedListener;)V',
          null,
          null,
        ),
    ),
    passes: nothing,
  },
  'android-privacy-tracker-domains': {
    fails: code((body) => open(body, 'https://api.mixpanel.com/track')),
    passes: code((body) => open(body, 'https://api.maker.org/')),
  },
}

const STORAGE: Record<string, ItemCase> = {
  'android-world-readable-file': {
    fails: code(
      (body) =>
        void body.virtual(`${context}->openFileOutput(Ljava/lang/String;I)Ljava/io/FileOutputStream;`, null, 'a', 1),
    ),
    passes: code(
      (body) =>
        void body.virtual(
          `${context}->openFileOutput(Ljava/lang/String;I)Ljava/io/FileOutputStream;`,
          null,
          'a',
          0x8000,
        ),
    ),
  },
  'android-file-set-readable': {
    fails: code((body) => void body.virtual('Ljava/io/File;->setReadable(ZZ)Z', null, 1, 0)),
    passes: code((body) => void body.virtual('Ljava/io/File;->setReadable(ZZ)Z', null, 1, 1)),
  },
  'android-external-storage-sensitive': {
    fails: code((body) => {
      const file = body.make('Ljava/io/File;', '(Ljava/io/File;Ljava/lang/String;)V', external(body), 'a')
      body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)
    }),
    passes: code((body) => void external(body)),
  },
  'android-external-code-load': {
    fails: code((body) => {
      const path = body.virtual('Ljava/io/File;->getPath()Ljava/lang/String;', external(body))
      body.static('Ljava/lang/System;->load(Ljava/lang/String;)V', path)
    }),
    passes: code((body) => void body.static('Ljava/lang/System;->load(Ljava/lang/String;)V', '/data/app/lib/liba.so')),
  },
  'android-sharedpref-sensitive': {
    fails: code((body) => void prefs(body, 'user_password')),
    passes: code((body) => void prefs(body, 'theme')),
  },
  'android-sqlite-unencrypted': {
    fails: {
      classes: [made('Lorg/maker/app/Helper;', 'Landroid/database/sqlite/SQLiteOpenHelper;', [], method('<init>()V'))],
    },
    passes: {
      classes: [
        made(
          descriptorOf('androidx.work.impl.Helper'),
          'Landroid/database/sqlite/SQLiteOpenHelper;',
          [],
          method('<init>()V'),
        ),
      ],
    },
  },
  'android-sqlcipher-hardcoded-key': {
    fails: code(
      (body) =>
        void body.virtual(
          'Lnet/sqlcipher/database/SQLiteOpenHelper;->getWritableDatabase(Ljava/lang/String;)Lnet/sqlcipher/database/SQLiteDatabase;',
          null,
          'open sesame',
        ),
    ),
    passes: code(
      (body) =>
        void body.virtual(
          'Lnet/sqlcipher/database/SQLiteOpenHelper;->getWritableDatabase(Ljava/lang/String;)Lnet/sqlcipher/database/SQLiteDatabase;',
          null,
          '',
        ),
    ),
  },
  'android-sql-injection-local': {
    fails: code((body) => void sql(body, joined(body, "select * from users where name = '", body.parameter(1)))),
    passes: code((body) => void sql(body, 'select * from users')),
  },
  'android-log-sensitive': {
    fails: code(
      (body) =>
        void body.static(
          'Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I',
          'Main',
          joined(body, 'password: ', body.parameter(1)),
        ),
    ),
    passes: code(
      (body) =>
        void body.static('Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I', 'Main', 'password is wrong'),
    ),
  },
  'android-print-stack-trace': {
    fails: code((body) => {
      for (let i = 0; i < 21; i++) body.virtual('Ljava/lang/Exception;->printStackTrace()V', null)
    }),
    passes: code((body) => void body.virtual('Ljava/lang/Exception;->printStackTrace()V', null)),
  },
  'android-clipboard-sensitive': {
    fails: code((body) => {
      const clip = body.static(
        'Landroid/content/ClipData;->newPlainText(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Landroid/content/ClipData;',
        'card number',
        body.parameter(1),
      )
      body.virtual('Landroid/content/ClipboardManager;->setPrimaryClip(Landroid/content/ClipData;)V', null, clip)
    }),
    passes: code((body) => {
      const clip = body.static(
        'Landroid/content/ClipData;->newPlainText(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Landroid/content/ClipData;',
        'invite',
        body.parameter(1),
      )
      body.virtual('Landroid/content/ClipboardManager;->setPrimaryClip(Landroid/content/ClipData;)V', null, clip)
    }),
  },
  'android-screenshot-unprotected': {
    fails: code(() => {}, activity),
    passes: code((body) => void body.virtual('Landroid/view/Window;->setFlags(II)V', null, 0x2000, 0x2000), activity),
  },
  'android-tapjacking': {
    fails: code(() => {}, activity),
    passes: code(
      (body) => void body.virtual('Landroid/view/View;->setFilterTouchesWhenObscured(Z)V', null, 1),
      activity,
    ),
  },
  'android-activity-hijack-detect-absent': {
    fails: code(() => {}, activity),
    passes: {
      ...activity,
      classes: [
        made(
          MAIN,
          'Landroid/app/Activity;',
          [],
          method(
            'onPause()V',
            (body) => void body.virtual('Landroid/app/ActivityManager;->getRunningTasks(I)Ljava/util/List;', null, 1),
          ),
        ),
      ],
    },
    choices: finance,
  },
  'android-secure-keyboard-absent': {
    fails: nothing,
    passes: code(
      (body) =>
        void body.virtual(
          'Landroid/inputmethodservice/KeyboardView;->setKeyboard(Landroid/inputmethodservice/Keyboard;)V',
          null,
          null,
        ),
    ),
    choices: finance,
  },
}

describe('items about network and storage (DET-03)', () => {
  test.each(Object.entries({ ...NETWORK, ...STORAGE }))(
    '%s fails on its failing example and passes on its passing one',
    (id, { fails, passes, choices }) => {
      expect(judgeOne(id, fails, choices)).toMatchObject({ verdict: 'fail', owner: 'own' })
      expect(judgeOne(id, passes, choices).verdict).toBe('pass')
    },
  )

  test('android-keyboard-cache fails on a plain field for card numbers and passes on a password field', () => {
    const field = (inputType: number) => layout(element('EditText', { hint: 'Card number', inputType }))
    expect(judgeOne('android-keyboard-cache', field(1)).verdict).toBe('fail')
    expect(judgeOne('android-keyboard-cache', field(0x81)).verdict).toBe('pass')
  })

  test('what is asked of money alone is not asked of others', () => {
    for (const id of [
      'android-proxy-detection-absent',
      'android-secure-keyboard-absent',
      'android-activity-hijack-detect-absent',
    ])
      expect(
        judgeOne(
          id,
          code(() => {}, uses('INTERNET')),
        ).verdict,
      ).toBe('not_applicable')
  })

  test('a trust manager that no one makes is information', () => {
    const { classes } = trusting(() => {})
    expect(judgeOne('android-trust-manager-empty', { classes: classes!.slice(0, 1) })).toMatchObject({
      verdict: 'fail',
      level: 'info',
    })
  })

  test('what is logged under the tag "password" is reported, under the name of a class it is not', () => {
    const logging = (tag: string) =>
      code(
        (body) =>
          void body.static('Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I', tag, body.parameter(1)),
      )
    expect(judgeOne('android-log-sensitive', logging('password')).verdict).toBe('fail')
    expect(judgeOne('android-log-sensitive', logging('Password')).verdict).toBe('pass')
    expect(judgeOne('android-log-sensitive', logging('TokenManager')).verdict).toBe('pass')
  })

  test('log calls that say nothing are named among what was looked at', () => {
    const { reason } = judgeOne('android-log-sensitive', STORAGE['android-log-sensitive']!.passes)
    expect(reason!.en).toContain('org.maker.app.Main.work')
  })
})
