import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'

const filter = (...actions: string[]) =>
  element('intent-filter', {}, ...actions.map((name) => element('action', { name })))
const browsable = (data: Record<string, string>, extra: Record<string, boolean> = {}) =>
  element(
    'intent-filter',
    extra,
    element('action', { name: 'android.intent.action.VIEW' }),
    element('category', { name: 'android.intent.category.BROWSABLE' }),
    element('data', data),
  )
const nsc = (...children: Parameters<typeof element>[2][]) => ({
  others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
  application: { networkSecurityConfig: 'res/xml/nsc.xml' },
  xml: { 'res/xml/nsc.xml': element('network-security-config', {}, ...children) },
})
const uses = (name: string) => element('uses-permission', { name: `android.permission.${name}` })
const fileProvider = (path: ReturnType<typeof element>) => ({
  components: [
    element(
      'provider',
      { name: 'androidx.core.content.FileProvider', authorities: 'a', exported: false, grantUriPermissions: true },
      element('meta-data', { name: 'android.support.FILE_PROVIDER_PATHS', resource: 'res/xml/paths.xml' }),
    ),
  ],
  xml: { 'res/xml/paths.xml': element('paths', {}, path) },
})
const certificates = (src: string, more = {}) => element('trust-anchors', {}, element('certificates', { src, ...more }))
const agent = (asks: boolean) => ({
  application: { backupAgent: '.Agent' },
  classes: [
    {
      name: 'Lorg/maker/app/Agent;',
      superclass: 'Landroid/app/backup/BackupAgent;',
      methods: [
        method('onBackup(Landroid/app/backup/BackupDataOutput;)V', (body) => {
          body.virtual('Landroid/app/backup/BackupDataOutput;->writeEntityData([BI)I', body.parameter(1), null, 1)
          if (asks) body.virtual('Landroid/app/backup/BackupDataOutput;->getTransportFlags()I', body.parameter(1))
        }),
      ],
    },
  ],
})
const calling = (reference: string) => [
  { name: 'Lorg/maker/app/Main;', methods: [method('run()V', (body) => body.virtual(reference, null))] },
]

const CASES: Record<string, ItemCase> = {
  'android-debuggable': {
    fails: { application: { debuggable: true } },
    passes: { application: { debuggable: false } },
  },
  'android-allow-backup': { fails: { targetSdk: 30 }, passes: { application: { allowBackup: false } } },
  'android-backup-agent-plain': { fails: agent(false), passes: agent(true) },
  'android-test-only': { fails: { application: { testOnly: true } }, passes: {} },
  'android-min-sdk-low': { fails: { minSdk: 21 }, passes: { minSdk: 29 } },
  'android-target-sdk-low': { fails: { targetSdk: 28 }, passes: { targetSdk: 35 } },
  'android-cleartext-allowed': {
    fails: { others: [uses('INTERNET')], application: { usesCleartextTraffic: true } },
    passes: {
      ...nsc(
        element('base-config', { cleartextTrafficPermitted: 'false' }),
        element('domain-config', { cleartextTrafficPermitted: 'true' }, { ...element('domain'), text: 'localhost' }),
      ),
    },
  },
  'android-nsc-user-ca': {
    fails: nsc(element('base-config', {}, certificates('user'))),
    passes: nsc(element('debug-overrides', {}, certificates('user'))),
  },
  'android-nsc-override-pins': {
    fails: nsc(element('domain-config', {}, certificates('system', { overridePins: 'true' }))),
    passes: nsc(element('debug-overrides', {}, certificates('user', { overridePins: 'true' }))),
  },
  'android-nsc-pin-expired': {
    fails: nsc(
      element('domain-config', {}, element('pin-set', { expiration: '2020-01-01' }, element('pin'), element('pin'))),
    ),
    passes: nsc(element('domain-config', {}, element('pin-set', {}, element('pin'), element('pin')))),
    choices: { date: Date.UTC(2026, 10, 21) },
  },
  'android-launch-mode-task-affinity': {
    fails: { minSdk: 24, components: [element('activity', { name: '.A', exported: true, launchMode: 2 })] },
    passes: {
      minSdk: 24,
      components: [element('activity', { name: '.A', exported: true, launchMode: 2, taskAffinity: '' })],
    },
  },
  'android-shared-user-id': { fails: { manifest: { sharedUserId: 'android.uid.system' } }, passes: {} },
  'android-extract-native-libs': {
    fails: { application: { extractNativeLibs: true }, files: { 'lib/arm64-v8a/liba.so': 'x' } },
    passes: { application: { extractNativeLibs: false }, files: { 'lib/arm64-v8a/liba.so': 'x' } },
  },
  'android-custom-permission-weak': {
    fails: {
      others: [element('permission', { name: 'org.maker.P' })],
      components: [element('service', { name: '.S', exported: true, permission: 'org.maker.P' })],
    },
    passes: {
      others: [element('permission', { name: 'org.maker.P', protectionLevel: 2 })],
      components: [element('service', { name: '.S', exported: true, permission: 'org.maker.P' })],
    },
  },
  'android-permission-undefined': {
    fails: { components: [element('service', { name: '.S', permission: 'org.other.P' })] },
    passes: { components: [element('service', { name: '.S', permission: 'com.huawei.P' })] },
  },
  'android-permission-overprivilege': {
    fails: { others: [uses('CAMERA')], classes: calling('Ljava/lang/Object;->hashCode()I') },
    passes: {
      others: [uses('CAMERA')],
      classes: calling('Landroid/hardware/camera2/CameraManager;->openCamera(Ljava/lang/String;)V'),
    },
  },
  'android-install-packages-perm': {
    fails: {
      others: [uses('REQUEST_INSTALL_PACKAGES')],
      classes: calling(
        'Landroid/content/pm/PackageInstaller;->createSession(Landroid/content/pm/PackageInstaller$SessionParams;)I',
      ),
    },
    passes: { others: [uses('REQUEST_INSTALL_PACKAGES')], classes: calling('Ljava/lang/Object;->hashCode()I') },
  },
  'android-overlay-perm': {
    fails: {
      others: [uses('SYSTEM_ALERT_WINDOW')],
      classes: [
        {
          name: 'Lorg/maker/app/Main;',
          methods: [
            method('run()V', (body) => {
              const layout = body.make('Landroid/view/WindowManager$LayoutParams;', '(I)V', 2038)
              body.interface(
                'Landroid/view/WindowManager;->addView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V',
                null,
                null,
                layout,
              )
            }),
          ],
        },
      ],
    },
    passes: { others: [uses('SYSTEM_ALERT_WINDOW')], classes: calling('Ljava/lang/Object;->hashCode()I') },
  },
  'android-accessibility-service': {
    fails: {
      components: [element('service', { name: '.S', permission: 'android.permission.BIND_ACCESSIBILITY_SERVICE' })],
    },
    passes: {
      components: [
        element(
          'service',
          { name: '.S', permission: 'android.permission.BIND_ACCESSIBILITY_SERVICE' },
          element('meta-data', { name: 'android.accessibilityservice', resource: 'res/xml/a.xml' }),
        ),
      ],
      xml: {
        'res/xml/a.xml': element('accessibility-service', {
          isAccessibilityTool: true,
          canRetrieveWindowContent: true,
        }),
      },
    },
  },
  'android-device-admin': {
    fails: {
      components: [
        element(
          'receiver',
          { name: '.R', permission: 'android.permission.BIND_DEVICE_ADMIN' },
          filter('android.app.action.DEVICE_ADMIN_ENABLED'),
        ),
      ],
    },
    passes: { components: [element('receiver', { name: '.R' }, filter('android.app.action.DEVICE_ADMIN_ENABLED'))] },
  },
  'android-manifest-permission-tree-query-all': {
    fails: { others: [uses('QUERY_ALL_PACKAGES')] },
    passes: { others: [uses('QUERY_ALL_PACKAGES')], targetSdk: 29 },
  },
  'android-privacy-target-bypass': {
    fails: { targetSdk: 22, others: [uses('CAMERA')] },
    passes: { targetSdk: 23, others: [uses('CAMERA')] },
  },
  'android-exported-activity': {
    fails: { components: [element('activity', { name: '.A', exported: true })] },
    passes: {
      components: [
        element(
          'activity',
          { name: '.Main', exported: true },
          element(
            'intent-filter',
            {},
            element('action', { name: 'android.intent.action.MAIN' }),
            element('category', { name: 'android.intent.category.LAUNCHER' }),
          ),
        ),
        element('activity', { name: '.B', exported: true, permission: 'org.maker.P' }),
      ],
    },
  },
  'android-exported-service': {
    fails: { components: [element('service', { name: '.S' }, filter('org.maker.GO'))], targetSdk: 30 },
    passes: { components: [element('service', { name: '.S' }, filter('org.maker.GO'))] },
  },
  'android-exported-receiver': {
    fails: { components: [element('receiver', { name: '.R', exported: true }, filter('org.maker.GO'))] },
    passes: {
      components: [element('receiver', { name: '.R', exported: true }, filter('android.intent.action.BOOT_COMPLETED'))],
    },
  },
  'android-exported-provider': {
    fails: {
      components: [
        element('provider', { name: '.P', authorities: 'a', exported: true, readPermission: 'org.maker.P' }),
      ],
    },
    passes: {
      components: [element('provider', { name: '.P', authorities: 'a', exported: true, permission: 'org.maker.P' })],
    },
  },
  'android-fileprovider-root-path': {
    fails: fileProvider(element('root-path', { name: 'r', path: '' })),
    passes: fileProvider(element('cache-path', { name: 'r', path: 'images/' })),
  },
  'android-grant-uri-wide': {
    fails: { components: [element('provider', { name: '.P', authorities: 'a', grantUriPermissions: true })] },
    passes: {
      components: [
        element(
          'provider',
          { name: '.P', authorities: 'a', grantUriPermissions: true },
          element('grant-uri-permission', { pathPrefix: '/shared' }),
        ),
      ],
    },
  },
  'android-deeplink-unverified': {
    fails: { components: [element('activity', { name: '.A' }, browsable({ scheme: 'https', host: 'maker.org' }))] },
    passes: {
      components: [
        element('activity', { name: '.A' }, browsable({ scheme: 'https', host: 'maker.org' }, { autoVerify: true })),
      ],
    },
  },
  'android-elf-no-64bit': {
    fails: { files: { 'lib/armeabi-v7a/liba.so': 'x' } },
    passes: { files: { 'lib/armeabi-v7a/liba.so': 'x', 'lib/arm64-v8a/liba.so': 'x' } },
  },
}

describe('items about the manifest (DET-03)', () => {
  test.each(Object.entries(CASES))(
    '%s fails on its failing example and passes on its passing one',
    (id, { fails, passes, choices }) => {
      const found = judgeOne(id, fails, choices)
      expect({ verdict: found.verdict, hits: found.hits > 0 }).toEqual({ verdict: 'fail', hits: true })
      expect(found.findings[0]).toMatchObject({
        fingerprint: /^[0-9a-f]{16}$/.exec(found.findings[0]!.fingerprint)![0],
      })
      expect(judgeOne(id, passes, choices).verdict).toBe('pass')
    },
  )

  test('levels of manifest items follow what was found', () => {
    const level = (id: string, made: ItemCase['fails']) => judgeOne(id, made).level
    expect([
      level('android-target-sdk-low', { targetSdk: 25 }),
      level('android-target-sdk-low', { targetSdk: 32 }),
    ]).toEqual(['high', 'info'])
    expect(level('android-min-sdk-low', { minSdk: 26 })).toBe('low')
    expect(level('android-allow-backup', {})).toBe('low')
    expect(
      level('android-exported-activity', {
        components: [element('activity', { name: '.wxapi.WXEntryActivity', exported: true })],
      }),
    ).toBe('info')
  })

  test('old versions of Android are low for what the device alone sees', () => {
    const classes = [{ name: 'Lorg/maker/app/Main;', methods: [method('work()V')] }]
    const level = (id: string, sdk: object, ...names: string[]) =>
      judgeOne(id, { classes, components: [element('activity', { name: '.Main' })], others: names.map(uses), ...sdk })
    for (const [id, sdk, before] of [
      ['android-min-sdk-low', { minSdk: 21 }, 'middle'],
      ['android-target-sdk-low', { targetSdk: 25 }, 'high'],
      ['android-target-sdk-low', { targetSdk: 27 }, 'middle'],
    ] as const) {
      const alone = level(id, sdk, 'VIBRATE')
      expect(alone.level).toBe('low')
      expect(alone.findings[0]!.detail.en).toMatch(/; the application cannot use the network, and no personal data, /)
      for (const name of ['INTERNET', 'CAMERA', 'NFC']) expect(level(id, sdk, name).level, name).toBe(before)
    }
    expect(level('android-target-sdk-low', { targetSdk: 32 }, 'VIBRATE').level).toBe('info')
    // Granted at installation.
    for (const name of ['WRITE_EXTERNAL_STORAGE', 'SYSTEM_ALERT_WINDOW']) {
      expect(level('android-target-sdk-low', { targetSdk: 22 }, name).level, name).toBe('high')
      expect(level('android-target-sdk-low', { targetSdk: 23 }, name).level, name).toBe('low')
    }
  })

  test('a target of Android 9 or 10 is low for what uses nothing that versions after it restrict', () => {
    const ENTRY = element(
      'activity',
      { name: '.Entry' },
      element('intent-filter', {}, element('action', { name: 'a' })),
    )
    const judged = (
      write: (body: Body) => void = () => {},
      names: string[] = [],
      targetSdk = 28,
      components = [element('activity', { name: '.Main' })],
    ) =>
      judgeOne('android-target-sdk-low', {
        targetSdk,
        components,
        others: ['INTERNET', ...names].map(uses),
        classes: [{ name: 'Lorg/maker/app/Main;', methods: [method('work()V', write)] }],
      })
    const found = judged()
    expect(found.level).toBe('low')
    expect(found.findings[0]!.detail.en).toMatch(
      /^targetSdkVersion is 28; nothing that later versions restrict is used /,
    )
    expect(found.findings[0]!.detail.zh).toContain('；应用未使用此后版本所限制的能力')
    // Without TLS by default.
    expect(judged(undefined, [], 27).level).toBe('middle')
    for (const name of ['WRITE_EXTERNAL_STORAGE', 'ACCESS_FINE_LOCATION', 'BLUETOOTH', 'NFC', 'SYSTEM_ALERT_WINDOW'])
      expect(judged(undefined, [name]).level, name).toBe('middle')
    expect(judged(undefined, [], 28, [ENTRY]).level).toBe('middle')
    const lists = (body: Body) =>
      void body.virtual('Landroid/content/pm/PackageManager;->getInstalledPackages(I)Ljava/util/List;', null, 0)
    expect(judged(lists).level).toBe('middle')
  })

  test('native code of an application without permissions has no use of old flaws of Android', () => {
    const made = (...names: string[]) =>
      judgeOne('android-min-sdk-low', {
        minSdk: 21,
        components: [element('activity', { name: '.Main' })],
        classes: [{ name: 'Lorg/maker/app/Main;', methods: [method('work()V')] }],
        files: { 'lib/arm64-v8a/liba.so': 'x' },
        others: names.map(uses),
      }).level
    expect([made(), made('VIBRATE')]).toEqual(['low', 'middle'])
  })

  test('an exported component whose class Android cannot start can only crash the application', () => {
    const SCREEN = 'Lorg/maker/app/Page;'
    const judged = (superclass: string, ...more: { name: string; superclass: string }[]) =>
      judgeOne('android-exported-activity', {
        components: [element('activity', { name: '.Page', exported: true })],
        classes: [{ name: SCREEN, superclass }, ...more],
      })
    const none = judged('Lorg/maker/app/Base;', { name: 'Lorg/maker/app/Base;', superclass: 'Ljava/lang/Object;' })
    expect(none.level).toBe('low')
    expect(none.findings[0]!.detail.en).toMatch(
      /; its class is no Activity, so that a start can only crash the application$/,
    )
    expect(judged('Landroid/app/Activity;').findings[0]!.detail.en).not.toContain('crash')
    // What the class extends is not in the package.
    expect(judged('Lorg/maker/app/Base;').level).toBe('middle')
    expect(judged('Lorg/maker/app/Base;', { name: 'Lorg/maker/app/Base;', superclass: SCREEN }).level).toBe('middle')
  })

  test('a strategy sets the level of a manifest item', () => {
    const found = judgeOne(
      'android-debuggable',
      { application: { debuggable: true } },
      { levels: { 'android-debuggable': 'low' } },
    )
    expect(found.level).toBe('low')
  })
})
