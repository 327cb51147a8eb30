import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'
import { writeZip } from '#tests/support/zip-writer.ts'

const MAIN = 'Lorg/maker/app/Main;'
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [{ name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('work()V', write)] }],
})
const nothing = code(() => {})
const says = (...texts: string[]) =>
  code((body) => {
    for (const text of texts) body.static('Lorg/maker/app/Main;->take(Ljava/lang/String;)V', text)
  })
const file = (name: string, content: string | Uint8Array): MadePackage => ({ files: { [name]: content } })
/** No secret: a fixed order of characters without any of the words that stand for an example. */
const made = (length: number, alphabet = 'k7Qz2Lm9Xc4Vb8Rt3Wp6Hd5Jf1Gs'): string =>
  Array.from({ length }, (_, i) => alphabet[(i * 5 + 3) % alphabet.length]).join('')
const hex = (length: number) => made(length, '9c4f1a7e3b8d2605')
const jwtPart = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
const jwt = `${jwtPart({ alg: 'HS256' })}.${jwtPart({ id: made(12) })}.${made(32)}`
const pem = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`

const SECRETS: Record<string, ItemCase> = {
  'android-secret-aliyun-ak': { fails: says(`LTAI${made(20)}`), passes: says('LTAIxxxxxxxxxxxxxxxx') },
  'android-secret-tencent-secretid': { fails: says(`AKID${made(32)}`), passes: says('AKIDxxxxxxxxxxxxxxxxxxx') },
  'android-secret-aws-ak': { fails: says(`AKIA${made(16, 'Q7Z2LM9XC4VB8RT3')}`), passes: says('AKIAIOSFODNN7EXAMPLE') },
  'android-secret-huawei-ak': {
    fails: says(`huaweicloud.ak=${made(20, 'Q7Z2LM9XC4VB8RT3WP6HD5JF')}`),
    passes: says('huaweicloud.ak='),
  },
  'android-secret-google-api-key': { fails: says(`AIza${made(35)}`), passes: says('AIza') },
  'android-secret-private-key': {
    fails: file('assets/a.txt', pem('PRIVATE KEY', made(128))),
    passes: says('-----BEGIN PRIVATE KEY-----'),
  },
  'android-secret-wechat-secret': {
    fails: file('assets/a.json', `{"id":"wx${hex(16)}","app_secret":"${hex(32)}"}`),
    passes: file('assets/a.json', `{"id":"wx${hex(16)}"}`),
  },
  'android-secret-push-master-secret': {
    fails: file('assets/a.json', `{"master_secret":"${made(24)}"}`),
    passes: file('assets/a.json', `{"app_key":"${made(24)}"}`),
  },
  'android-secret-jwt': { fails: says(jwt), passes: says('eyJhbGciOiJIUzI1NiJ9') },
  'android-secret-github-token': {
    fails: says(`ghp_${made(36)}`),
    passes: says('ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'),
  },
  'android-secret-slack-webhook': {
    fails: says(`https://oapi.dingtalk.com/robot/send?access_token=${hex(64)}`),
    passes: says('https://oapi.dingtalk.com/robot/send?access_token='),
  },
  'android-secret-db-conn': {
    fails: says('mongodb://maker:s3Qz9w@db.maker.org/a'),
    passes: says(`mongodb://\${user}:\${password}@db.maker.org/a`),
  },
  'android-secret-keystore-file': {
    fails: file('assets/a.pem', pem('RSA PRIVATE KEY', made(64))),
    passes: file('assets/a.pem', pem('CERTIFICATE', made(64))),
  },
  'android-secret-generic-secret': {
    fails: file('assets/a.js', `var password = "${made(16)}"`),
    passes: file('assets/a.js', 'var password = "APP_VERSION_KEY"'),
  },
}

/** Android refuses what needs a permission that is not declared. */
const HOLDING = {
  others: [
    'READ_PHONE_STATE',
    'ACCESS_FINE_LOCATION',
    'READ_CONTACTS',
    'READ_SMS',
    'READ_CALL_LOG',
    'INTERNET',
    'ACCESS_WIFI_STATE',
  ].map((name) => element('uses-permission', { name: `android.permission.${name}` })),
}
const call = (reference: string, ...values: Argument[]) =>
  code((body) => void body.virtual(reference, null, ...values), HOLDING)
const query = (write: (body: Body) => Argument) =>
  code((body) => {
    const uri = write(body)
    body.virtual(
      'Landroid/content/ContentResolver;->query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;',
      null,
      uri,
      null,
      null,
      null,
      null,
    )
  }, HOLDING)
const field = (name: string) => (body: Body) => body.field(`${name}:Landroid/net/Uri;`)
const parsed = (address: string) => (body: Body) =>
  body.static('Landroid/net/Uri;->parse(Ljava/lang/String;)Landroid/net/Uri;', address)
const TELEPHONY = 'Landroid/telephony/TelephonyManager;->'
const boot = (action: string): MadePackage => ({
  ...nothing,
  components: [element('receiver', { name: '.R' }, element('intent-filter', {}, element('action', { name: action })))],
})
const sdk = (name: string): MadePackage => ({
  classes: [
    { name, methods: [method('run()V')] },
    { name: MAIN, methods: [method('run()V', (body) => void body.static(`${name}->run()V`))] },
  ],
})

const PRIVACY: Record<string, ItemCase> = {
  'android-privacy-imei': { fails: call(`${TELEPHONY}getDeviceId()Ljava/lang/String;`), passes: nothing },
  'android-privacy-imsi': { fails: call(`${TELEPHONY}getSubscriberId()Ljava/lang/String;`), passes: nothing },
  'android-privacy-android-id': {
    fails: code(
      (body) =>
        void body.static(
          'Landroid/provider/Settings$Secure;->getString(Landroid/content/ContentResolver;Ljava/lang/String;)Ljava/lang/String;',
          null,
          'android_id',
        ),
    ),
    passes: code(
      (body) =>
        void body.static(
          'Landroid/provider/Settings$Secure;->getString(Landroid/content/ContentResolver;Ljava/lang/String;)Ljava/lang/String;',
          null,
          'location_mode',
        ),
    ),
  },
  'android-privacy-mac': {
    fails: call('Landroid/net/wifi/WifiInfo;->getMacAddress()Ljava/lang/String;'),
    passes: nothing,
  },
  'android-privacy-installed-apps': {
    fails: call('Landroid/content/pm/PackageManager;->getInstalledPackages(I)Ljava/util/List;', 0),
    passes: call(
      'Landroid/content/pm/PackageManager;->queryIntentActivities(Landroid/content/Intent;I)Ljava/util/List;',
      null,
      0,
    ),
  },
  'android-privacy-location': {
    fails: call(
      'Landroid/location/LocationManager;->getLastKnownLocation(Ljava/lang/String;)Landroid/location/Location;',
      'gps',
    ),
    passes: nothing,
  },
  'android-privacy-wifi-scan': {
    fails: call('Landroid/net/wifi/WifiManager;->getScanResults()Ljava/util/List;'),
    passes: nothing,
  },
  'android-privacy-contacts': {
    fails: query(field('Landroid/provider/ContactsContract$Contacts;->CONTENT_URI')),
    passes: query(field('Landroid/provider/MediaStore$Images$Media;->EXTERNAL_CONTENT_URI')),
  },
  'android-privacy-sms': {
    fails: query(parsed('content://sms/inbox')),
    passes: query(parsed('content://org.maker.data')),
  },
  'android-privacy-call-log': {
    fails: query(field('Landroid/provider/CallLog$Calls;->CONTENT_URI')),
    passes: query(parsed('content://org.maker.data')),
  },
  'android-privacy-clipboard-read': {
    fails: call('Landroid/content/ClipboardManager;->getPrimaryClip()Landroid/content/ClipData;'),
    passes: nothing,
  },
  'android-privacy-running-apps': {
    fails: call('Landroid/app/ActivityManager;->getRunningAppProcesses()Ljava/util/List;'),
    passes: nothing,
  },
  'android-privacy-sensors': {
    fails: call('Landroid/hardware/SensorManager;->getSensorList(I)Ljava/util/List;', -1),
    passes: nothing,
  },
  'android-privacy-self-start': { fails: boot('android.intent.action.BOOT_COMPLETED'), passes: boot('org.maker.GO') },
  'android-privacy-policy-absent': {
    fails: {
      ...code((body) => {
        body.virtual('Landroid/net/wifi/WifiInfo;->getMacAddress()Ljava/lang/String;', null)
        body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
      }, HOLDING),
      components: [element('activity', { name: '.Main' })],
    },
    passes: { ...says('《隐私政策》'), components: [element('activity', { name: '.Main' })] },
  },
  'android-privacy-overseas-endpoint': { fails: sdk('Lcom/mixpanel/android/Main;'), passes: nothing },
  'android-sdk-hotfix': { fails: sdk('Lcom/tencent/tinker/lib/Tinker;'), passes: nothing },
  'android-sdk-undisclosed': {
    fails: sdk('Lcom/mixpanel/android/Main;'),
    passes: { ...sdk('Lcom/mixpanel/android/Main;') },
    choices: {},
  },
  'android-sdk-known-vuln': {
    fails: { files: { 'META-INF/maven/com.google.code.gson/gson/pom.properties': 'version=2.8.5\n' } },
    passes: { files: { 'META-INF/maven/com.google.code.gson/gson/pom.properties': 'version=2.8.9\n' } },
  },
  'android-sdk-log4shell': {
    fails: file(
      'assets/a.jar',
      writeZip([{ name: 'org/apache/logging/log4j/core/lookup/JndiLookup.class', data: 'x' }]),
    ),
    passes: file('assets/a.jar', writeZip([{ name: 'org/apache/logging/log4j/Logger.class', data: 'x' }])),
  },
  'android-sdk-outdated-okhttp': { fails: says('okhttp/3.8.0'), passes: says('okhttp/4.12.0') },
}

/** Bytes without any order, the same ones each time. */
const encrypted = Buffer.concat(Array.from({ length: 256 }, (_, i) => createHash('sha256').update(String(i)).digest()))
const lib = (elf: Parameters<typeof writeElf>[0]): MadePackage => ({
  files: { 'lib/arm64-v8a/libmaker.so': writeElf(elf) },
})
const DT_TEXTREL = 22
const CODE = Buffer.alloc(8192, 'code')
const SYMBOLS = Buffer.alloc(48)
const NATIVE: Record<string, ItemCase> = {
  'android-elf-no-canary': {
    fails: lib({ imports: ['memcpy'], sections: { '.text': CODE } }),
    passes: lib({ imports: ['memcpy', '__stack_chk_fail'], sections: { '.text': CODE } }),
  },
  'android-elf-not-stripped': {
    fails: lib({ exports: ['run'], sections: { '.text': CODE, '.symtab': SYMBOLS } }),
    passes: lib({ exports: ['run'], sections: { '.text': CODE, '.gnu_debugdata': SYMBOLS } }),
  },
  'android-elf-no-so-protect': {
    fails: lib({ exports: ['Java_org_maker_run'], sections: { '.text': CODE } }),
    passes: lib({ exports: ['Java_org_maker_run'], sections: { '.text': encrypted } }),
  },
  'android-elf-no-nx': { fails: lib({ stack: 7 }), passes: lib({ stack: 6 }) },
  'android-elf-no-pie': { fails: lib({ dynamic: [[DT_TEXTREL, 0]], stack: 6 }), passes: lib({ stack: 6 }) },
  'android-elf-no-relro': {
    fails: lib({ needed: ['libc.so'], relro: false }),
    passes: lib({ needed: ['libc.so'], relro: true, dynamic: [[24, 0]] }),
  },
  'android-elf-no-fortify': {
    fails: lib({ imports: ['strcpy'] }),
    passes: lib({ imports: ['strcpy', '__strcpy_chk'] }),
  },
  'android-elf-unsafe-functions': { fails: lib({ imports: ['system'] }), passes: lib({ imports: ['snprintf'] }) },
  'android-elf-rpath': { fails: lib({ runpath: '/data/local/tmp' }), passes: lib({ runpath: '$ORIGIN' }) },
  'android-elf-known-vuln-component': {
    fails: lib({ sections: { '.rodata': Buffer.from('\0OpenSSL 1.1.1k  25 Mar 2021\0') } }),
    passes: lib({ sections: { '.rodata': Buffer.from('\0OpenSSL 1.1.1w  11 Sep 2023\0') } }),
  },
}

describe('items about secrets, privacy, SDKs and native libraries (DET-03)', () => {
  const { 'android-sdk-undisclosed': undisclosed, ...rest } = PRIVACY
  test.each(Object.entries({ ...SECRETS, ...rest, ...NATIVE }))(
    '%s fails on its failing example and passes on its passing one',
    (id, { fails, passes, choices }) => {
      expect(judgeOne(id, fails, choices)).toMatchObject({ verdict: 'fail' })
      expect(judgeOne(id, passes, choices).verdict).toBe('pass')
    },
  )

  test('libraries that other compilers made, small ones and those of known engines are distinguished', () => {
    const named = (name: string, elf: Parameters<typeof writeElf>[0]): MadePackage => ({
      files: { [`lib/arm64-v8a/${name}`]: writeElf(elf) },
    })
    const bare = { imports: ['memcpy'], sections: { '.text': CODE } }
    expect(judgeOne('android-elf-no-canary', named('libapp.so', bare)).verdict).toBe('pass')
    expect(judgeOne('android-elf-no-canary', named('libunity.so', bare))).toMatchObject({ level: 'info', owner: 'sdk' })
    expect(judgeOne('android-elf-no-canary', lib({ ...bare, sections: { '.text': CODE.subarray(64) } })).verdict).toBe(
      'fail',
    )
    expect(judgeOne('android-elf-no-canary', lib({ ...bare, sections: { '.text': Buffer.alloc(64) } })).verdict).toBe(
      'pass',
    )
    const debug = judgeOne('android-elf-not-stripped', lib({ sections: { '.debug_info': SYMBOLS } }))
    expect(debug.findings.map(({ detail }) => detail.en)).toEqual(['libmaker.so keeps debug information'])
    const jni = { exports: ['Java_org_maker_run'], sections: { '.text': CODE } }
    expect(judgeOne('android-elf-no-so-protect', named('libunity.so', jni)).verdict).toBe('pass')
    expect(judgeOne('android-elf-no-so-protect', lib({ ...jni, exports: ['run'] })).verdict).toBe('pass')
    const marked = { ...jni.sections, '.rodata': Buffer.from('\0Obfuscator-LLVM clang version 9\0') }
    expect(judgeOne('android-elf-no-so-protect', lib({ ...jni, sections: marked })).verdict).toBe('pass')
  })

  test('android-sdk-undisclosed needs the policy', () => {
    const asked = (policyText: string | null) =>
      judgeOne('android-sdk-undisclosed', undisclosed!.fails, { policyText }).verdict
    expect([asked(null), asked('We use Mixpanel.'), asked('We use nothing.')]).toEqual(['not_assessed', 'pass', 'fail'])
  })

  test.each(Object.entries(SECRETS))('findings of %s show no secret whole', (id, { fails }) => {
    const { findings } = judgeOne(id, fails)
    for (const { detail, evidence } of findings)
      expect(detail.en + (evidence.path ?? '')).not.toMatch(/[0-9A-Za-z_-]{20}/)
  })

  test('the instructions beside a secret in code show it masked, also where the listing cuts it', () => {
    const secretOf = (value: string) => ({
      classes: [
        {
          name: 'Lorg/maker/app/Keys;',
          methods: [
            method(
              'static key()V',
              (body: Body) => void body.static('Lorg/maker/app/Keys;->use(Ljava/lang/String;)V', value),
            ),
          ],
        },
      ],
    })
    const key = `LTAI${made(20)}`
    const short = judgeOne('android-secret-aliyun-ak', secretOf(key))
    expect(short.verdict).toBe('fail')
    expect(short.findings[0]!.evidence.snippet!.join()).not.toContain(key)
    const block = pem('RSA PRIVATE KEY', made(900))
    const long = judgeOne('android-secret-private-key', secretOf(block))
    expect(long.verdict).toBe('fail')
    expect(long.findings[0]!.evidence.snippet!.join()).not.toContain(made(900).slice(0, 20))
  })

  test('a key that a library publishes to try something out is no secret', () => {
    const begin = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCCBtayYNDrM3NFnkBbwTd6gaWp'
    const ofNetty = file('assets/key.txt', pem('PRIVATE KEY', `${begin}\n${made(200)}`))
    const other = file('assets/key.txt', pem('PRIVATE KEY', `${begin.replace('Bt', 'Ct')}\n${made(200)}`))
    expect(judgeOne('android-secret-private-key', ofNetty).verdict).toBe('pass')
    expect(judgeOne('android-secret-private-key', other).verdict).toBe('fail')
  })

  test('an access before anybody could agree counts one level more', () => {
    const asked = (...names: string[]) =>
      names.map((name) => element('uses-permission', { name: `android.permission.${name}` }))
    const early: MadePackage = {
      minSdk: 21,
      application: { name: '.App' },
      others: asked('ACCESS_WIFI_STATE'),
      classes: [
        {
          name: 'Lorg/maker/app/App;',
          superclass: 'Landroid/app/Application;',
          methods: [
            method(
              'onCreate()V',
              (body) => void body.virtual('Landroid/net/wifi/WifiInfo;->getMacAddress()Ljava/lang/String;', null),
            ),
          ],
        },
      ],
    }
    const online = { ...early, others: asked('ACCESS_WIFI_STATE', 'INTERNET') }
    expect(judgeOne('android-privacy-mac', online).level).toBe('high')
    // What cannot be sent stays on the device.
    const offline = judgeOne('android-privacy-mac', early)
    expect([offline.level, offline.findings[0]!.detail.en]).toEqual([
      'low',
      'calls WifiInfo.getMacAddress (reached while the process starts); without a permission to send it',
    ])
    // From Android 6 on every application gets the same constant.
    expect(judgeOne('android-privacy-mac', { ...early, minSdk: 23 }).level).toBe('info')
  })

  test('a query by the address of contacts is no query of messages, though the text that follows came with one', () => {
    const query = (body: Body, address: Argument) =>
      body.virtual(
        'Landroid/content/ContentResolver;->query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;',
        null,
        address,
      )
    const asks = (field: string): MadePackage => ({
      others: ['READ_SMS', 'READ_CONTACTS'].map((name) =>
        element('uses-permission', { name: `android.permission.${name}` }),
      ),
      ...code((body) => {
        const base = body.field(field)
        query(
          body,
          body.static(
            'Landroid/net/Uri;->withAppendedPath(Landroid/net/Uri;Ljava/lang/String;)Landroid/net/Uri;',
            base,
            'content://sms/1',
          ),
        )
      }),
    })
    const contacts = 'Landroid/provider/ContactsContract$CommonDataKinds$Phone;->CONTENT_FILTER_URI:Landroid/net/Uri;'
    const messages = 'Landroid/provider/Telephony$Sms;->CONTENT_URI:Landroid/net/Uri;'
    expect(judgeOne('android-privacy-sms', asks(contacts)).verdict).toBe('pass')
    expect(judgeOne('android-privacy-contacts', asks(contacts)).verdict).toBe('fail')
    expect(judgeOne('android-privacy-sms', asks(messages)).verdict).toBe('fail')
  })
})
