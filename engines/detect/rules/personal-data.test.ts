import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage, makePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'

const MAIN = 'Lorg/maker/app/Main;'
const LOCATION =
  'Landroid/location/LocationManager;->getLastKnownLocation(Ljava/lang/String;)Landroid/location/Location;'
const permissions = (...names: string[]) =>
  names.map((name) => element('uses-permission', { name: `android.permission.${name}` }))
const asks = (
  names: readonly string[],
  write: (body: Body) => void = () => {},
  more: MadePackage = {},
): MadePackage => ({
  components: [element('activity', { name: '.Main' })],
  classes: [
    { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('onCreate(Landroid/os/Bundle;)V', write)] },
  ],
  ...more,
  others: permissions(...names),
})
const locates = (body: Body) => void body.virtual(LOCATION, null, 'gps')
const androidId = (body: Body) =>
  void body.static(
    'Landroid/provider/Settings$Secure;->getString(Landroid/content/ContentResolver;Ljava/lang/String;)Ljava/lang/String;',
    null,
    'android_id',
  )
const both =
  (...steps: ((body: Body) => void)[]) =>
  (body: Body) => {
    for (const step of steps) step(body)
  }
const connects = (body: Body) => void body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
const SENSOR = 'Landroid/hardware/SensorManager;->getDefaultSensor(I)Landroid/hardware/Sensor;'
const BONDED = 'Landroid/bluetooth/BluetoothAdapter;->getBondedDevices()Ljava/util/Set;'
const ACCOUNTS = 'Landroid/accounts/AccountManager;->getAccountsByType(Ljava/lang/String;)[Landroid/accounts/Account;'
const BY_NAME = 'Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;'
const sendsMessage = (body: Body) =>
  void body.virtual(
    'Landroid/telephony/SmsManager;->sendTextMessage(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Landroid/app/PendingIntent;Landroid/app/PendingIntent;)V',
    null,
    '1',
  )
const showsPage = (body: Body) =>
  void body.virtual('Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V', null, 'https://maker.org')
const layout = (...fields: ReturnType<typeof element>[]): MadePackage => ({
  xml: { 'res/layout/a.xml': element('LinearLayout', {}, ...fields) },
})
const PASSWORD_FIELD = 0x81
const login = (inputType: number) => layout(element('EditText'), element('EditText', { inputType }))

describe('[DET-03] a privacy policy is asked of who collects personal information', () => {
  const id = 'android-privacy-policy-absent'
  const verdict = (made: MadePackage) => judgeOne(id, made).verdict

  test('an application that takes nothing needs none', () => {
    expect(verdict(asks(['INTERNET']))).toBe('not_applicable')
    expect(verdict(asks(['INTERNET', 'ACCESS_NETWORK_STATE', 'WRITE_EXTERNAL_STORAGE', 'CAMERA']))).toBe(
      'not_applicable',
    )
    expect(verdict(asks(['INTERNET', 'ACCESS_FINE_LOCATION'], both(locates, connects)))).toBe('fail')
  })

  test('what cannot leave the device is not collected', () => {
    expect(verdict(asks(['ACCESS_FINE_LOCATION'], locates))).toBe('not_applicable')
    expect(verdict(asks(['ACCESS_FINE_LOCATION', 'SEND_SMS'], both(locates, sendsMessage)))).toBe('fail')
    // The right to use the network sends nothing where no code uses it.
    expect(verdict(asks(['ACCESS_FINE_LOCATION', 'INTERNET'], locates))).toBe('not_applicable')
    expect(verdict(asks(['ACCESS_FINE_LOCATION', 'INTERNET'], both(locates, showsPage)))).toBe('fail')
  })

  test('identifiers without permission, forms and called SDKs collect; libraries that nothing calls do not', () => {
    expect(verdict(asks(['INTERNET'], both(androidId, connects)))).toBe('fail')
    const form = (inputType: number, write: (body: Body) => void = connects) =>
      verdict(asks(['INTERNET'], write, login(inputType)))
    expect(form(PASSWORD_FIELD)).toBe('fail')
    const asked = asks(['INTERNET'], connects, login(PASSWORD_FIELD))
    expect(judgeOne(id, asked).findings[0]!.detail.en).toMatch(
      /Account \(the form of res\/layout\/a\.xml\); where the entries of the form go was not followed$/,
    )
    expect(form(1)).toBe('not_applicable')
    expect(form(PASSWORD_FIELD, () => {})).toBe('not_applicable')
    expect(form(PASSWORD_FIELD, showsPage)).toBe('not_applicable')
    const tracker = { name: 'Lcom/mixpanel/android/Main;', methods: [method('static go()V', androidId)] }
    const main = (write: (body: Body) => void) => ({ name: MAIN, methods: [method('go()V', write)] })
    const calls = (body: Body) => void body.static('Lcom/mixpanel/android/Main;->go()V')
    expect(verdict(asks(['INTERNET'], () => {}, { classes: [tracker, main(calls)] }))).toBe('fail')
    expect(verdict(asks(['INTERNET'], () => {}, { classes: [tracker, main(() => {})] }))).toBe('not_applicable')
  })

  test('the level follows what was seen: guarded information, identifiers, a form that own code sends, a form', () => {
    const level = (made: MadePackage) => judgeOne(id, made).level
    const uploads = (body: Body) => void body.virtual('Ljava/net/HttpURLConnection;->setDoOutput(Z)V', null, 1)
    expect(level(asks(['INTERNET', 'ACCESS_FINE_LOCATION'], both(locates, connects)))).toBe('high')
    expect(level(asks(['INTERNET'], both(androidId, connects)))).toBe('middle')
    expect(level(asks(['INTERNET'], both(connects, uploads), login(PASSWORD_FIELD)))).toBe('middle')
    // An address holds what was typed too.
    expect(level(asks(['INTERNET'], connects, login(PASSWORD_FIELD)))).toBe('middle')
    const tracker = { name: 'Lcom/mixpanel/android/Main;', methods: [method('static go()V', androidId)] }
    const calls = (body: Body) => void body.static('Lcom/mixpanel/android/Main;->go()V')
    const main = { name: MAIN, methods: [method('go()V', calls)] }
    expect(level(asks(['INTERNET'], () => {}, { classes: [tracker, main] }))).toBe('high')
  })

  test('where own code sends nothing, SDKs that only measure make a missing policy a middle finding', () => {
    const MEASURES = 'Lcom/google/android/gms/measurement/AppMeasurementService;'
    const made = (write: (body: Body) => void, library: string, ...names: string[]): MadePackage => ({
      components: [
        element('activity', { name: '.Main' }),
        element('service', { name: 'com.google.android.gms.measurement.AppMeasurementService' }),
      ],
      others: permissions('INTERNET', ...names),
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [method('onCreate(Landroid/os/Bundle;)V', write)],
        },
        { name: MEASURES, methods: [method('start()V', connects)] },
        ...(library === MEASURES ? [] : [{ name: library, methods: [method('start()V', connects)] }]),
      ],
    })
    const starts = (library: string) => (body: Body) => void body.static(`${library}->start()V`)
    const level = (one: MadePackage) => judgeOne(id, one).level
    const alone = judgeOne(
      id,
      made(() => {}, MEASURES),
    )
    expect(alone.level).toBe('middle')
    expect(alone.findings[0]!.detail.en).toMatch(
      /; own code sends nothing, only SDKs for measurements and messages do$/,
    )
    // Own code gives the SDK something, sends, opens pages, or takes what somebody must grant.
    expect(level(made(connects, MEASURES))).toBe('high')
    expect(level(made(showsPage, MEASURES))).toBe('high')
    expect(level(made(locates, MEASURES, 'ACCESS_FINE_LOCATION'))).toBe('high')
    const ADS = 'Lcom/google/android/gms/ads/AdView;'
    expect(level(made(starts(ADS), ADS))).toBe('high')
  })

  test('a form is a low finding where libraries connect, and neither own nor native code was seen to', () => {
    const PICASSO = 'Lcom/squareup/picasso/Picasso;'
    const made = (write: (body: Body) => void, files: MadePackage['files'] = {}): MadePackage =>
      asks(['INTERNET'], () => {}, {
        ...login(PASSWORD_FIELD),
        files,
        classes: [
          { name: PICASSO, methods: [method('static load()V', connects)] },
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [
              method(
                'go()V',
                both((body) => void body.static(`${PICASSO}->load()V`), write),
              ),
            ],
          },
        ],
      })
    const { level, findings } = judgeOne(
      id,
      made(() => {}),
    )
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toMatch(/; no own code that sends was seen$/)
    expect(findings[0]!.detail.zh).toMatch(/；未见自有代码发送数据$/)
    expect(judgeOne(id, made(connects)).level).toBe('middle')
    const client = (body: Body) => void body.static('Lio/socket/client/IO;->socket()V')
    expect(judgeOne(id, made(client)).level).toBe('middle')
    const native = { 'lib/arm64-v8a/libown.so': `\x7fELF\0connect\0` }
    expect(
      judgeOne(
        id,
        made(() => {}, native),
      ).level,
    ).toBe('middle')
    expect(
      judgeOne(
        id,
        made(() => {}, { 'lib/arm64-v8a/libown.so': `\x7fELF\0strlen\0` }),
      ).level,
    ).toBe('low')
  })

  test.each([
    ['ACCESSIBILITY', 'Landroid/accessibilityservice/AccessibilityService;'],
    ['NOTIFICATION_LISTENER', 'Landroid/service/notification/NotificationListenerService;'],
    ['AUTOFILL', 'Landroid/service/autofill/AutofillService;'],
  ])(
    'a service that Android binds with the permission BIND_%s_SERVICE sees what the person does: high',
    (name, superclass) => {
      const made = (permission: string): MadePackage =>
        asks(['INTERNET'], connects, {
          components: [
            element('activity', { name: '.Main' }),
            element('service', { name: '.Watch', permission: `android.permission.${permission}` }),
          ],
          classes: [
            { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('go()V', androidId)] },
            { name: 'Lorg/maker/app/Watch;', superclass, methods: [method('onEvent()V', connects)] },
          ],
        })
      expect(judgeOne(id, made(`BIND_${name}_SERVICE`)).level).toBe('high')
      expect(judgeOne(id, made('BIND_JOB_SERVICE')).level).toBe('middle')
    },
  )

  test.each<[string, (body: Body) => void]>([
    ['BODY_SENSORS', (body) => void body.virtual(SENSOR, null, 21)],
    ['ACTIVITY_RECOGNITION', (body) => void body.virtual(SENSOR, null, 19)],
    ['BLUETOOTH_CONNECT', (body) => void body.virtual(BONDED, null)],
    ['GET_ACCOUNTS', (body) => void body.virtual(ACCOUNTS, null)],
  ])('what %s opens is guarded: high', (name, write) => {
    expect(judgeOne(id, asks(['INTERNET', name], both(write, connects))).level).toBe('high')
    expect(judgeOne(id, asks(['INTERNET', name], both(androidId, connects))).level).toBe('middle')
  })

  test('the IMEI counts where it is taken by its name or through the support library, and not where code waits for calls', () => {
    const listens = (body: Body) =>
      void body.virtual(
        'Landroid/telephony/TelephonyManager;->listen(Landroid/telephony/PhoneStateListener;I)V',
        null,
        null,
        32,
      )
    const asked = (...steps: ((body: Body) => void)[]) =>
      judgeOne(id, asks(['INTERNET', 'READ_PHONE_STATE'], both(connects, ...steps)))
    expect(asked(listens).verdict).toBe('not_applicable')
    for (const name of ['getDeviceId', 'getImei', 'getMeid', 'getSubscriberId'])
      expect(asked(listens, (body) => void body.virtual(BY_NAME, null, name, null)).level, name).toBe('high')
    const compat = 'Landroidx/core/telephony/TelephonyManagerCompat;->getImei(Landroid/telephony/TelephonyManager;)'
    expect(asked(listens, (body) => void body.static(`${compat}Ljava/lang/String;`, null)).level).toBe('high')
    const refused = asks(
      ['INTERNET'],
      both(connects, (body) => void body.virtual(BY_NAME, null, 'getDeviceId', null)),
    )
    expect(judgeOne(id, refused).verdict).toBe('not_applicable')
  })

  test('a password alone is a lock of the device, beside another field it is an account', () => {
    const lock = layout(element('EditText', { inputType: PASSWORD_FIELD }))
    expect(verdict(asks(['INTERNET'], connects, lock))).toBe('not_applicable')
    expect(verdict(asks(['INTERNET'], connects, login(PASSWORD_FIELD)))).toBe('fail')
    const email = layout(element('EditText', { inputType: 0x21 }))
    expect(verdict(asks(['INTERNET'], connects, email))).toBe('fail')
  })

  test('without the network only messages leave, whatever else the code could do', () => {
    expect(verdict(asks(['ACCESS_FINE_LOCATION', 'SEND_SMS'], both(locates, connects, showsPage)))).toBe(
      'not_applicable',
    )
    expect(verdict(asks(['ACCESS_FINE_LOCATION', 'SEND_SMS'], both(locates, connects, sendsMessage)))).toBe('fail')
    expect(verdict(asks(['ACCESS_FINE_LOCATION', 'INTERNET'], both(locates, connects)))).toBe('fail')
  })

  test('a recording leaves in the body of a request, not where code only asks for addresses', () => {
    const records = (body: Body) => void body.virtual('Landroid/media/MediaRecorder;->setAudioSource(I)V', null, 1)
    const uploads = (body: Body) => void body.virtual('Ljava/net/HttpURLConnection;->setDoOutput(Z)V', null, 1)
    const names = ['RECORD_AUDIO', 'INTERNET']
    expect(verdict(asks(names, both(records, connects)))).toBe('not_applicable')
    expect(verdict(asks(names, both(records, connects, uploads)))).toBe('fail')
    // A page that may record sends it itself.
    const grants = (body: Body) =>
      void body.virtual('Landroid/webkit/PermissionRequest;->grant([Ljava/lang/String;)V', null, null)
    expect(verdict(asks(names, both(records, connects, showsPage, grants)))).toBe('fail')
    // A place fits into an address.
    expect(verdict(asks([...names, 'ACCESS_FINE_LOCATION'], both(records, locates, connects)))).toBe('fail')
  })

  test('a library for maps takes no place that Android refuses', () => {
    const map = { name: 'Lcom/google/android/gms/maps/Map;', methods: [method('static show()V')] }
    const main = {
      name: MAIN,
      methods: [
        method(
          'go()V',
          both((body) => void body.static('Lcom/google/android/gms/maps/Map;->show()V'), connects),
        ),
      ],
    }
    expect(verdict(asks(['INTERNET'], () => {}, { classes: [map, main] }))).toBe('not_applicable')
    expect(verdict(asks(['INTERNET', 'ACCESS_FINE_LOCATION'], () => {}, { classes: [map, main] }))).toBe('fail')
  })

  test('a library that nothing calls sends nothing', () => {
    const volley = (calls: (body: Body) => void): MadePackage => ({
      ...login(PASSWORD_FIELD),
      classes: [
        { name: 'Lcom/android/volley/toolbox/Stack;', methods: [method('static open()V', connects)] },
        { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method('go()V', calls)] },
      ],
    })
    expect(
      verdict(
        asks(
          ['INTERNET'],
          () => {},
          volley(() => {}),
        ),
      ),
    ).toBe('not_applicable')
    const open = (body: Body) => void body.static('Lcom/android/volley/toolbox/Stack;->open()V')
    expect(verdict(asks(['INTERNET'], () => {}, volley(open)))).toBe('fail')
  })

  test('of incomplete code it is not certain', () => {
    const components = ['.Main', '.Other', '.Third'].map((name) => element('activity', { name }))
    expect(verdict(asks(['INTERNET'], () => {}, { components, incomplete: true }))).toBe('not_assessed')
  })

  test('the finding and the check of the rule book say the same', () => {
    const policyCheck = (made: MadePackage) =>
      scan(makePackage(made), { ...SCAN_CHOICES, kinds: ['privacy'] }).privacy.find((one) => one.id === 'm1-1')!.verdict
    expect(policyCheck(asks(['INTERNET']))).toBe('not_applicable')
    expect(policyCheck(asks(['INTERNET', 'ACCESS_FINE_LOCATION'], both(locates, connects)))).toBe('fail')
    const { findings } = judgeOne(id, asks(['INTERNET', 'ACCESS_FINE_LOCATION'], both(locates, connects)))
    expect(findings[0]!.detail).toEqual({
      zh: '资源、代码与文件中均未提及隐私政策，而应用收集：位置信息',
      en: 'neither resources, code nor files name a privacy policy, and the application collects Location',
    })
  })
})

describe('[DET-06] what Android refuses is not taken', () => {
  test('the address of a network interface needs no permission', () => {
    const address = (body: Body) => void body.virtual('Ljava/net/NetworkInterface;->getHardwareAddress()[B', null)
    expect(judgeOne('android-privacy-mac', { ...asks(['INTERNET'], address), targetSdk: 28 }).verdict).toBe('fail')
  })

  const TELEPHONE = 'Landroid/telephony/TelephonyManager;->getDeviceId()Ljava/lang/String;'
  const imei = (body: Body) => void body.virtual(TELEPHONE, null)
  const mac = (body: Body) => void body.virtual('Landroid/net/wifi/WifiInfo;->getMacAddress()Ljava/lang/String;', null)

  test.each([
    ['android-privacy-location', locates, 'ACCESS_COARSE_LOCATION'],
    ['android-privacy-imei', imei, 'READ_PHONE_STATE'],
    ['android-privacy-mac', mac, 'ACCESS_WIFI_STATE'],
  ] as const)('%s fails only where the package has the permission', (id, write, permission) => {
    expect(judgeOne(id, asks([], write)).verdict).toBe('pass')
    expect(judgeOne(id, asks([permission], write)).verdict).toBe('fail')
    expect(judgeOne(id, { ...asks([], write), manifest: { sharedUserId: 'org.maker' } }).verdict).toBe('fail')
  })

  test('location before consent needs it too', () => {
    const early = (...names: string[]): MadePackage => ({
      application: { name: '.App' },
      classes: [
        {
          name: 'Lorg/maker/app/App;',
          superclass: 'Landroid/app/Application;',
          methods: [method('onCreate()V', locates)],
        },
      ],
      others: permissions(...names),
    })
    const consent = (made: MadePackage) =>
      scan(makePackage(made), { ...SCAN_CHOICES, kinds: ['privacy'] }).privacy.find(({ id }) => id === 'm3-1')!.verdict
    expect(consent(early())).toBe('pass')
    expect(consent(early('ACCESS_FINE_LOCATION'))).toBe('fail')
  })
})
