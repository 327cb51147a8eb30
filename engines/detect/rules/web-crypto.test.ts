import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'

const MAIN = 'Lorg/maker/app/Main;'
/** A package whose own class has one method with this code. */
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [
    { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('onCreate(Landroid/os/Bundle;)V', write)] },
  ],
})
const overriding = (
  superclass: string,
  name: string,
  write: (body: Body) => void,
  more: MadePackage = {},
): MadePackage => ({
  ...more,
  classes: [{ name: 'Lorg/maker/app/Client;', superclass, methods: [method(name, write)] }],
})
const set = (name: string, value: number) => (body: Body) => {
  body.virtual(`Landroid/webkit/WebSettings;->${name}(Z)V`, null, value)
}
const load = (body: Body, url: Argument) =>
  body.virtual('Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V', null, url)
const extra = (body: Body) =>
  body.virtual(
    'Landroid/content/Intent;->getStringExtra(Ljava/lang/String;)Ljava/lang/String;',
    body.virtual(`${MAIN}->getIntent()Landroid/content/Intent;`, body.parameter(0)),
    'url',
  )
const exported = { components: [element('activity', { name: '.Main', exported: true })] }
const bridge = (body: Body) =>
  body.virtual(
    'Landroid/webkit/WebView;->addJavascriptInterface(Ljava/lang/Object;Ljava/lang/String;)V',
    null,
    null,
    'app',
  )
const SSL = 'onReceivedSslError(Landroid/webkit/WebView;Landroid/webkit/SslErrorHandler;Landroid/net/http/SslError;)V'
const CLIENT = 'Landroid/webkit/WebViewClient;'
const CHROME = 'Landroid/webkit/WebChromeClient;'
const cipher = (name: Argument) => (body: Body) => {
  body.static('Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;', name)
}
const bytes = (body: Body, text: string) => body.virtual('Ljava/lang/String;->getBytes()[B', text)
const random = (body: Body) => {
  const array = body.static('Lorg/maker/app/Main;->fresh()[B')
  body.virtual('Ljava/security/SecureRandom;->nextBytes([B)V', null, array)
  return array
}
const CHARS = (body: Body, text: string) => body.virtual('Ljava/lang/String;->toCharArray()[C', text)

const WEB: Record<string, ItemCase> = {
  'android-webview-js-enabled': {
    fails: code(set('setJavaScriptEnabled', 1)),
    passes: code(set('setJavaScriptEnabled', 0)),
  },
  'android-webview-js-interface-rce': { fails: code(bridge, { minSdk: 16 }), passes: code(bridge) },
  'android-webview-js-bridge-exposed': {
    fails: code((body) => {
      bridge(body)
      load(body, 'http://maker.org/')
    }),
    passes: code((body) => {
      bridge(body)
      load(body, 'file:///android_asset/a.html')
    }),
  },
  'android-webview-system-js-interfaces': {
    fails: code(
      (body) => {
        set('setJavaScriptEnabled', 1)(body)
        load(body, 'https://maker.org/')
      },
      { minSdk: 16 },
    ),
    passes: code((body) => void load(body, 'https://maker.org/'), { minSdk: 16 }),
  },
  'android-webview-ssl-error-proceed': {
    fails: overriding(
      CLIENT,
      SSL,
      (body) => void body.virtual('Landroid/webkit/SslErrorHandler;->proceed()V', body.parameter(2)),
    ),
    passes: overriding(
      CLIENT,
      SSL,
      (body) => void body.virtual('Landroid/webkit/SslErrorHandler;->cancel()V', body.parameter(2)),
    ),
  },
  'android-webview-file-access': {
    fails: code(set('setAllowFileAccess', 1)),
    passes: code(set('setAllowFileAccess', 0)),
  },
  'android-webview-universal-file-access': {
    fails: code(set('setAllowFileAccessFromFileURLs', 1)),
    passes: code(set('setAllowUniversalAccessFromFileURLs', 0)),
  },
  'android-webview-content-access': {
    fails: code(set('setJavaScriptEnabled', 1)),
    passes: code((body) => {
      set('setJavaScriptEnabled', 1)(body)
      set('setAllowContentAccess', 0)(body)
    }),
  },
  'android-webview-save-password': {
    fails: code(set('setSavePassword', 1), { minSdk: 17 }),
    passes: code(set('setSavePassword', 1)),
  },
  'android-webview-debug': {
    fails: code((body) => void body.static('Landroid/webkit/WebView;->setWebContentsDebuggingEnabled(Z)V', 1)),
    passes: code((body) => {
      body.field('Lorg/maker/app/BuildConfig;->DEBUG:Z')
      body.static('Landroid/webkit/WebView;->setWebContentsDebuggingEnabled(Z)V', 1)
    }),
  },
  'android-webview-mixed-content': {
    fails: code((body) => void body.virtual('Landroid/webkit/WebSettings;->setMixedContentMode(I)V', null, 0)),
    passes: code((body) => void body.virtual('Landroid/webkit/WebSettings;->setMixedContentMode(I)V', null, 1)),
  },
  'android-webview-url-from-intent': {
    fails: code((body) => void load(body, extra(body)), exported),
    passes: code((body) => void load(body, extra(body)), {
      components: [element('activity', { name: '.Main', exported: false })],
    }),
  },
  'android-webview-url-check-weak': {
    fails: overriding(
      CLIENT,
      'shouldOverrideUrlLoading(Landroid/webkit/WebView;Ljava/lang/String;)V',
      (body) =>
        void body.virtual('Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z', body.parameter(2), 'maker.org'),
    ),
    passes: overriding(
      CLIENT,
      'shouldOverrideUrlLoading(Landroid/webkit/WebView;Ljava/lang/String;)V',
      (body) => void body.virtual('Ljava/lang/String;->endsWith(Ljava/lang/String;)Z', body.parameter(2), '.maker.org'),
    ),
  },
  'android-webview-js-from-http': {
    fails: code((body) => void load(body, 'http://maker.org/a')),
    passes: code((body) => void load(body, 'http://localhost/a')),
  },
  'android-webview-geolocation-auto': {
    fails: overriding(
      CHROME,
      'onGeolocationPermissionsShowPrompt(Ljava/lang/String;Landroid/webkit/GeolocationPermissions$Callback;)V',
      (body) =>
        void body.interface(
          'Landroid/webkit/GeolocationPermissions$Callback;->invoke(Ljava/lang/String;ZZ)V',
          body.parameter(2),
          body.parameter(1),
          1,
          0,
        ),
    ),
    passes: overriding(
      CHROME,
      'onGeolocationPermissionsShowPrompt(Ljava/lang/String;Landroid/webkit/GeolocationPermissions$Callback;)V',
      (body) =>
        void body.interface(
          'Landroid/webkit/GeolocationPermissions$Callback;->invoke(Ljava/lang/String;ZZ)V',
          body.parameter(2),
          body.parameter(1),
          0,
          0,
        ),
    ),
  },
  'android-webview-permission-grant-all': {
    fails: overriding(CHROME, 'onPermissionRequest(Landroid/webkit/PermissionRequest;)V', (body) => {
      const resources = body.virtual(
        'Landroid/webkit/PermissionRequest;->getResources()[Ljava/lang/String;',
        body.parameter(1),
      )
      body.virtual('Landroid/webkit/PermissionRequest;->grant([Ljava/lang/String;)V', body.parameter(1), resources)
    }),
    passes: overriding(CHROME, 'onPermissionRequest(Landroid/webkit/PermissionRequest;)V', (body) => {
      body.virtual('Landroid/webkit/PermissionRequest;->getOrigin()Landroid/net/Uri;', body.parameter(1))
      const resources = body.virtual(
        'Landroid/webkit/PermissionRequest;->getResources()[Ljava/lang/String;',
        body.parameter(1),
      )
      body.virtual('Landroid/webkit/PermissionRequest;->grant([Ljava/lang/String;)V', body.parameter(1), resources)
    }),
  },
}

const KEY = 'Ljavax/crypto/spec/SecretKeySpec;'
const SEED = 'Ljava/security/SecureRandom;->setSeed([B)V'
const PBE = '([C[BII)V'
const authenticate = (reference: string) => code((body) => void body.virtual(reference, null))

const CRYPTO: Record<string, ItemCase> = {
  'android-crypto-weak-cipher': {
    fails: code(cipher('DES/CBC/PKCS5Padding')),
    passes: code(cipher('AES/GCM/NoPadding')),
  },
  'android-crypto-ecb': { fails: code(cipher('AES')), passes: code(cipher('RSA/ECB/OAEPPadding')) },
  'android-crypto-cbc-padding-oracle': {
    fails: code(cipher('AES/CBC/PKCS5Padding')),
    passes: code((body) => {
      cipher('AES/CBC/PKCS5Padding')(body)
      body.static('Ljavax/crypto/Mac;->getInstance(Ljava/lang/String;)Ljavax/crypto/Mac;', 'HmacSHA256')
    }),
  },
  'android-crypto-static-iv': {
    fails: code(
      (body) => void body.make('Ljavax/crypto/spec/IvParameterSpec;', '([B)V', bytes(body, '0123456789abcdef')),
    ),
    passes: code((body) => void body.make('Ljavax/crypto/spec/IvParameterSpec;', '([B)V', random(body))),
  },
  'android-crypto-hardcoded-key': {
    fails: code((body) => void body.make(KEY, '([BLjava/lang/String;)V', bytes(body, 'sixteen byte key'), 'AES')),
    passes: code((body) => void body.make(KEY, '([BLjava/lang/String;)V', random(body), 'AES')),
  },
  'android-crypto-weak-hash': {
    fails: code(
      (body) =>
        void body.static(
          'Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;',
          'MD5',
        ),
    ),
    passes: code(
      (body) =>
        void body.static(
          'Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;',
          'SHA-256',
        ),
    ),
  },
  'android-crypto-insecure-random': {
    fails: code((body) => {
      body.make('Ljava/util/Random;')
      body.make(KEY, '([BLjava/lang/String;)V', null, 'AES')
    }),
    passes: code((body) => void body.make('Ljava/util/Random;')),
  },
  'android-crypto-securerandom-seed': {
    fails: code(
      (body) => void body.virtual(SEED, body.make('Ljava/security/SecureRandom;'), bytes(body, 'always the same')),
    ),
    passes: code((body) => void body.virtual(SEED, body.make('Ljava/security/SecureRandom;'), random(body))),
  },
  'android-crypto-sha1prng': {
    fails: code(
      (body) =>
        void body.static(
          'Ljava/security/SecureRandom;->getInstance(Ljava/lang/String;Ljava/lang/String;)Ljava/security/SecureRandom;',
          'SHA1PRNG',
          'Crypto',
        ),
    ),
    passes: code(
      (body) =>
        void body.static(
          'Ljava/security/SecureRandom;->getInstance(Ljava/lang/String;)Ljava/security/SecureRandom;',
          'SHA1PRNG',
        ),
    ),
  },
  'android-crypto-rsa-no-padding': {
    fails: code(cipher('RSA/ECB/NoPadding')),
    passes: code(cipher('RSA/ECB/OAEPWithSHA-256AndMGF1Padding')),
  },
  'android-crypto-rsa-short-key': {
    fails: code((body) => {
      const generator = body.static(
        'Ljava/security/KeyPairGenerator;->getInstance(Ljava/lang/String;)Ljava/security/KeyPairGenerator;',
        'RSA',
      )
      body.virtual('Ljava/security/KeyPairGenerator;->initialize(I)V', generator, 1024)
    }),
    passes: code((body) => {
      const generator = body.static(
        'Ljava/security/KeyPairGenerator;->getInstance(Ljava/lang/String;)Ljava/security/KeyPairGenerator;',
        'EC',
      )
      body.virtual('Ljava/security/KeyPairGenerator;->initialize(I)V', generator, 256)
    }),
  },
  'android-crypto-pbkdf-iterations': {
    fails: code((body) => void body.make('Ljavax/crypto/spec/PBEKeySpec;', PBE, null, null, 1000, 256)),
    passes: code((body) => void body.make('Ljavax/crypto/spec/PBEKeySpec;', PBE, null, null, 310_000, 256)),
  },
  'android-crypto-static-salt': {
    fails: code(
      (body) =>
        void body.make('Ljavax/crypto/spec/PBEKeySpec;', PBE, null, bytes(body, 'salt and pepper'), 310_000, 256),
    ),
    passes: code(
      (body) => void body.make('Ljavax/crypto/spec/PBEKeySpec;', PBE, CHARS(body, 'x'), random(body), 310_000, 256),
    ),
  },
  'android-keystore-no-auth': {
    fails: code(
      (body) =>
        void body.make('Landroid/security/keystore/KeyGenParameterSpec$Builder;', '(Ljava/lang/String;I)V', 'key', 2),
    ),
    passes: code((body) => {
      const builder = body.make(
        'Landroid/security/keystore/KeyGenParameterSpec$Builder;',
        '(Ljava/lang/String;I)V',
        'key',
        2,
      )
      body.virtual(
        'Landroid/security/keystore/KeyGenParameterSpec$Builder;->setUserAuthenticationRequired(Z)Landroid/security/keystore/KeyGenParameterSpec$Builder;',
        builder,
        1,
      )
    }),
  },
  'android-biometric-event-only': {
    fails: authenticate(
      'Landroidx/biometric/BiometricPrompt;->authenticate(Landroidx/biometric/BiometricPrompt$PromptInfo;)V',
    ),
    passes: authenticate(
      'Landroidx/biometric/BiometricPrompt;->authenticate(Landroidx/biometric/BiometricPrompt$PromptInfo;Landroidx/biometric/BiometricPrompt$CryptoObject;)V',
    ),
  },
  'android-biometric-weak-class': {
    fails: code(
      (body) =>
        void body.virtual(
          'Landroidx/biometric/BiometricPrompt$PromptInfo$Builder;->setAllowedAuthenticators(I)V',
          null,
          0x80ff,
        ),
    ),
    passes: code(
      (body) =>
        void body.virtual(
          'Landroidx/biometric/BiometricPrompt$PromptInfo$Builder;->setAllowedAuthenticators(I)V',
          null,
          0x0f,
        ),
    ),
  },
  'android-crypto-null-cipher': {
    fails: code((body) => void body.make('Ljavax/crypto/NullCipher;')),
    passes: code(cipher('AES/GCM/NoPadding')),
  },
}

describe('items about web views and cryptography (DET-03)', () => {
  test.each(Object.entries({ ...WEB, ...CRYPTO }))(
    '%s fails on its failing example and passes on its passing one',
    (id, { fails, passes }) => {
      const found = judgeOne(id, fails)
      expect([found.verdict, found.owner]).toEqual(['fail', 'own'])
      const evidence = found.findings[0]!.evidence
      expect(evidence.class).toMatch(/^org\.maker\.app\./)
      expect(judgeOne(id, passes).verdict).toBe('pass')
    },
  )

  test('findings of android-crypto-hardcoded-key never show the key whole', () => {
    const { findings } = judgeOne('android-crypto-hardcoded-key', CRYPTO['android-crypto-hardcoded-key']!.fails)
    expect(JSON.stringify(findings[0]!.detail)).not.toContain('sixteen byte key')
  })

  test('the same in a library counts as information', () => {
    const classes: WrittenDexClass[] = [{ name: 'Lcom/google/gson/A;', methods: [method('run()V', cipher('DES'))] }]
    const found = judgeOne('android-crypto-weak-cipher', { classes })
    expect([found.verdict, found.owner, found.level]).toEqual(['fail', 'sdk', 'info'])
    expect(found.findings[0]!.owner).toEqual({ kind: 'sdk', sdk: 'gson' })
  })
})
