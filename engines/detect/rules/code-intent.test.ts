import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexMethod } from '#tests/support/dex-writer.ts'
import { type ItemCase, judgeOne } from '#tests/support/judge-item.ts'

const MAIN = 'Lorg/maker/app/Main;'
const made = (name: string, superclass: string, ...methods: WrittenDexMethod[]) => ({ name, superclass, methods })
const activity = (exported: boolean, ...filters: ReturnType<typeof element>[]) => ({
  components: [element('activity', { name: '.Main', exported }, ...filters)],
})
const code = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  ...more,
  classes: [made(MAIN, 'Landroid/app/Activity;', method('onCreate(Landroid/os/Bundle;)V', write))],
})
const open = (write: (body: Body) => void) => code(write, activity(true))
const nothing = open(() => {})
const provider = (exported: boolean, name: string, write: (body: Body) => void): MadePackage => ({
  components: [element('provider', { name: '.Data', authorities: 'a', exported })],
  classes: [made('Lorg/maker/app/Data;', 'Landroid/content/ContentProvider;', method(name, write))],
})
const INTENT = 'Landroid/content/Intent;'
const start = (body: Body, intent: Argument) =>
  body.virtual(`${MAIN}->startActivity(${INTENT})V`, body.parameter(0), intent)
const own = (body: Body) => body.virtual(`${MAIN}->getIntent()${INTENT}`, body.parameter(0))
const send = (body: Body, intent: Argument) =>
  body.virtual(`${MAIN}->sendBroadcast(${INTENT})V`, body.parameter(0), intent)
const extra = (body: Body, intent: Argument, key: string) =>
  body.virtual(`${INTENT}->putExtra(Ljava/lang/String;Ljava/lang/String;)${INTENT}`, intent, key, 'v')
const openFile = (checks: boolean) =>
  provider(true, 'openFile(Landroid/net/Uri;Ljava/lang/String;)V', (body) => {
    const name = body.virtual('Landroid/net/Uri;->getLastPathSegment()Ljava/lang/String;', body.parameter(1))
    const file = body.make('Ljava/io/File;', '(Ljava/io/File;Ljava/lang/String;)V', null, name)
    if (checks) body.virtual('Ljava/io/File;->getCanonicalPath()Ljava/lang/String;', file)
    body.static('Landroid/os/ParcelFileDescriptor;->open(Ljava/io/File;I)Landroid/os/ParcelFileDescriptor;', file, 1)
  })
const query = (exported: boolean) =>
  provider(
    exported,
    'query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;)V',
    (body) =>
      void body.virtual(
        'Landroid/database/sqlite/SQLiteDatabase;->rawQuery(Ljava/lang/String;[Ljava/lang/String;)Landroid/database/Cursor;',
        null,
        body.parameter(3),
        null,
      ),
  )
const scheme = (name: string) =>
  activity(
    true,
    element(
      'intent-filter',
      {},
      element('category', { name: 'android.intent.category.BROWSABLE' }),
      element('data', { scheme: name }),
    ),
  )
const receiver = (body: Body, action: string) => {
  const filter = body.make('Landroid/content/IntentFilter;', '(Ljava/lang/String;)V', action)
  body.virtual(
    `${MAIN}->registerReceiver(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;)${INTENT}`,
    body.parameter(0),
    body.make('Lorg/maker/app/R;'),
    filter,
  )
}
const pending = (body: Body, flags: number) => {
  const intent = body.make(INTENT, '(Ljava/lang/String;)V', 'org.maker.GO')
  body.static(
    `Landroid/app/PendingIntent;->getActivity(Landroid/content/Context;I${INTENT}I)Landroid/app/PendingIntent;`,
    body.parameter(0),
    0,
    intent,
    flags,
  )
}
const parse = (body: Body) => body.static(`${INTENT}->parseUri(Ljava/lang/String;I)${INTENT}`, 'intent:', 0)
const parcel = (body: Body) =>
  body.virtual(`${INTENT}->getParcelableExtra(Ljava/lang/String;)Landroid/os/Parcelable;`, own(body), 'next')
const fragments = (targetSdk: number, value: number): MadePackage => ({
  targetSdk,
  ...activity(true),
  classes: [
    made(
      MAIN,
      'Landroid/preference/PreferenceActivity;',
      method('isValidFragment(Ljava/lang/String;)Z', (body) => body.result(value, 'Z')),
    ),
  ],
})

const COMPONENT: Record<string, ItemCase> = {
  'android-provider-path-traversal': { fails: openFile(false), passes: openFile(true) },
  'android-provider-sql-injection': { fails: query(true), passes: query(false) },
  'android-deeplink-custom-scheme': {
    fails: code(() => {}, scheme('maker')),
    passes: code(() => {}, scheme('wx0123456789abcdef')),
  },
  'android-intent-scheme-url': {
    fails: open((body) => void start(body, parse(body))),
    passes: open((body) => {
      const intent = parse(body)
      body.virtual(`${INTENT}->addCategory(Ljava/lang/String;)${INTENT}`, intent, 'android.intent.category.BROWSABLE')
      body.virtual(`${INTENT}->setComponent(Landroid/content/ComponentName;)${INTENT}`, intent, null)
      body.virtual(`${INTENT}->setSelector(${INTENT})V`, intent, null)
      start(body, intent)
    }),
  },
  'android-implicit-intent-sensitive': {
    fails: open((body) => {
      const intent = body.make(INTENT, '(Ljava/lang/String;)V', 'org.maker.GO')
      extra(body, intent, 'password')
      start(body, intent)
    }),
    passes: open((body) => {
      const intent = body.make(INTENT, '(Ljava/lang/String;)V', 'org.maker.GO')
      extra(body, intent, 'password')
      body.virtual(`${INTENT}->setPackage(Ljava/lang/String;)${INTENT}`, intent, 'org.maker.app')
      start(body, intent)
    }),
  },
  'android-sticky-broadcast': {
    fails: open((body) => void body.virtual(`${MAIN}->sendStickyBroadcast(${INTENT})V`, body.parameter(0), null)),
    passes: nothing,
  },
  'android-dynamic-receiver-exported': {
    fails: open((body) => receiver(body, 'org.maker.GO')),
    passes: open((body) => receiver(body, 'android.net.conn.CONNECTIVITY_CHANGE')),
  },
  'android-ordered-broadcast-leak': {
    fails: open((body) => {
      const intent = body.make(INTENT, '(Ljava/lang/String;)V', 'org.maker.GO')
      extra(body, intent, 'a')
      send(body, intent)
    }),
    passes: open((body) => void send(body, body.make(INTENT, '(Ljava/lang/String;)V', 'org.maker.GO'))),
  },
  'android-pending-intent-mutable': {
    fails: open((body) => pending(body, 0x02000000)),
    passes: open((body) => pending(body, 0x04000000)),
  },
  'android-fragment-injection': { fails: fragments(28, 1), passes: fragments(28, 0) },
  'android-intent-redirection': {
    fails: open((body) => void start(body, parcel(body))),
    passes: code((body) => void start(body, parcel(body)), activity(false)),
  },
  'android-component-local-dos': {
    fails: open(
      (body) =>
        void body.virtual(`${INTENT}->getSerializableExtra(Ljava/lang/String;)Ljava/io/Serializable;`, own(body), 'a'),
    ),
    passes: code(
      (body) =>
        void body.virtual(`${INTENT}->getSerializableExtra(Ljava/lang/String;)Ljava/io/Serializable;`, own(body), 'a'),
      activity(false),
    ),
  },
  'android-set-result-leak': {
    fails: open((body) => void body.virtual(`${MAIN}->setResult(I${INTENT})V`, body.parameter(0), -1, own(body))),
    passes: open(
      (body) => void body.virtual(`${MAIN}->setResult(I${INTENT})V`, body.parameter(0), -1, body.make(INTENT)),
    ),
  },
}

const call = (reference: string, ...values: Argument[]) => open((body) => void body.virtual(reference, null, ...values))
const files = (body: Body) => body.virtual('Landroid/content/Context;->getFilesDir()Ljava/io/File;', null)
const exec = (body: Body, command: Argument) =>
  body.virtual('Ljava/lang/Runtime;->exec(Ljava/lang/String;)Ljava/lang/Process;', null, command)
const unzip = (checks: boolean) =>
  open((body) => {
    const name = body.virtual('Ljava/util/zip/ZipEntry;->getName()Ljava/lang/String;', null)
    const file = body.make('Ljava/io/File;', '(Ljava/io/File;Ljava/lang/String;)V', null, name)
    if (checks) body.virtual('Ljava/io/File;->getCanonicalPath()Ljava/lang/String;', file)
    body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', file)
  })
const download = (checks: boolean) =>
  open((body) => {
    body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
    body.make('Ldalvik/system/DexClassLoader;', '(Ljava/lang/String;)V', null)
    if (checks) body.virtual('Ljava/security/MessageDigest;->digest()[B', null)
  })
const xml = (safe: boolean) =>
  open((body) => {
    const factory = body.static(
      'Ljavax/xml/parsers/DocumentBuilderFactory;->newInstance()Ljavax/xml/parsers/DocumentBuilderFactory;',
    )
    if (safe)
      body.virtual(
        'Ljavax/xml/parsers/DocumentBuilderFactory;->setFeature(Ljava/lang/String;Z)V',
        factory,
        'disallow-doctype-decl',
        1,
      )
    body.virtual('Ljavax/xml/parsers/DocumentBuilder;->parse(Ljava/io/InputStream;)Lorg/w3c/dom/Document;', null, null)
  })
const policy = (detects: boolean) =>
  open((body) => {
    const builder = body.make('Landroid/os/StrictMode$VmPolicy$Builder;')
    if (detects)
      body.virtual(
        'Landroid/os/StrictMode$VmPolicy$Builder;->detectFileUriExposure()Landroid/os/StrictMode$VmPolicy$Builder;',
        builder,
      )
    const built = body.virtual(
      'Landroid/os/StrictMode$VmPolicy$Builder;->build()Landroid/os/StrictMode$VmPolicy;',
      builder,
    )
    body.static('Landroid/os/StrictMode;->setVmPolicy(Landroid/os/StrictMode$VmPolicy;)V', built)
  })
const tool = (name: string): MadePackage => ({
  classes: [
    made(name, 'Ljava/lang/Object;', method('run()V')),
    made(
      MAIN,
      'Ljava/lang/Object;',
      method('run()V', (body) => void body.make(name)),
    ),
  ],
})
const located =
  'Landroid/location/LocationManager;->requestLocationUpdates(Ljava/lang/String;JFLandroid/location/LocationListener;)V'

const CODE: Record<string, ItemCase> = {
  'android-dynamic-dex-loading': {
    fails: open((body) => void body.make('Ldalvik/system/DexClassLoader;', '(Ljava/lang/String;)V', null)),
    passes: nothing,
  },
  'android-native-load-path': {
    fails: open(
      (body) =>
        void body.static(
          'Ljava/lang/System;->load(Ljava/lang/String;)V',
          body.virtual('Ljava/io/File;->getPath()Ljava/lang/String;', files(body)),
        ),
    ),
    passes: open((body) => void body.static('Ljava/lang/System;->loadLibrary(Ljava/lang/String;)V', 'native')),
  },
  'android-runtime-exec': { fails: open((body) => void exec(body, 'rm -r /')), passes: nothing },
  'android-unzip-path-traversal': { fails: unzip(false), passes: unzip(true) },
  'android-zip-resource-remote': { fails: download(false), passes: download(true) },
  'android-unsafe-deserialization': {
    fails: call('Ljava/io/ObjectInputStream;->readObject()Ljava/lang/Object;'),
    passes: nothing,
  },
  'android-fastjson-autotype': {
    fails: call('Lcom/alibaba/fastjson/parser/ParserConfig;->setAutoTypeSupport(Z)V', 1),
    passes: {
      classes: [
        {
          ...made('Lcom/alibaba/fastjson/JSON;', 'Ljava/lang/Object;'),
          staticFields: [{ name: 'VERSION:Ljava/lang/String;', value: '1.2.83' }],
        },
      ],
    },
  },
  'android-xxe': { fails: xml(false), passes: xml(true) },
  'android-reflection-hidden-api': {
    fails: open(
      (body) =>
        void body.static(
          'Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;',
          'android.os.SystemProperties',
        ),
    ),
    passes: open(
      (body) =>
        void body.static('Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;', 'org.maker.app.Main'),
    ),
  },
  'android-strictmode-debug': {
    fails: open((body) => {
      body.virtual('Landroid/os/StrictMode$ThreadPolicy$Builder;->detectAll()V', null)
      body.virtual('Landroid/os/StrictMode$ThreadPolicy$Builder;->penaltyLog()V', null)
      body.static('Landroid/os/StrictMode;->setThreadPolicy(Landroid/os/StrictMode$ThreadPolicy;)V', null)
    }),
    passes: policy(false),
  },
  'android-file-uri-exposure': { fails: policy(false), passes: policy(true) },
  'android-test-url-residue': {
    fails: open((body) => void exec(body, 'https://api-test.maker.org/v1')),
    passes: open((body) => void exec(body, 'http://10.0.2.2/latest')),
  },
  'android-test-tools-bundled': { fails: tool('Lcom/facebook/stetho/Stetho;'), passes: nothing },
  'android-mock-location-check-absent': {
    fails: call(located, 'gps', 0, 0, null),
    passes: open((body) => {
      body.virtual(located, null, 'gps', 0, 0, null)
      body.virtual('Landroid/location/Location;->isFromMockProvider()Z', null)
    }),
    choices: { applicationTypes: ['online_car_hailing'] },
  },
}

describe('items about intents and code (DET-03)', () => {
  test.each(Object.entries({ ...COMPONENT, ...CODE }))(
    '%s fails on its failing example and passes on its passing one',
    (id, { fails, passes, choices }) => {
      expect(judgeOne(id, fails, choices)).toMatchObject({ verdict: 'fail' })
      expect(judgeOne(id, passes, choices).verdict).toBe('pass')
    },
  )

  test('a constant harmless command counts little, one from outside counts most', () => {
    expect(
      judgeOne(
        'android-runtime-exec',
        open((body) => void exec(body, 'getprop ro.build.id')),
      ).level,
    ).toBe('low')
    const outside = open(
      (body) =>
        void exec(
          body,
          body.virtual(`${INTENT}->getStringExtra(Ljava/lang/String;)Ljava/lang/String;`, own(body), 'c'),
        ),
    )
    expect(judgeOne('android-runtime-exec', outside).level).toBe('high')
  })

  test('what a called method gives and what a caller hands over is followed', () => {
    const chain: MadePackage = {
      ...activity(true),
      classes: [
        made(
          MAIN,
          'Landroid/app/Activity;',
          method('onCreate(Landroid/os/Bundle;)V', (body) => {
            const url = body.virtual(`${MAIN}->address()Ljava/lang/String;`, body.parameter(0))
            body.virtual(`${MAIN}->show(Ljava/lang/String;)V`, body.parameter(0), url)
          }),
          method('address()Ljava/lang/String;', (body) =>
            body.result(
              body.virtual(`${INTENT}->getStringExtra(Ljava/lang/String;)Ljava/lang/String;`, own(body), 'u'),
            ),
          ),
          method(
            'show(Ljava/lang/String;)V',
            (body) =>
              void body.virtual('Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V', null, body.parameter(1)),
          ),
        ),
      ],
    }
    expect(judgeOne('android-webview-url-from-intent', chain).verdict).toBe('fail')
  })
})
