import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { code, MAIN, uses, verdictOf } from '#tests/support/made-code.ts'

const STRING = 'Ljava/lang/String;'

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
describe('DET-03 findings about storage and logs that were judged wrong', () => {
  test.each(['passed: ', 'bypass ', 'Compass '])('a log text with "%s" is not reported as a password', (word) => {
    const logged = (text: string) =>
      code((body) => {
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const part of [text, body.parameter(1)])
          body.virtual('Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;', builder, part)
        const said = body.virtual('Ljava/lang/StringBuilder;->toString()Ljava/lang/String;', builder)
        body.static('Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I', 'Main', said)
      })
    expect(verdictOf('android-log-sensitive', logged(word))).toBe('pass')
    expect(verdictOf('android-log-sensitive', logged('pass: '))).toBe('fail')
  })

  test('reading or deleting files on shared storage writes nothing there', () => {
    const path = (body: Body) => body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
    const on = (use: (body: Body, folder: ReturnType<typeof path>) => unknown) =>
      code((body) => void use(body, path(body)))
    const writing = on((body, folder) => body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', folder))
    const reading = on((body, folder) => body.make('Ljava/io/FileInputStream;', '(Ljava/io/File;)V', folder))
    const deleting = on((body, folder) => body.virtual('Ljava/io/File;->delete()Z', folder))
    expect(verdictOf('android-external-storage-sensitive', writing)).toBe('fail')
    expect(verdictOf('android-external-storage-sensitive', reading)).toBe('pass')
    expect(verdictOf('android-external-storage-sensitive', deleting)).toBe('pass')
    // A reader in a class whose other method writes.
    const writer = method(
      'save()V',
      (body) => void body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', path(body)),
    )
    const reader = method('load()V', (body) => void body.make('Ljava/io/FileReader;', '(Ljava/io/File;)V', path(body)))
    const both = judgeOne('android-external-storage-sensitive', {
      classes: [{ name: MAIN, methods: [writer, reader] }],
    })
    expect(both.findings.map(({ evidence }) => evidence.method)).toEqual(['save()V'])
  })

  test('a path on shared storage that code writes as a text uses the storage permission', () => {
    const opening = (path: string) =>
      code((body) => void body.make('Ljava/io/File;', '(Ljava/lang/String;)V', path), uses('WRITE_EXTERNAL_STORAGE'))
    expect(verdictOf('android-permission-overprivilege', opening('/sdcard/x.png'))).toBe('pass')
    expect(verdictOf('android-permission-overprivilege', opening('/sdcardx/x.png'))).toBe('fail')
  })

  test.each([
    ['TokenDataProviderSource: ', 'pass'],
    ['tokenizer at ', 'pass'],
    ['getConvertedToken: no value for ', 'pass'],
    ['convertedToken: ', 'fail'],
    ['token=', 'fail'],
    ['aws_secret_access_key ', 'fail'],
    ['cookies are ', 'fail'],
  ])('a log of "%s" and a value: %s', (label, verdict) => {
    const logged = code((body) => {
      const said = body.virtual(`${STRING}->concat(${STRING})${STRING}`, label, body.parameter(1))
      body.static(`Landroid/util/Log;->d(${STRING}${STRING})I`, 'Main', said)
    })
    expect(verdictOf('android-log-sensitive', logged)).toBe(verdict)
  })

  test('a path on shared storage that a method without callers returns writes nothing', () => {
    const path = method('static path()Ljava/io/File;', (body) =>
      body.result(body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')),
    )
    const save = method(
      'save(Ljava/io/File;)V',
      (body) => void body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', body.parameter(1)),
    )
    const used = method('onResume()V', (body) => void body.static('Lorg/maker/app/Files;->path()Ljava/io/File;'))
    const files = (...more: WrittenDexMethod[]): MadePackage => ({
      classes: [
        { name: 'Lorg/maker/app/Files;', methods: [path, save] },
        { name: MAIN, superclass: 'Landroid/app/Activity;', methods: more },
      ],
    })
    expect(verdictOf('android-external-storage-sensitive', files())).toBe('pass')
    expect(verdictOf('android-external-storage-sensitive', files(used))).toBe('fail')
  })

  test('a write to shared storage that Android refuses is no finding', () => {
    const saveIn = (path: string, targetSdk: number, ...permissions: string[]) =>
      verdictOf('android-external-storage-sensitive', {
        targetSdk,
        ...uses(...permissions),
        classes: [
          {
            name: MAIN,
            methods: [
              method('save()V', (body) => {
                const folder = body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
                const file = body.make('Ljava/io/File;', `(Ljava/io/File;${STRING})V`, folder, path)
                body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)
              }),
            ],
          },
        ],
      })
    const save = (targetSdk: number, ...permissions: string[]) => saveIn('backup', targetSdk, ...permissions)
    expect(save(23, 'READ_EXTERNAL_STORAGE')).toBe('pass')
    expect(save(23, 'WRITE_EXTERNAL_STORAGE')).toBe('fail')
    // An application for Android 11 may add files of its own without asking.
    expect(save(30)).toBe('fail')
    // Nor does its own folder there need a permission.
    expect(saveIn('Android/data/org.maker.app/files', 23, 'READ_EXTERNAL_STORAGE')).toBe('fail')
  })

  test("the cache of films of Google's advertisements is open to all, other files are not to be", () => {
    const level = (folder: string) =>
      judgeOne(
        'android-file-set-readable',
        code((body) => {
          const file = body.make('Ljava/io/File;', `(Ljava/io/File;${STRING})V`, null, folder)
          body.virtual('Ljava/io/File;->setReadable(ZZ)Z', file, 1, 0)
        }),
      ).level
    expect(level('admobVideoStreams')).toBe('info')
    expect(level('accounts')).toBe('middle')
  })

  test('a root path that names one folder of the application is low, one with its settings is not', () => {
    const level = (path: string) =>
      judgeOne('android-fileprovider-root-path', {
        ...code((body) => void body.static('Landroid/support/v4/content/FileProvider;->getUriForFile()V')),
        components: [
          element(
            'provider',
            { name: 'android.support.v4.content.FileProvider', authorities: 'a' },
            element('meta-data', { name: 'android.support.FILE_PROVIDER_PATHS', value: 'res/xml/paths.xml' }),
          ),
        ],
        xml: { 'res/xml/paths.xml': element('paths', {}, element('root-path', { name: 'a', path })) },
      }).level
    expect(level('/data/user_de/0/org.maker.app/log')).toBe('low')
    expect(level('/data/data/org.maker.app/shared_prefs')).toBe('middle')
    expect(level('/data/data/org.other/log')).toBe('middle')
    expect(level('/data/data/org.maker.app/log/../..')).toBe('middle')
    expect(level('/data/data/org.maker.app/./')).toBe('middle')
    expect(level('/data/data/org.maker.app/app_flutter')).toBe('middle')
    expect(level('')).toBe('high')
  })

  test("the browser that Android's library for web applications checked is no credential", () => {
    const stored = (key: string) =>
      code((body) => {
        const put = `Landroid/content/SharedPreferences$Editor;->putString(${STRING}${STRING})Landroid/content/SharedPreferences$Editor;`
        body.interface(put, null, key, body.parameter(1))
      })
    expect(verdictOf('android-sharedpref-sensitive', stored('SharedPreferencesTokenStore.TOKEN'))).toBe('pass')
    expect(verdictOf('android-sharedpref-sensitive', stored('ACCESS_TOKEN'))).toBe('fail')
  })

  test('preferences with the name of the browser are published by Google Play services on purpose', () => {
    const level = (name: string) =>
      judgeOne('android-file-set-readable', {
        classes: [
          {
            name,
            methods: [
              method('static publish()V', (body) => void body.virtual('Ljava/io/File;->setReadable(ZZ)Z', null, 1, 0)),
            ],
          },
        ],
      }).level
    expect(level('Lcom/google/android/gms/common/util/SharedPreferencesUtils;')).toBe('info')
    expect(level(MAIN)).toBe('middle')
  })
})
