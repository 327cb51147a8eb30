import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass, WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { code, MAIN, uses, verdictOf } from '#tests/support/made-code.ts'

const STRING = 'Ljava/lang/String;'

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
describe('DET-03 findings about network that were judged wrong', () => {
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

  test.each(['http://xml.org/sax/features/namespaces', 'http://www.ccil.org/~cowan/tagsoup/properties/scanner'])(
    '%s names a feature and is no address',
    (name) => {
      const opened = (address: string) =>
        code((body) => void body.static(`${MAIN}->take(Ljava/lang/String;)V`, address), uses('INTERNET'))
      expect(verdictOf('android-http-url-hardcoded', opened(name))).toBe('pass')
      expect(verdictOf('android-http-url-hardcoded', opened('http://www.ccil.org/upload'))).toBe('fail')
    },
  )

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
})
