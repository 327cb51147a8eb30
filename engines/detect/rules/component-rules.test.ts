import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const filter = (...actions: string[]) =>
  element('intent-filter', {}, ...actions.map((name) => element('action', { name })))
const service = (name: string, more: Record<string, string | boolean> = {}, ...actions: string[]) =>
  element('service', { name, exported: true, ...more }, ...(actions.length ? [filter(...actions)] : []))
const services = (...components: ReturnType<typeof element>[]) => judgeOne('android-exported-service', { components })

describe('[DET-03] exported components that a vendor or the platform wants open', () => {
  test('components of push, payment and WebView SDKs are one finding of level info for each vendor', () => {
    const found = services(
      service('com.google.firebase.messaging.FirebaseMessagingService'),
      service('com.google.firebase.iid.FirebaseInstanceIdService'),
      service('org.chromium.content.app.SandboxedProcessService0'),
    )
    expect(found).toMatchObject({ verdict: 'fail', level: 'info', hits: 2 })
    expect(found.findings.map(({ detail }) => detail.en).sort()).toEqual([
      'Chromium WebView needs these exported: org.chromium.content.app.SandboxedProcessService0',
      'Firebase push needs these exported: com.google.firebase.messaging.FirebaseMessagingService, com.google.firebase.iid.FirebaseInstanceIdService',
    ])
  })

  test('a class of the application that takes messages of a push service alone is info, one with an entry besides is not', () => {
    const push = 'com.google.firebase.MESSAGING_EVENT'
    expect(services(service('.Messages', {}, push)).level).toBe('info')
    expect(services(service('.Messages', {}, push, 'org.maker.OPEN')).level).toBe('middle')
    expect(services(service('.Messages')).level).toBe('middle')
  })

  test('an isolated service has nothing of the application', () => {
    expect(services(service('.Sandbox', { isolatedProcess: true })).level).toBe('info')
    expect(services(service('.Sandbox', { isolatedProcess: false })).level).toBe('middle')
  })

  test('a finding below the level of its item says so, and only then', () => {
    const found = services(service('com.vivo.push.sdk.service.CommandClientService'), service('.Open'))
    expect(found.level).toBe('middle')
    expect(found.findings.map(({ level }) => level)).toEqual([undefined, 'info'])
  })

  test('a provider of the WebView is info, one of the application is high', () => {
    const level = (name: string) =>
      judgeOne('android-exported-provider', {
        components: [element('provider', { name, authorities: 'a', exported: true })],
      }).level
    expect(level('org.chromium.android_webview.nonembedded.LicenseContentProvider')).toBe('info')
    expect(level('.Notes')).toBe('high')
  })
})

describe('[DET-03] paths of a FileProvider', () => {
  const shares = (kind: string, ...callers: string[]): MadePackage => ({
    components: [
      element(
        'provider',
        { name: 'androidx.core.content.FileProvider', authorities: 'a', exported: false, grantUriPermissions: true },
        element('meta-data', { name: 'android.support.FILE_PROVIDER_PATHS', resource: 'res/xml/paths.xml' }),
      ),
      element('activity', { name: '.Main' }),
    ],
    xml: { 'res/xml/paths.xml': element('paths', {}, element(kind, { name: 'a', path: '.' })) },
    classes: ['Lorg/maker/app/Main;', 'Landroidx/core/content/FileProvider;'].map((name) => ({
      name,
      superclass: name.endsWith('Main;') ? 'Landroid/app/Activity;' : 'Landroid/content/ContentProvider;',
      methods: [
        method('<init>()V'),
        method('onResume()V', (body) => {
          if (callers.includes(name))
            body.static(
              'Landroidx/core/content/FileProvider;->getUriForFile(Landroid/content/Context;Ljava/lang/String;Ljava/io/File;)Landroid/net/Uri;',
              null,
              null,
              null,
            )
        }),
      ],
    })),
  })
  const judged = (made: MadePackage) => judgeOne('android-fileprovider-root-path', made)

  test('the root is high where code hands out files, low where nothing but a redirected intent can', () => {
    expect(judged(shares('root-path', 'Lorg/maker/app/Main;')).level).toBe('high')
    const unused = judged(shares('root-path', 'Landroidx/core/content/FileProvider;'))
    expect(unused.level).toBe('low')
    expect(unused.findings[0]!.detail.en).toContain('an intent redirection may still reach it')
  })

  describe('where only code that nothing uses makes addresses of files', () => {
    const HELPER = 'Lorg/maker/app/Helper;'
    const URI =
      'Landroidx/core/content/FileProvider;->getUriForFile(Landroid/content/Context;Ljava/lang/String;Ljava/io/File;)Landroid/net/Uri;'
    const judgedWith = (main: (body: Body) => void, kind = 'root-path', more: MadePackage = {}) => {
      const made = shares(kind)
      return judged({
        ...made,
        ...more,
        classes: [
          {
            name: 'Lorg/maker/app/Main;',
            superclass: 'Landroid/app/Activity;',
            methods: [method('<init>()V'), method('onCreate(Landroid/os/Bundle;)V', main)],
          },
          { name: HELPER, methods: [method('static share()V', (body) => void body.static(URI, null, null, null))] },
        ],
      })
    }

    test('the root is low with the reason, and shared storage too', () => {
      const found = judgedWith(() => {})
      expect(found.level).toBe('low')
      expect(found.findings[0]!.detail.en).toMatch(/; only code that nothing uses calls getUriForFile: an intent/)
      expect(found.findings[0]!.detail.zh).toMatch(/；只有未被使用的代码调用 getUriForFile/)
      expect(judgedWith(() => {}, 'external-path')).toMatchObject({ verdict: 'fail', level: 'low' })
    })

    test('it keeps its level where the code is called, or may be by a name or natively', () => {
      expect(judgedWith((body) => void body.static(`${HELPER}->share()V`)).level).toBe('high')
      const native = { files: { 'lib/arm64-v8a/liba.so': '\0org/maker/app/Helper\0' } }
      expect(judgedWith(() => {}, 'root-path', native).level).toBe('high')
    })

    test('it keeps its level where other code gives grants', () => {
      const adds = (flags: number) => (body: Body) =>
        void body.virtual('Landroid/content/Intent;->addFlags(I)Landroid/content/Intent;', null, flags)
      expect(judgedWith(adds(1)).level).toBe('high')
      expect(judgedWith(adds(0x10000000)).level).toBe('low')
      const grants = (body: Body) =>
        void body.virtual(
          'Landroid/content/Context;->grantUriPermission(Ljava/lang/String;Landroid/net/Uri;I)V',
          null,
          null,
          null,
          1,
        )
      expect(judgedWith(grants).level).toBe('high')
    })
  })

  test('shared storage counts only where code hands out files', () => {
    expect(judged(shares('external-path', 'Lorg/maker/app/Main;')).level).toBe('middle')
    expect(judged(shares('external-path')).verdict).toBe('pass')
  })

  test('the folder of the application on shared storage is low, shared storage itself is not', () => {
    expect(judged(shares('external-files-path', 'Lorg/maker/app/Main;')).level).toBe('low')
    expect(judged(shares('external-files-path')).verdict).toBe('pass')
    expect(judged(shares('external-path', 'Lorg/maker/app/Main;')).level).toBe('middle')
  })
})

describe('[DET-03] tasks and permissions', () => {
  test('a singleTask screen with a task of its own is low, one in the task of the application is middle', () => {
    const level = (more: Record<string, string>) =>
      judgeOne('android-launch-mode-task-affinity', {
        minSdk: 24,
        components: [element('activity', { name: '.A', exported: true, launchMode: 2, ...more })],
      }).level
    expect(level({})).toBe('middle')
    expect(level({ taskAffinity: 'org.maker.app' })).toBe('middle')
    expect(level({ taskAffinity: 'org.maker.app.tools' })).toBe('low')
  })

  const callLog = (...actions: string[]) =>
    judgeOne('android-permission-overprivilege', {
      others: [element('uses-permission', { name: 'android.permission.READ_CALL_LOG' })],
      classes: [{ name: 'Lorg/maker/app/Main;', methods: [method('run()V')] }],
      ...(actions.length && { components: [element('receiver', { name: '.Calls' }, filter(...actions))] }),
    })

  test('an unused permission says which APIs were looked for and in how many classes', () => {
    expect(callLog().findings[0]!.detail.en).toMatch(
      /^android\.permission\.READ_CALL_LOG is declared; none of the \d+ APIs that it opens \(such as .+\) is used in \d+ classes? and the manifest$/,
    )
  })

  test('the call log permission gives receivers of calls the number', () => {
    expect(callLog('android.intent.action.PHONE_STATE').verdict).toBe('pass')
    expect(callLog('android.intent.action.BOOT_COMPLETED').verdict).toBe('fail')
  })
})
