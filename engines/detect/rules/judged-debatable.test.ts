import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

/** Kinds of findings that were judged debatable (docs/detection-judgements.tsv), each beside one that is right. */
const MAIN = 'Lorg/maker/app/Main;'
const STRING = 'Ljava/lang/String;'
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [{ name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method(`work(${STRING})V`, write)] }],
})
const levelOf = (id: string, made: MadePackage) => {
  const { verdict, level } = judgeOne(id, made)
  return verdict === 'fail' ? level : verdict
}

describe('[DET-03] findings of kinds that were judged debatable', () => {
  test("preferences of another package's context are a low finding", () => {
    const id = 'android-world-readable-file'
    const opens = (name: string, foreign: boolean) =>
      code(
        (body) => {
          const context = foreign
            ? body.virtual(
                `Landroid/content/Context;->createPackageContext(${STRING}I)Landroid/content/Context;`,
                null,
                'org.other',
                0,
              )
            : null
          body.virtual(
            `Landroid/content/Context;->getSharedPreferences(${STRING}I)Landroid/content/SharedPreferences;`,
            context,
            name,
            1,
          )
        },
        { minSdk: 14, targetSdk: 19 },
      )
    expect(levelOf(id, opens('settings', false))).toBe('high')
    expect(levelOf(id, opens('settings', true))).toBe('low')
    expect(levelOf(id, opens('google_ads_flags', false))).toBe('low')
  })

  test('a flaw in code for x86 does not affect a library for ARM', () => {
    const id = 'android-elf-known-vuln-component'
    const library = (abi: string, version: string): MadePackage => ({
      files: {
        [`lib/${abi}/liba.so`]: writeElf({
          sections: { '.rodata': Buffer.from(`\0OpenSSL ${version}  22 Sep 2016\0`) },
        }),
      },
    })
    expect(levelOf(id, library('armeabi-v7a', '1.0.1s'))).toBe('pass')
    expect(judgeOne(id, library('x86_64', '1.0.1s')).findings[0]!.detail.en).toContain('CVE-2016-2107')
    expect(levelOf(id, library('armeabi-v7a', '1.0.1f'))).toBe('high')
  })

  test('a receiver that only gets widget updates is a low finding', () => {
    const id = 'android-exported-receiver'
    const receiver = (...actions: string[]): MadePackage => ({
      components: [
        element(
          'receiver',
          { name: '.Widget', exported: true },
          element('intent-filter', {}, ...actions.map((name) => element('action', { name }))),
        ),
      ],
    })
    expect(levelOf(id, receiver('android.appwidget.action.APPWIDGET_UPDATE'))).toBe('low')
    expect(levelOf(id, receiver('android.appwidget.action.APPWIDGET_UPDATE', 'org.maker.app.RUN'))).toBe('middle')
  })

  test('one folder below the root of the file system is less than all of it', () => {
    const id = 'android-fileprovider-root-path'
    const sharing = (path: string) =>
      code(
        (body) =>
          void body.static(
            `Landroidx/core/content/FileProvider;->getUriForFile(Landroid/content/Context;${STRING}Ljava/io/File;)Landroid/net/Uri;`,
          ),
        {
          components: [
            element(
              'provider',
              { name: 'androidx.core.content.FileProvider', authorities: 'org.maker.files', grantUriPermissions: true },
              element('meta-data', { name: 'android.support.FILE_PROVIDER_PATHS', resource: 'res/xml/paths.xml' }),
            ),
          ],
          xml: { 'res/xml/paths.xml': element('paths', {}, element('root-path', { name: 'r', path })) },
        },
      )
    expect(levelOf(id, sharing(''))).toBe('high')
    expect(levelOf(id, sharing('data/data/org.maker.app/files/log'))).toBe('middle')
  })

  test('permissions that Android implies of a missing target SDK were not asked for', () => {
    const id = 'android-privacy-target-bypass'
    const old = (...names: string[]): MadePackage => ({
      minSdk: 1,
      targetSdk: 3,
      others: names.map((name) => element('uses-permission', { name: `android.permission.${name}` })),
    })
    expect(levelOf(id, old())).toBe('low')
    expect(levelOf(id, old('READ_CONTACTS'))).toBe('middle')
  })

  test('Android saves no package with the user id of the system that has no agent for it', () => {
    const id = 'android-allow-backup'
    const made = (manifest: object, application: object = {}): MadePackage => ({
      minSdk: 14,
      targetSdk: 19,
      manifest: { ...manifest },
      application: { ...application },
    })
    expect(levelOf(id, made({}))).toBe('middle')
    expect(levelOf(id, made({ sharedUserId: 'org.maker' }))).toBe('middle')
    expect(levelOf(id, made({ sharedUserId: 'android.uid.system' }))).toBe('pass')
    expect(levelOf(id, made({ sharedUserId: 'android.uid.system' }, { backupAgent: '.Agent' }))).toBe('middle')
  })

  test('a transformer mostly writes what the application made', () => {
    const id = 'android-xxe'
    const parsing = (factory: string, source: string, library = '') =>
      code((body) => {
        if (library) body.make(library)
        body.static(`${factory}->newInstance()${factory}`)
        body.virtual(source, null)
      })
    expect(
      levelOf(
        id,
        parsing(
          'Ljavax/xml/parsers/DocumentBuilderFactory;',
          'Ljavax/xml/parsers/DocumentBuilder;->parse(Ljava/io/InputStream;)Lorg/w3c/dom/Document;',
          'Lorg/apache/xerces/jaxp/DocumentBuilderFactoryImpl;',
        ),
      ),
    ).toBe('middle')
    expect(
      levelOf(
        id,
        parsing(
          'Ljavax/xml/transform/TransformerFactory;',
          'Ljavax/xml/transform/stream/StreamSource;-><init>(Ljava/io/Reader;)V',
        ),
      ),
    ).toBe('low')
  })

  test('the search for dusk of the support library is no use of the location, whatever its classes are called', () => {
    const id = 'android-privacy-location'
    const locates = (tag: string) =>
      code(
        (body) => {
          body.virtual(
            'Landroid/location/LocationManager;->getLastKnownLocation(Ljava/lang/String;)Landroid/location/Location;',
            null,
            'gps',
          )
          body.static(
            'Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I',
            tag,
            'Failed to get last known location',
          )
        },
        {
          others: ['ACCESS_FINE_LOCATION', 'INTERNET'].map((name) =>
            element('uses-permission', { name: `android.permission.${name}` }),
          ),
        },
      )
    expect(levelOf(id, locates('Finder'))).toBe('middle')
    expect(levelOf(id, locates('TwilightManager'))).toBe('pass')
  })

  test('own classes that the manifest names keep their names in any build', () => {
    const id = 'android-no-obfuscation'
    const made = (...names: string[]): MadePackage => ({
      components: [element('activity', { name: '.Main' })],
      classes: [MAIN, ...names].map((name) => ({ name, methods: [method('run()V')] })),
    })
    expect(levelOf(id, made())).toBe('not_assessed')
    expect(judgeOne(id, made('Lorg/maker/app/Ledger;')).verdict).toBe('fail')
    // A build that keeps the classes of resources shortens nothing.
    expect(judgeOne(id, made('Lorg/maker/app/R$id;')).findings[0]!.detail.en).toContain('org.maker.app.R$id')
  })

  test('a command that comes from outside is not described by a constant of its method', () => {
    const id = 'android-runtime-exec'
    const { level, findings } = judgeOne(
      id,
      code((body) => {
        const line = body.virtual(`Ljava/io/BufferedReader;->readLine()${STRING}`, null)
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const part of ['host.example', line])
          body.virtual(`Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`, builder, part)
        const command = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, builder)
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, command)
      }),
    )
    expect([level, findings[0]!.detail.en]).toEqual(['high', 'runs a command that comes from outside'])
  })

  test('pictures and music that a person keeps on shared storage are less than files of the application', () => {
    const id = 'android-external-storage-sensitive'
    const keeps = (write: (body: Body) => Argument, ...after: string[]) =>
      code((body) => {
        body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', write(body))
        for (const reference of after) body.virtual(reference, null)
      })
    const shared = (body: Body) => body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
    const folder = (name: string) => (body: Body) =>
      body.static(`Landroid/os/Environment;->getExternalStoragePublicDirectory(${STRING})Ljava/io/File;`, name)
    const named = `${MAIN}->name(${STRING})V`
    const keepsChats = (where: (body: Body) => Argument) =>
      keeps((body) => {
        body.static(named, 'chats.db')
        return where(body)
      })
    expect(levelOf(id, keepsChats(shared))).toBe('middle')
    expect(levelOf(id, keepsChats(folder('Download')))).toBe('middle')
    expect(levelOf(id, keeps(shared))).toBe('low')
    expect(levelOf(id, keeps(folder('Pictures')))).toBe('low')
    const saves =
      'Landroid/graphics/Bitmap;->compress(Landroid/graphics/Bitmap$CompressFormat;ILjava/io/OutputStream;)Z'
    expect(levelOf(id, keeps(shared, saves))).toBe('low')
  })

  test('a path on shared storage for others of its class is less than a file there', () => {
    const id = 'android-external-storage-sensitive'
    const folder = (body: Body) => body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
    const write = (body: Body, file: Argument) =>
      void body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)
    const made = (path: (body: Body) => void) => ({
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          staticFields: [{ name: 'folder:Ljava/io/File;', flags: 0x08 }],
          methods: [
            method('start()V', path),
            method('save(Ljava/io/File;)V', (body) => write(body, body.parameter(1))),
          ],
        },
      ],
    })
    expect(
      levelOf(
        id,
        made((body) => {
          body.static(`${MAIN}->name(${STRING})V`, 'chats.db')
          write(body, folder(body))
        }),
      ),
    ).toBe('middle')
    expect(
      levelOf(
        id,
        made((body) => void body.put(`${MAIN}->folder:Ljava/io/File;`, folder(body))),
      ),
    ).toBe('low')
  })

  test('an action that was compared with null is not asked for in vain a second time', () => {
    const id = 'android-component-local-dos'
    const action = `Landroid/content/Intent;->getAction()${STRING}`
    const made = (compares: boolean) =>
      ({
        components: [element('receiver', { name: '.Main', exported: true })],
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/content/BroadcastReceiver;',
            methods: [
              method('onReceive(Landroid/content/Context;Landroid/content/Intent;)V', (body) => {
                const first = body.virtual(action, body.parameter(2))
                if (compares) body.compareWithNull(first)
                body.virtual(`${STRING}->equals(Ljava/lang/Object;)Z`, body.virtual(action, body.parameter(2)), 'go')
              }),
            ],
          },
        ],
      }) satisfies MadePackage
    expect(levelOf(id, made(false))).toBe('middle')
    expect(levelOf(id, made(true))).toBe('pass')
  })

  test.each([
    'Política de privacidad',
    'Politique de confidentialité',
    'Datenschutzerklärung',
    '隱私權政策',
    'プライバシーポリシー',
    '개인정보 처리방침',
    'Политика конфиденциальности',
  ])('a privacy policy is one in any language: %s', (title) => {
    const made = (text: string) =>
      code(
        (body) => {
          body.virtual(
            `Landroid/location/LocationManager;->getLastKnownLocation(${STRING})Landroid/location/Location;`,
            null,
            'gps',
          )
          body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
          body.static(`${MAIN}->title(${STRING})V`, text)
        },
        {
          others: ['INTERNET', 'ACCESS_FINE_LOCATION'].map((name) =>
            element('uses-permission', { name: `android.permission.${name}` }),
          ),
          components: [element('activity', { name: '.Main' })],
        },
      )
    expect(levelOf('android-privacy-policy-absent', made('Einstellungen'))).toBe('high')
    expect(levelOf('android-privacy-policy-absent', made(title))).toBe('pass')
  })

  test('a text whose register is written again at once is filler of an obfuscator', () => {
    const id = 'android-http-url-hardcoded'
    const loads = (second: number) => ({
      others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
      classes: [
        {
          name: MAIN,
          methods: [
            {
              name: 'work()V',
              registers: 2,
              ins: 1,
              code: (numbers: { string(text: string): number }) => [
                0x001a,
                numbers.string('http://filler.maker.org/a'),
                0x001a | (second << 8),
                numbers.string('other'),
                0x000e,
              ],
            },
          ],
        },
      ],
    })
    expect(levelOf(id, loads(0))).toBe('pass')
    expect(levelOf(id, loads(1))).toBe('low')
  })
})
