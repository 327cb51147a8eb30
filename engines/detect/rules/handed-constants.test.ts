import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const HELPER = 'Lorg/maker/app/Helper;'
const DIGEST = 'Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;'
const BUILDER = 'Ljava/lang/StringBuilder;'
const APPEND = `${BUILDER}->append(Ljava/lang/String;)${BUILDER}`
const own = (...methods: ReturnType<typeof method>[]) => ({ classes: [{ name: HELPER, methods }] })
const bytesOf = (body: Body, text: string) => body.virtual('Ljava/lang/String;->getBytes()[B', text)

describe('[DET-05] constants that callers hand over', () => {
  const hash = method('static hash(Ljava/lang/String;)V', (body) => void body.static(DIGEST, body.parameter(0)))
  const calling = (name: string, algorithm: string) =>
    method(`static ${name}()V`, (body) => void body.static(`${HELPER}->hash(Ljava/lang/String;)V`, algorithm))

  test('a digest that two callers name is judged at both, a strong one at none', () => {
    const found = judgeOne(
      'android-crypto-weak-hash',
      own(hash, calling('one', 'MD5'), calling('two', 'MD5'), calling('three', 'SHA-256')),
    )
    expect(found.verdict).toBe('fail')
    expect(found.findings.map(({ evidence }) => evidence.method).sort()).toEqual(['one()V', 'two()V'])
    expect(judgeOne('android-crypto-weak-hash', own(hash, calling('three', 'SHA-256'))).verdict).toBe('pass')
  })

  test('an initialisation vector and a key that a caller hands over are constants', () => {
    const encrypt = method('static encrypt([B[B)V', (body) => {
      body.make('Ljavax/crypto/spec/IvParameterSpec;', '([B)V', body.parameter(0))
      body.make('Ljavax/crypto/spec/SecretKeySpec;', '([BLjava/lang/String;)V', body.parameter(1), 'AES')
    })
    const caller = method(
      'static start()V',
      (body) =>
        void body.static(
          `${HELPER}->encrypt([B[B)V`,
          bytesOf(body, '0123456701234567'),
          bytesOf(body, 'k3y-of-the-maker'),
        ),
    )
    const fresh = method('static start()V', (body) => {
      const random = body.static(`${HELPER}->fresh()[B`)
      body.static(`${HELPER}->encrypt([B[B)V`, random, random)
    })
    for (const item of ['android-crypto-static-iv', 'android-crypto-hardcoded-key']) {
      const found = judgeOne(item, own(encrypt, caller))
      expect(found).toMatchObject({ verdict: 'fail', findings: [{ evidence: { method: 'start()V' } }] })
      expect(judgeOne(item, own(encrypt, fresh)).verdict, item).toBe('pass')
    }
  })
})

describe('[DET-05] addresses that are joined at run time', () => {
  const join = (scheme: string) =>
    method('static address(Ljava/lang/String;)V', (body) => {
      const builder = body.make(BUILDER)
      body.virtual(APPEND, builder, scheme)
      body.virtual(APPEND, builder, body.parameter(0))
    })
  test('http:// before a host from elsewhere is a cleartext address, https:// and a comparison are not', () => {
    expect(judgeOne('android-http-url-hardcoded', own(join('http://'))).verdict).toBe('fail')
    expect(judgeOne('android-http-url-hardcoded', own(join('https://'))).verdict).toBe('pass')
    const compare = method(
      'static is(Ljava/lang/String;)V',
      (body) => void body.virtual('Ljava/lang/String;->startsWith(Ljava/lang/String;)Z', body.parameter(0), 'http://'),
    )
    expect(judgeOne('android-http-url-hardcoded', own(compare)).verdict).toBe('pass')
  })

  test('a field that only its initialiser sets holds the scheme for other classes of the file', () => {
    const field = `${HELPER}->protocol:Ljava/lang/String;`
    const made = {
      classes: [
        {
          name: HELPER,
          staticFields: [{ name: 'protocol:Ljava/lang/String;', flags: 0x09 }],
          methods: [method('static <clinit>()V', (body) => body.put(field, 'http://'))],
        },
        {
          name: 'Lorg/maker/app/Helper$Task;',
          methods: [
            method('static post(Ljava/lang/String;)V', (body) => {
              const builder = body.make(BUILDER)
              body.virtual(APPEND, builder, body.field(field))
              body.virtual(APPEND, builder, body.parameter(0))
            }),
          ],
        },
      ],
    }
    expect(judgeOne('android-http-url-hardcoded', made)).toMatchObject({
      verdict: 'fail',
      findings: [{ evidence: { class: 'org.maker.app.Helper$Task' } }],
    })
  })
})

describe('[DET-05] what a log, a web view and a temporary file keep', () => {
  test('a log of a field named after a credential is sensitive without a word beside it', () => {
    const log = (field: string) =>
      own(
        method('static post()V', (body) => {
          const builder = body.make(BUILDER)
          body.virtual(APPEND, builder, ', account=')
          body.virtual(APPEND, builder, body.field(`${HELPER}->${field}:Ljava/lang/String;`))
          const text = body.virtual(`${BUILDER}->toString()Ljava/lang/String;`, builder)
          body.static('Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I', 'Login', text)
        }),
      )
    expect(judgeOne('android-log-sensitive', log('password')).verdict).toBe('fail')
    expect(judgeOne('android-log-sensitive', log('colour')).verdict).toBe('pass')
  })

  test('a page from external storage, plugins, a temporary file that stays, random values of a cipher class', () => {
    const load = (directory: string) =>
      own(
        method('static show()V', (body) => {
          const folder = body.static(`Landroid/os/Environment;->${directory}()Ljava/io/File;`)
          const path = body.virtual('Ljava/io/File;->getPath()Ljava/lang/String;', folder)
          body.virtual('Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V', null, path)
        }),
      )
    expect(judgeOne('android-webview-external-page', load('getExternalStorageDirectory')).verdict).toBe('fail')
    expect(judgeOne('android-webview-external-page', load('getDataDirectory')).verdict).toBe('pass')

    const plugins = (state: string) =>
      own(
        method('static set()V', (body) => {
          const type = 'Landroid/webkit/WebSettings$PluginState;'
          body.virtual(
            `Landroid/webkit/WebSettings;->setPluginState(${type})V`,
            null,
            body.field(`${type}->${state}:${type}`),
          )
        }),
      )
    expect(judgeOne('android-webview-plugins', plugins('ON')).verdict).toBe('fail')
    expect(judgeOne('android-webview-plugins', plugins('OFF')).verdict).toBe('pass')

    const temporary = method(
      'static keep()V',
      (body) =>
        void body.static(
          'Ljava/io/File;->createTempFile(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;',
          'cache',
          null,
        ),
    )
    const removed = method('static end()V', (body) => void body.virtual('Ljava/io/File;->delete()Z', null))
    expect(judgeOne('android-temp-file', own(temporary)).verdict).toBe('fail')
    expect(judgeOne('android-temp-file', own(temporary, removed)).verdict).toBe('pass')

    const random = (name: string) => ({
      classes: [{ name, methods: [method('static rng()V', (body: Body) => void body.make('Ljava/util/Random;'))] }],
    })
    expect(judgeOne('android-crypto-insecure-random', random('Lorg/maker/app/Encryption;')).verdict).toBe('fail')
    expect(judgeOne('android-crypto-insecure-random', random('Lorg/maker/app/Dice;')).verdict).toBe('pass')
  })

  test('the identifier of a cloud identity pool is named, another UUID is not', () => {
    const says = (text: string) => ({ files: { 'assets/a.json': `{"pool":"${text}"}` } })
    const uuid = '7e9426f7-42af-4717-8689-00a9a4b65c1c'
    expect(judgeOne('android-secret-cloud-pool', says(`us-east-1:${uuid}`)).verdict).toBe('fail')
    expect(judgeOne('android-secret-cloud-pool', says(uuid)).verdict).toBe('pass')
  })
})
