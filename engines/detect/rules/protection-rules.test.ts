import { describe, expect, test } from 'vitest'
import { AOSP_TEST_CERTIFICATE } from '#tests/support/apk/aosp-test-certificate.ts'
import { buildApk, type Files, schemeBlock, withV1 } from '#tests/support/apk/signed-apk.ts'
import { makeSigner, type TestSigner } from '#tests/support/apk/signer.ts'
import { type Body, method } from '#tests/support/code-body.ts'
import { apkBytes, element, type MadePackage } from '#tests/support/detect-package.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'
import type { Package } from '../../package/package.ts'
import { readPackage } from '../../package/read-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'

const MAIN = 'Lorg/maker/app/Main;'
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [{ name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('work()V', write)] }],
})
const nothing = code(() => {})
const says = (text: string) => code((body) => void body.static('Lorg/maker/app/Main;->take(Ljava/lang/String;)V', text))
const call = (reference: string) => code((body) => void body.virtual(reference, null))
const packed: MadePackage = {
  application: { name: 'com.stub.StubApp' },
  classes: [{ name: 'Lcom/stub/StubApp;', superclass: 'Landroid/app/Application;', methods: [method('onCreate()V')] }],
  files: { 'assets/libjiagu.so': 'x' },
}
const script = 'function answer(question) {\n  return question + 42\n}\n'.repeat(20)
const own = (names: string[], sourceFile?: (name: string) => string | undefined): MadePackage => ({
  classes: names.map((name) => {
    const file = sourceFile?.(name)
    return {
      name: `Lorg/maker/app/${name};`,
      methods: [method('run()V')],
      ...(file !== undefined && { sourceFile: file }),
    }
  }),
})
const signatureCheck = code((body) => {
  const name = body.virtual(`${MAIN}->getPackageName()Ljava/lang/String;`, body.parameter(0))
  body.virtual(
    'Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;',
    null,
    name,
    0x40,
  )
  body.virtual('Ljava/security/MessageDigest;->digest([B)[B', null, null)
})

const CASES: Record<string, ItemCase> = {
  'android-no-packer': { fails: nothing, passes: packed },
  'android-no-obfuscation': { fails: own(['Account', 'Ledger', 'Payment']), passes: own(['a', 'b', 'Main']) },
  'android-no-root-detect': { fails: nothing, passes: says('/system/xbin/su') },
  'android-no-emulator-detect': { fails: nothing, passes: says('goldfish') },
  'android-no-debugger-detect': {
    fails: nothing,
    passes: code((body) => void body.static('Landroid/os/Debug;->isDebuggerConnected()Z')),
  },
  'android-no-hook-detect': { fails: nothing, passes: says('de.robv.android.xposed.XposedBridge') },
  'android-no-signature-check': { fails: nothing, passes: signatureCheck },
  'android-no-integrity-check': { fails: nothing, passes: call('Ljava/util/zip/ZipEntry;->getCrc()J') },
  'android-no-attestation': {
    fails: nothing,
    passes: code(
      (body) =>
        void body.virtual(
          'Landroid/security/keystore/KeyGenParameterSpec$Builder;->setAttestationChallenge([B)V',
          null,
          null,
        ),
    ),
  },
  'android-no-resource-protect': {
    fails: { files: { 'assets/app.js': script } },
    passes: {
      files: {
        'assets/index.android.bundle': Buffer.concat([Buffer.from([0xc6, 0x1f, 0xbc, 0x03]), Buffer.alloc(400)]),
      },
    },
  },
  'android-no-multi-instance-detect': { fails: nothing, passes: says('/data/user/0/io.virtualapp') },
  'android-repackaged-marks': { fails: { files: { 'assets/lspatch/config.json': '{}' } }, passes: nothing },
  'android-debug-info-residue': {
    fails: own(['Account', 'Ledger', 'Payment'], (name) => `${name}.java`),
    passes: own(['Account', 'Ledger', 'Payment'], () => 'SourceFile'),
  },
}

describe('items about protection (DET-03)', () => {
  test.each(Object.entries(CASES))(
    '%s fails on its failing example and passes on its passing one',
    (id, { fails, passes }) => {
      expect(judgeOne(id, fails)).toMatchObject({ verdict: 'fail' })
      expect(judgeOne(id, passes).verdict).toBe('pass')
    },
  )

  test('behind a packer code is not assessed, and the packer is named', () => {
    const judged = judgeOne('android-crypto-ecb', packed)
    expect(judged.verdict).toBe('not_assessed')
    expect(judged.reason!.zh).toContain('360')
    expect(
      judgeOne('android-debuggable', { ...packed, application: { ...packed.application, debuggable: true } }).verdict,
    ).toBe('fail')
  })

  test('what shows a protection is named', () => {
    expect(judgeOne('android-no-root-detect', CASES['android-no-root-detect']!.passes).reason!.en).toContain(
      'org.maker.app.Main.work',
    )
  })

  test('names of source files count where most own classes keep theirs; those of SDKs do not', () => {
    const half = own(['A', 'B', 'C', 'D'], (name) => (name < 'C' ? `${name}.kt` : undefined))
    expect(judgeOne('android-debug-info-residue', half).verdict).toBe('pass')
    const most = judgeOne(
      'android-debug-info-residue',
      own(['A', 'B', 'C', 'D'], (name) => (name < 'D' ? `${name}.kt` : undefined)),
    )
    expect(most.findings[0]!.detail.en).toBe(
      '3 of 4 own classes (75%) keep the name of their source file, such as A.kt, B.kt, C.kt',
    )
    const library = { name: 'Lokhttp3/Call;', methods: [method('run()V')], sourceFile: 'Call.kt' }
    const shrunk = { ...own(['A']), classes: [...own(['A', 'B']).classes!, library] }
    expect(judgeOne('android-debug-info-residue', shrunk).verdict).toBe('pass')
  })

  test.each(['android-no-packer', 'android-no-obfuscation', 'android-no-hook-detect', 'android-no-signature-check'])(
    '%s is not asked of a package whose classes are all generated by the build',
    (id) => {
      expect(judgeOne(id, own(['R', 'R$string', 'BuildConfig'])).verdict).toBe('not_applicable')
      expect(judgeOne(id, own(['R', 'R$string', 'BuildConfig', 'Account'])).verdict).toBe('fail')
    },
  )

  test('readable names are shown, those of the manifest last, as they have to be kept', () => {
    const made = {
      ...own(['Main', 'Account', 'Ledger']),
      components: [element('activity', { name: '.Main' })],
      others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
    }
    expect(judgeOne('android-no-obfuscation', made).findings[0]!.detail.en).toBe(
      '0% of own classes have shortened names; readable are org.maker.app.Account, org.maker.app.Ledger; there is next to no own code',
    )
  })

  test('what the device alone sees, without personal data, payment and keys, has little to protect, and the finding says so', () => {
    const uses = (...names: string[]) =>
      names.map((name) =>
        element('uses-permission', { name: `${name.includes('.') ? '' : 'android.permission.'}${name}` }),
      )
    const large = (write: (body: Body) => void = () => {}, ...permissions: string[]): MadePackage => ({
      others: uses(...permissions),
      components: [element('activity', { name: '.Main' })],
      classes: [
        {
          name: 'Lorg/maker/app/Main;',
          methods: [
            method('work()V', (body) => {
              write(body)
              for (let n = 0; n < 2000; n++) body.static('Lorg/maker/app/Main;->go()V')
            }),
          ],
        },
        { name: 'Lorg/maker/app/Ledger;', methods: [method('work()V')] },
      ],
    })
    for (const id of ['android-no-packer', 'android-no-signature-check', 'android-no-obfuscation']) {
      const { level, findings } = judgeOne(id, large(undefined, 'WRITE_EXTERNAL_STORAGE', 'VIBRATE'))
      expect(level).toBe('low')
      expect(findings[0]!.detail.en).toMatch(
        /; the application cannot use the network, and no personal data, payment or keys were seen$/,
      )
      for (const name of ['SEND_SMS', 'READ_CONTACTS', 'NFC', 'com.android.vending.BILLING'])
        expect(judgeOne(id, large(undefined, name)).level, name).toBe('middle')
      const seals = (body: Body) =>
        void body.static('Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;', 'AES')
      expect(judgeOne(id, large(seals)).level).toBe('middle')
      expect(judgeOne(id, { ...large(), manifest: { sharedUserId: 'org.maker' } }).level).toBe('middle')
      expect(judgeOne(id, { ...large(), files: { 'lib/arm64-v8a/liba.so': 'x' } }).level).toBe('middle')
    }
    expect(judgeOne('android-no-packer', large(), { applicationTypes: ['online_payment'] }).level).toBe('high')
  })

  test('where own code leaves the network to libraries, and there is no account, payment or key, there is little to protect', () => {
    const fill = (body: Body) => {
      for (let n = 0; n < 2000; n++) body.static('Lorg/maker/app/Main;->go()V')
    }
    const made = (
      write: (body: Body) => void = () => {},
      permissions: string[] = [],
      more: MadePackage = {},
    ): MadePackage => ({
      components: [element('activity', { name: '.Main' })],
      others: ['INTERNET', 'CAMERA', ...permissions].map((name) =>
        element('uses-permission', { name: name.includes('.') ? name : `android.permission.${name}` }),
      ),
      ...more,
      classes: [
        {
          name: 'Lorg/maker/app/Main;',
          methods: [
            method('work()V', (body) => {
              write(body)
              fill(body)
            }),
          ],
        },
        { name: 'Lorg/maker/app/Ledger;', methods: [method('work()V')] },
        { name: 'Lcom/google/android/gms/measurement/A;', methods: [method('send()V', opens)] },
        ...(more.classes ?? []),
      ],
    })
    const opens = (body: Body) => void body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
    for (const id of ['android-no-packer', 'android-no-signature-check', 'android-no-obfuscation']) {
      const { level, findings } = judgeOne(id, made())
      expect(level).toBe('low')
      expect(findings[0]!.detail.en).toMatch(
        /; own code does not use the network, and no account, password, payment, advertising or keys were seen$/,
      )
      expect(findings[0]!.detail.zh).toContain('；自有代码不联网')
      const ofSending = judgeOne(id, made(opens))
      expect(ofSending.level).toBe(id === 'android-no-obfuscation' ? 'middle' : 'low')
      expect(ofSending.findings[0]!.detail.en).not.toContain('does not use the network')
      const logsIn = (body: Body) =>
        void body.static('Lcom/google/android/gms/auth/api/signin/GoogleSignIn;->getClient()V')
      const google = {
        name: 'Lcom/google/android/gms/auth/api/signin/GoogleSignIn;',
        methods: [method('getClient()V')],
      }
      expect(judgeOne(id, made(logsIn, [], { classes: [google] })).level).toBe('middle')
      const ads = { name: 'Lcom/google/android/gms/ads/AdView;', methods: [method('load()V')] }
      const shows = (body: Body) => void body.static('Lcom/google/android/gms/ads/AdView;->load()V')
      expect(judgeOne(id, made(shows, [], { classes: [ads] })).level).toBe('middle')
      for (const name of ['READ_CONTACTS', 'NFC', 'com.android.vending.BILLING'])
        expect(judgeOne(id, made(undefined, [name])).level, name).toBe('middle')
      const asks = { 'res/layout/a.xml': element('EditText', { inputType: 0x81 }) }
      expect(judgeOne(id, made(undefined, [], { xml: asks })).level).toBe('middle')
      const key = { name: 'apiKey:Ljava/lang/String;', flags: 0x19, value: 'a8f2k19dKQz0' }
      const keys = { name: 'Lorg/maker/app/Keys;', staticFields: [key] }
      expect(judgeOne(id, made(undefined, [], { classes: [keys] })).level).toBe('middle')
    }
  })

  test('money raises a missing protection by a level', () => {
    expect(judgeOne('android-no-root-detect', nothing, { applicationTypes: ['online_payment'] }).level).toBe('middle')
  })
})

const filesOf = (made: MadePackage): Files => {
  const zip = readZip(apkBytes(made))
  return Object.fromEntries(zip.entries.map((entry) => [entry.name, entryBytes(zip, entry)]))
}
const debug = makeSigner('Android Debug')
const maker = makeSigner('Maker')
const signedV1 = (made: MadePackage, signer = maker, digest: 'sha256' | 'sha1' = 'sha256') =>
  readPackage(new Uint8Array(buildApk(withV1(filesOf(made), signer, { digest }))), 'a.apk')
const withEntryAfterSigning = (name: string) =>
  readPackage(new Uint8Array(buildApk({ ...withV1(filesOf({}), maker), [name]: Buffer.from('x') })), 'a.apk')
const V2 = 0x7109871a
const RSA_SHA256 = 0x0103
const signedV2 = (made: MadePackage, signer = maker) => {
  const algorithms = signer.kind === 'rsa' ? { algorithms: [RSA_SHA256] } : {}
  return readPackage(new Uint8Array(buildApk(filesOf(made), [schemeBlock(V2, { signer, ...algorithms })])), 'a.apk')
}
const signedBoth = (signer: TestSigner, digest: 'sha256' | 'sha1') =>
  readPackage(new Uint8Array(buildApk(withV1(filesOf({}), signer, { digest }), [schemeBlock(V2, { signer })])), 'a.apk')

describe('items about the signature (DET-03)', () => {
  test('android-sig-v1-only fails without a v2 signature, with a level by minimum SDK', () => {
    expect(judgeOne('android-sig-v1-only', signedV1({ minSdk: 21 }))).toMatchObject({ verdict: 'fail', level: 'high' })
    expect(judgeOne('android-sig-v1-only', signedV1({ minSdk: 24 }))).toMatchObject({
      verdict: 'fail',
      level: 'middle',
    })
    expect(judgeOne('android-sig-v1-only', signedV2({})).verdict).toBe('pass')
    const made = (write: (body: Body) => void = () => {}, ...names: string[]): MadePackage => ({
      minSdk: 21,
      components: [element('activity', { name: '.Main' })],
      others: names.map((name) => element('uses-permission', { name: `android.permission.${name}` })),
      classes: [{ name: 'Lorg/maker/app/Main;', methods: [method('work()V', write)] }],
    })
    const idle = judgeOne('android-sig-v1-only', signedV1(made()))
    expect(idle.level).toBe('low')
    expect(idle.findings[0]!.detail.en).toMatch(/; the application has no permission and stores nothing, /)
    expect(idle.findings[0]!.detail.zh).toContain('；应用没有任何权限，也未见其存储数据')
    expect(judgeOne('android-sig-v1-only', signedV1(made(undefined, 'VIBRATE'))).level).toBe('high')
    const stores = (body: Body) =>
      void body.virtual(
        'Landroid/content/Context;->openFileOutput(Ljava/lang/String;I)Ljava/io/FileOutputStream;',
        null,
        'a',
        0,
      )
    expect(judgeOne('android-sig-v1-only', signedV1(made(stores))).level).toBe('high')
  })

  test('android-sig-debug-cert fails on a certificate of the Android debug keystore', () => {
    expect(judgeOne('android-sig-debug-cert', signedV1({}, debug)).verdict).toBe('fail')
    expect(judgeOne('android-sig-debug-cert', signedV1({})).verdict).toBe('pass')
  })

  test('certificates of this kind pass what is asked of them; an expired one does not', () => {
    const ids = [
      'android-sig-public-testkey',
      'android-sig-weak-digest',
      'android-sig-weak-key',
      'android-sig-cert-validity',
    ]
    expect(ids.map((id) => judgeOne(id, signedV2({}), { date: Date.UTC(2026, 0, 1) }).verdict)).toEqual(
      ids.map(() => 'pass'),
    )
    expect(judgeOne('android-sig-cert-validity', signedV2({}), { date: Date.UTC(2060, 0, 1) })).toMatchObject({
      verdict: 'fail',
      level: 'low',
    })
  })

  test("android-sig-public-testkey knows AOSP's certificate", () => {
    const published = { ...maker, certificate: Buffer.from(AOSP_TEST_CERTIFICATE) }
    const judged = judgeOne('android-sig-public-testkey', signedV2({}, published))
    expect(judged).toMatchObject({ verdict: 'fail', level: 'high' })
    expect(judged.findings[0]!.detail.en).toBe("AOSP's public key testkey")
    expect(judgeOne('android-sig-public-testkey', signedV2({}, makeSigner('Android', 'rsa'))).verdict).toBe('pass')
  })

  test('android-sig-weak-digest: of the certificate, and of a signature file on its own', () => {
    const judged = (source: Package) => {
      const { verdict, level, findings } = judgeOne('android-sig-weak-digest', source)
      return [verdict, level, ...findings.map(({ detail }) => detail.en)]
    }
    const rsa = (digest: 'md5' | 'sha1') => makeSigner('Old', 'rsa', { digest })
    expect(judged(signedV2({}, rsa('md5')))).toEqual(['fail', 'middle', 'certificate signed with MD5withRSA'])
    expect(judged(signedV2({}, rsa('sha1')))).toEqual(['fail', 'low', 'certificate signed with SHA1withRSA'])
    expect(judged(signedV1({}, maker, 'sha1'))).toEqual(['fail', 'middle', 'signature file with SHA1 digests'])
    expect(judged(signedV1({}))[0]).toBe('pass')
    expect(judged(signedBoth(maker, 'sha1'))[0]).toBe('pass')
  })

  test('android-sig-weak-key fails on short RSA and EC keys and names their size', () => {
    const judged = (signer: TestSigner) => judgeOne('android-sig-weak-key', signedV2({}, signer))
    const weak = judged(makeSigner('Weak', 'rsa', { bits: 1024 }))
    expect(weak).toMatchObject({ verdict: 'fail', level: 'middle' })
    expect(weak.findings[0]!.detail.en).toBe('RSA key of 1024 bits')
    expect(weak.findings[0]!.evidence.entry).toBe('APK Signing Block')
    expect(judged(makeSigner('Sound', 'rsa')).verdict).toBe('pass')
    expect(judged(makeSigner('Weak', 'ec', { curve: 'prime192v1' })).findings[0]!.detail.en).toBe('EC key of 192 bits')
    expect(judged(makeSigner('Sound', 'ec', { curve: 'secp224r1' })).verdict).toBe('pass')
  })

  test('android-sig-v1-unsigned-meta fails on a file in META-INF that no signature covers', () => {
    const marked = { files: { 'META-INF/channel_maker': 'x' } }
    expect(judgeOne('android-sig-v1-unsigned-meta', signedV1(marked)).verdict).toBe('pass')
    expect(judgeOne('android-sig-v1-unsigned-meta', withEntryAfterSigning('META-INF/channel_maker')).verdict).toBe(
      'fail',
    )
    expect(judgeOne('android-sig-v1-unsigned-meta', signedV1({})).verdict).toBe('pass')
  })

  test('without a signature nothing is said of it', () => {
    expect(judgeOne('android-sig-v1-only', { components: [element('activity', { name: '.A' })] }).verdict).toBe(
      'not_applicable',
    )
  })
})
