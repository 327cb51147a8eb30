import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

/** A finding is high or middle where a reviewer can defend it by what the package shows; each lower one is beside the dangerous one. */
const MAIN = 'Lorg/maker/app/Main;'
const STRING = 'Ljava/lang/String;'
const levelOf = (id: string, made: MadePackage) => {
  const { verdict, level } = judgeOne(id, made)
  return verdict === 'fail' ? level : verdict
}
const inClass = (name: string, write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [{ name, superclass: 'Ljava/lang/Object;', methods: [method(`work(${STRING})V`, write)] }],
})

describe('[DET-03] levels follow the evidence', () => {
  test('a library opens its own file to others: low; the application: middle', () => {
    const opens = (body: Body) => void body.virtual('Ljava/io/File;->setReadable(ZZ)Z', null, 1, 0)
    const id = 'android-file-set-readable'
    expect(levelOf(id, inClass('Lcom/mixpanel/android/Cache;', opens))).toBe('low')
    expect(levelOf(id, inClass(MAIN, opens))).toBe('middle')
  })

  test('preferences that Play services share are low; those of the application high', () => {
    const opens = (body: Body) =>
      void body.virtual(
        `Landroid/content/Context;->getSharedPreferences(${STRING}I)Landroid/content/SharedPreferences;`,
        null,
        'flags',
        1,
      )
    const id = 'android-world-readable-file'
    const old = { minSdk: 16, targetSdk: 19 }
    expect(levelOf(id, inClass('Lcom/google/android/gms/internal/zzbx;', opens, old))).toBe('low')
    expect(levelOf(id, inClass(MAIN, opens, old))).toBe('high')
  })

  test("a pending intent of a library is middle, the application's own high", () => {
    const makes = (body: Body) => {
      const intent = body.make('Landroid/content/Intent;', `(${STRING})V`, 'org.maker.GO')
      body.static(
        'Landroid/app/PendingIntent;->getBroadcast(Landroid/content/Context;ILandroid/content/Intent;I)Landroid/app/PendingIntent;',
        null,
        0,
        intent,
        0,
      )
    }
    const id = 'android-pending-intent-mutable'
    const old = { minSdk: 16, targetSdk: 19 }
    expect(levelOf(id, inClass('Lcom/mixpanel/android/Push;', makes, old))).toBe('middle')
    expect(levelOf(id, inClass(MAIN, makes, old))).toBe('high')
  })

  test('a private key in classes that a library brings to test with is low; anywhere else it is high', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIICdQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(4)}\n-----END PRIVATE KEY-----`
    const loads = (body: Body) => void body.static(`${MAIN}->use(${STRING})V`, key)
    const id = 'android-secret-private-key'
    expect(levelOf(id, inClass('Lcom/google/api/client/testing/json/TestCertificates;', loads))).toBe('low')
    expect(levelOf(id, inClass('Lcom/google/api/client/json/Certificates;', loads))).toBe('high')
    for (const name of [
      'Lorg/maker/app/testing/Keys;',
      'Lorg/maker/other/testing/Keys;',
      'Lcom/github/maker/testing/Keys;',
    ])
      expect(levelOf(id, inClass(name, loads)), name).toBe('high')
  })

  test('a page gets no camera that the application must not use', () => {
    const id = 'android-webview-permission-grant-all'
    const made = (...names: string[]): MadePackage => ({
      others: names.map((name) => element('uses-permission', { name: `android.permission.${name}` })),
      classes: [
        {
          name: 'Lorg/maker/app/Client;',
          superclass: 'Landroid/webkit/WebChromeClient;',
          methods: [
            method('onPermissionRequest(Landroid/webkit/PermissionRequest;)V', (body) => {
              const asked = body.virtual(
                `Landroid/webkit/PermissionRequest;->getResources()[${STRING}`,
                body.parameter(1),
              )
              body.virtual(`Landroid/webkit/PermissionRequest;->grant([${STRING})V`, body.parameter(1), asked)
            }),
          ],
        },
      ],
    })
    expect(levelOf(id, made('INTERNET'))).toBe('low')
    expect(levelOf(id, made('INTERNET', 'CAMERA'))).toBe('middle')
    expect(levelOf(id, made('INTERNET', 'RECORD_AUDIO'))).toBe('middle')
  })

  test('a helper that hands on the values to bind is low; a statement that somebody else writes is middle', () => {
    const id = 'android-sql-injection-local'
    const RUNS = `Landroid/database/sqlite/SQLiteDatabase;->rawQuery(${STRING}[${STRING})Landroid/database/Cursor;`
    const FIND = `find(${STRING}[${STRING})V`
    interface Given {
      readonly superclass?: string
      readonly typed?: boolean
      /** Another class that asks the helper. */
      readonly caller?: Partial<WrittenDexClass>
      readonly annotations?: string[]
    }
    const made = (
      binds: boolean,
      { superclass = 'Landroid/app/Activity;', typed = false, caller, annotations = [] }: Given = {},
    ): MadePackage => ({
      classes: [
        ...(caller
          ? [
              {
                name: 'Lorg/maker/app/Caller;',
                ...caller,
                methods: [
                  {
                    ...method(`query(${STRING}[${STRING})V`, (body) => {
                      body.virtual(`${MAIN}->${FIND}`, null, body.parameter(1), body.parameter(2))
                    }),
                    annotations,
                  },
                ],
              },
            ]
          : []),
        {
          name: MAIN,
          superclass,
          methods: [
            method(FIND, (body) => {
              const joined = body.virtual(`${STRING}->concat(${STRING})${STRING}`, body.parameter(1), ' limit 1')
              body.virtual(RUNS, null, joined, binds ? body.parameter(2) : null)
            }),
            method('go(Landroid/widget/EditText;)V', (body) => {
              const text = body.virtual(
                'Landroid/widget/EditText;->getText()Landroid/text/Editable;',
                body.parameter(1),
              )
              const given = body.virtual(`Ljava/lang/Object;->toString()${STRING}`, text)
              if (typed) body.virtual(`${MAIN}->${FIND}`, null, given, null)
            }),
            method(`open(${STRING})V`, (body) => {
              body.virtual(`${MAIN}->${FIND}`, null, body.parameter(1), null)
            }),
          ],
        },
      ],
    })
    expect(levelOf(id, made(false))).toBe('middle')
    expect(levelOf(id, made(true))).toBe('low')
    for (const binds of [false, true]) {
      expect(levelOf(id, made(binds, { typed: true }))).toBe('middle')
      const provider = { superclass: 'Landroid/content/ContentProvider;' }
      expect(levelOf(id, made(binds, provider))).toBe('middle')
      expect(levelOf(id, made(binds, { caller: provider }))).toBe('middle')
      expect(levelOf(id, made(binds, { caller: {}, annotations: ['Landroid/webkit/JavascriptInterface;'] }))).toBe(
        'middle',
      )
    }
    expect(levelOf(id, made(true, { caller: {} }))).toBe('low')
  })

  test('a command that only prints is low, also as a list of words; one with a shell is not', () => {
    const id = 'android-runtime-exec'
    const runs = (...words: string[]) =>
      inClass(MAIN, (body) => {
        body.virtual(`Ljava/lang/Runtime;->exec([${STRING})Ljava/lang/Process;`, null, body.texts(...words))
      })
    expect(levelOf(id, runs('logcat', '-d', '-v', 'time'))).toBe('low')
    expect(levelOf(id, runs('su', '-c', 'reboot'))).toBe('middle')
    expect(levelOf(id, runs('pm', 'install', '/sdcard/a.apk'))).toBe('middle')
    for (const words of [
      '/system/xbin/su 0 reboot',
      'su',
      'mount -o remount,rw /system',
      'logcat -f /sdcard/a',
      'sh -c ls',
    ])
      expect(levelOf(id, runs(...words.split(' '))), words).toBe('middle')
    for (const words of ['ps -f', 'cat /proc/cpuinfo', '/system/bin/ls -l /system/bin/su-more'])
      expect(levelOf(id, runs(...words.split(' '))), words).toBe('low')
    for (const words of ['mount', 'which su', '/system/xbin/which su', 'logcat -c'])
      expect(levelOf(id, runs(...words.split(' '))), words).toBe('pass')
  })

  test('a command in one text is judged like one in a list; where its end comes from elsewhere, a log may go into any file', () => {
    const id = 'android-runtime-exec'
    const runs = (command: string) =>
      inClass(MAIN, (body) => {
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, command)
      })
    for (const words of ['su', 'su -c reboot', 'mount -o remount,rw /', 'logcat -d -f /sdcard/a', 'which sh -c su'])
      expect(levelOf(id, runs(words)), words).toBe('middle')
    for (const words of ['logcat -d', 'getprop ro.secure']) expect(levelOf(id, runs(words)), words).toBe('low')
    for (const words of ['which su', 'mount']) expect(levelOf(id, runs(words)), words).toBe('pass')
    const builds = (begin: string) =>
      inClass(MAIN, (body) => {
        const builder = body.make('Ljava/lang/StringBuilder;')
        for (const part of [begin, body.parameter(1)])
          body.virtual(`Ljava/lang/StringBuilder;->append(${STRING})Ljava/lang/StringBuilder;`, builder, part)
        const command = body.virtual(`Ljava/lang/StringBuilder;->toString()${STRING}`, builder)
        body.virtual(`Ljava/lang/Runtime;->exec(${STRING})Ljava/lang/Process;`, null, command)
      })
    expect(levelOf(id, builds('logcat -d '))).toBe('middle')
    expect(levelOf(id, builds('ping -c 1 '))).toBe('low')
  })

  test('a library that listens where its caller says is low where nothing leads there; with a caller it is middle', () => {
    const id = 'android-webview-like-local-server'
    const OPENER = 'Lcom/mixpanel/android/Opener;'
    const FACADE = 'Lcom/mixpanel/android/Server;'
    const made = (facade: boolean, asked: string | null): MadePackage => ({
      classes: [
        {
          name: OPENER,
          methods: [
            method('static open(I)V', (body) => {
              body.make('Ljava/net/ServerSocket;', '(I)V', body.parameter(0))
            }),
          ],
        },
        {
          name: FACADE,
          methods: [
            method(
              'static start(I)V',
              (body) => void (facade && body.static(`${OPENER}->open(I)V`, body.parameter(0))),
            ),
          ],
        },
        { name: MAIN, methods: [method('go()V', (body) => void (asked && body.static(asked, 8080)))] },
      ],
    })
    expect(levelOf(id, made(true, null))).toBe('low')
    expect(levelOf(id, made(false, `${FACADE}->start(I)V`))).toBe('low')
    expect(levelOf(id, made(false, `${OPENER}->open(I)V`))).toBe('middle')
    expect(levelOf(id, made(true, `${FACADE}->start(I)V`))).toBe('middle')
  })

  test('a file on shared storage is private where the method, its caller or a text of theirs says so', () => {
    const id = 'android-external-storage-sensitive'
    const made = (saver: string, caller: string, name: string): MadePackage => ({
      others: [element('uses-permission', { name: 'android.permission.WRITE_EXTERNAL_STORAGE' })],
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method(`${saver}(${STRING})V`, (body) => {
              const folder = body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
              const file = body.make('Ljava/io/File;', `(Ljava/io/File;${STRING})V`, folder, body.parameter(1))
              body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)
            }),
            method(`${caller}()V`, (body) => void body.virtual(`${MAIN}->${saver}(${STRING})V`, null, name)),
          ],
        },
      ],
    })
    expect(levelOf(id, made('save', 'finish', 'levels.txt'))).toBe('low')
    expect(levelOf(id, made('save', 'finish', 'chats.txt'))).toBe('middle')
    expect(levelOf(id, made('save', 'finish', 'notes.db'))).toBe('middle')
    expect(levelOf(id, made('saveContacts', 'finish', 'a.txt'))).toBe('middle')
    expect(levelOf(id, made('save', 'exportMessages', 'a.txt'))).toBe('middle')
  })

  test('a file that the person downloads from a page goes to shared storage on purpose', () => {
    const made = (name: string): MadePackage => ({
      others: [element('uses-permission', { name: 'android.permission.WRITE_EXTERNAL_STORAGE' })],
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          interfaces: ['Landroid/webkit/DownloadListener;'],
          methods: [
            method(`${name}(${STRING})V`, (body) => {
              const folder = body.static('Landroid/os/Environment;->getExternalStorageDirectory()Ljava/io/File;')
              const file = body.make('Ljava/io/File;', `(Ljava/io/File;${STRING})V`, folder, 'notes.db')
              body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)
            }),
          ],
        },
      ],
    })
    const { level, findings } = judgeOne('android-external-storage-sensitive', made('onDownloadStart'))
    expect([level, findings[0]!.detail.en]).toEqual([
      'low',
      'writes to shared external storage what the person downloads from a page',
    ])
    expect(levelOf('android-external-storage-sensitive', made('save'))).toBe('middle')
  })

  describe("a parser of XML that is Android's own is low", () => {
    const id = 'android-xxe'
    const FACTORY = 'Ljavax/xml/parsers/SAXParserFactory;'
    const RESOLVE = `resolveEntity(${STRING}${STRING})Lorg/xml/sax/InputSource;`
    const parses = (factory: (body: Body) => void, more: MadePackage = {}, sets = false): MadePackage => ({
      ...more,
      classes: [
        ...(more.classes ?? []),
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method(`work(Ljava/io/InputStream;${STRING})V`, (body) => {
              factory(body)
              if (sets)
                body.interface('Lorg/xml/sax/XMLReader;->setEntityResolver(Lorg/xml/sax/EntityResolver;)V', null, null)
              body.virtual(
                'Ljavax/xml/parsers/SAXParser;->parse(Ljava/io/InputStream;Lorg/xml/sax/helpers/DefaultHandler;)V',
                null,
                body.parameter(1),
                null,
              )
            }),
          ],
        },
      ],
    })
    const plain = (body: Body) => void body.static(`${FACTORY}->newInstance()${FACTORY}`)
    const resolver = (superclass: string, answer: (body: Body) => Argument): MadePackage => ({
      classes: [
        {
          name: 'Lorg/maker/app/Handler;',
          superclass,
          methods: [method(RESOLVE, (body) => body.result(answer(body)))],
        },
      ],
    })
    const opens = (body: Body) => {
      const address = body.make('Ljava/net/URL;', `(${STRING})V`, body.parameter(2))
      const stream = body.virtual('Ljava/net/URL;->openStream()Ljava/io/InputStream;', address)
      return body.make('Lorg/xml/sax/InputSource;', '(Ljava/io/InputStream;)V', stream)
    }
    const answersNothing = (body: Body) => {
      const reader = body.make('Ljava/io/StringReader;', `(${STRING})V`, '')
      return body.make('Lorg/xml/sax/InputSource;', '(Ljava/io/Reader;)V', reader)
    }

    test.each(['Lorg/xml/sax/helpers/DefaultHandler;', 'Lorg/xml/sax/ext/DefaultHandler2;'])(
      'unless a heir of %s opens what a document names',
      (superclass) => {
        expect(levelOf(id, parses(plain, resolver(superclass, opens)))).toBe('middle')
        const named = (body: Body) => body.make('Lorg/xml/sax/InputSource;', `(${STRING})V`, body.parameter(2))
        expect(levelOf(id, parses(plain, resolver(superclass, named)))).toBe('middle')
        expect(levelOf(id, parses(plain, resolver(superclass, answersNothing)))).toBe('low')
        expect(
          levelOf(
            id,
            parses(
              plain,
              resolver(superclass, () => null),
            ),
          ),
        ).toBe('low')
      },
    )

    test('a resolver protects where none opens what a document names', () => {
      const handler = 'Lorg/xml/sax/helpers/DefaultHandler;'
      expect(levelOf(id, parses(plain, resolver(handler, answersNothing), true))).toBe('pass')
      expect(levelOf(id, parses(plain, resolver(handler, opens), true))).toBe('middle')
    })

    test('unless something names another one', () => {
      const asks = (name: string | null) => (body: Body) =>
        void body.static(
          `${FACTORY}->newInstance(${STRING}Ljava/lang/ClassLoader;)${FACTORY}`,
          name ?? body.parameter(2),
          null,
        )
      expect(levelOf(id, parses(plain))).toBe('low')
      expect(levelOf(id, parses(asks('org.other.Factory')))).toBe('middle')
      expect(levelOf(id, parses(asks(null)))).toBe('middle')
      expect(levelOf(id, parses(asks('org.apache.harmony.xml.parsers.SAXParserFactoryImpl')))).toBe('low')
      const setting = (name: string) =>
        parses((body) => {
          plain(body)
          body.static(`Ljava/lang/System;->setProperty(${STRING}${STRING})${STRING}`, name, 'org.other.Factory')
        })
      expect(levelOf(id, setting('javax.xml.parsers.SAXParserFactory'))).toBe('middle')
      expect(levelOf(id, setting('javax.xml.other'))).toBe('low')
      const file = (name: string) => ({ files: { [`META-INF/services/${name}`]: 'org.other.Factory' } })
      expect(levelOf(id, parses(plain, file('javax.xml.parsers.SAXParserFactory')))).toBe('middle')
      expect(levelOf(id, parses(plain, file('org.other.Factory')))).toBe('low')
    })
  })
})
