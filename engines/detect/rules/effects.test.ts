import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

/** Defaults of Android with nothing to act on are low findings that say so; each beside the case that keeps its level. */
const MAIN = 'Lorg/maker/app/Main;'
const STRING = 'Ljava/lang/String;'
const made = (write: (body: Body) => void, more: MadePackage = {}): MadePackage => ({
  minSdk: 14,
  targetSdk: 19,
  components: [element('activity', { name: '.Main' })],
  others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
  ...more,
  classes: [
    ...(more.classes ?? []),
    { name: MAIN, superclass: 'Landroid/app/Activity;', methods: [method(`work(${STRING})V`, write)] },
  ],
})
const idle = (body: Body) => void body.static('Landroid/util/Log;->i(Ljava/lang/String;Ljava/lang/String;)I', 'a', 'b')
const calls =
  (reference: string, ...values: Argument[]) =>
  (body: Body) =>
    void body.virtual(reference, null, ...values)
const finding = (id: string, one: MadePackage) => {
  const { verdict, level, findings } = judgeOne(id, one)
  return { level: verdict === 'fail' ? level : verdict, en: findings[0]?.detail.en, zh: findings[0]?.detail.zh }
}
const levelOf = (id: string, one: MadePackage) => finding(id, one).level
const both =
  (...steps: ((body: Body) => void)[]) =>
  (body: Body) => {
    for (const step of steps) step(body)
  }
const opens = (address: string) => (body: Body) => {
  const url = body.make('Ljava/net/URL;', `(${STRING})V`, address)
  body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', url)
}
const scripts = calls('Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V', 1)
const loadUrl = `Landroid/webkit/WebView;->loadUrl(${STRING})V`
const loadHtml = `Landroid/webkit/WebView;->loadDataWithBaseURL(${STRING}${STRING}${STRING}${STRING}${STRING})V`
const setClient = 'Landroid/webkit/WebView;->setWebViewClient(Landroid/webkit/WebViewClient;)V'

describe('[DET-03] defaults of Android', () => {
  test('a backup with what Google’s libraries keep for themselves is low, unless they keep who signed in or what was read', () => {
    const id = 'android-allow-backup'
    const keeps = `Landroid/content/Context;->getSharedPreferences(${STRING}I)Landroid/content/SharedPreferences;`
    const beside = (...names: string[]) =>
      made(idle, { classes: names.map((name) => ({ name, methods: [method('keep()V', calls(keeps, 'a', 0))] })) })
    const measuring = 'Lcom/google/android/gms/measurement/internal/A;'
    expect(finding(id, beside(measuring))).toEqual({
      level: 'low',
      en: 'backup is allowed, and no rule excludes anything; only libraries of Google keep something, identifiers and settings of their own',
      zh: '允许备份且没有排除规则；仅 Google 的库保存其自身的标识与设置',
    })
    for (const more of [
      'Lcom/google/firebase/auth/FirebaseAuth;',
      'Lcom/google/firebase/firestore/A;',
      'Lorg/library/A;',
    ])
      expect(levelOf(id, beside(measuring, more)), more).toBe('middle')
    const signsIn = calls('Lcom/google/android/gms/auth/api/signin/GoogleSignIn;->getClient()V')
    expect(
      levelOf(id, {
        ...beside(measuring),
        ...made(signsIn, {
          classes: beside(measuring, 'Lcom/google/android/gms/auth/api/signin/GoogleSignIn;').classes!.slice(0, 2),
        }),
      }),
    ).toBe('middle')
  })

  test('a backup with files on shared storage alone is low', () => {
    const id = 'android-allow-backup'
    const shared = `Landroid/content/Context;->getExternalFilesDir(${STRING})Ljava/io/File;`
    const asks = calls(shared, null)
    const writes = (body: Body) => void body.make('Ljava/io/FileOutputStream;', '(Ljava/io/File;)V', null)
    for (const one of [asks, both(asks, writes)])
      expect(finding(id, made(one))).toEqual({
        level: 'low',
        en: expect.stringMatching(
          /; own code keeps files only in the folder of the application on shared storage, which/,
        ),
        zh: expect.stringContaining('；自有代码仅在共享存储'),
      })
    expect(levelOf(id, made(writes))).toBe('middle')
    expect(levelOf(id, made(both(asks, calls('Landroid/content/Context;->getFilesDir()Ljava/io/File;'))))).toBe(
      'middle',
    )
  })

  test('a backup of an application that stores nothing is low', () => {
    const id = 'android-allow-backup'
    expect(finding(id, made(idle))).toEqual({
      level: 'low',
      en: 'backup is allowed, and no rule excludes anything; no code that stores data was seen',
      zh: '允许备份且没有排除规则；未见代码保存数据',
    })
    const stores = [
      `Landroid/content/Context;->getSharedPreferences(${STRING}I)Landroid/content/SharedPreferences;`,
      `${MAIN}->getPreferences(I)Landroid/content/SharedPreferences;`,
      `Landroid/content/Context;->openFileOutput(${STRING}I)Ljava/io/FileOutputStream;`,
      `Landroid/database/sqlite/SQLiteDatabase;->execSQL(${STRING})V`,
      'Landroid/content/Context;->getFilesDir()Ljava/io/File;',
      'Lio/realm/Realm;->beginTransaction()V',
      'Landroid/content/SharedPreferences$Editor;->apply()V',
      'Landroid/preference/PreferenceFragment;->addPreferencesFromResource(I)V',
      loadUrl,
    ]
    for (const reference of stores) expect(levelOf(id, made(calls(reference))), reference).toBe('middle')
    // A library's files are in the backup too; those that Android's own libraries can write are not written yet.
    const saves = method('go()V', calls(stores[0]!))
    const library = (name: string): MadePackage => ({ classes: [{ name, methods: [saves] }] })
    expect(levelOf(id, made(idle, library('Lcom/mixpanel/android/Main;')))).toBe('middle')
    expect(levelOf(id, made(idle, library('Landroidx/appcompat/app/AppCompatDelegate;')))).toBe('low')
  })

  test('files that libraries keep in a cache are in no backup, nor is what is written to memory', () => {
    const id = 'android-allow-backup'
    const file = (body: Body) => void body.make('Ljava/io/FileOutputStream;', `(${STRING})V`, body.parameter(1))
    const library = (name: string): MadePackage => ({ classes: [{ name, methods: [method(`go(${STRING})V`, file)] }] })
    for (const name of [
      'Lokio/Okio;',
      'Lokhttp3/internal/io/FileSystem$1;',
      'Lcom/bumptech/glide/disklrucache/DiskLruCache;',
    ])
      expect(levelOf(id, made(idle, library(name))), name).toBe('low')
    expect(levelOf(id, made(idle, library('Lorg/library/Store;')))).toBe('middle')
    expect(levelOf(id, made(file))).toBe('middle')
    // Where the cache lies in the files of the application, its own code says so.
    const dir = calls('Landroid/content/Context;->getFilesDir()Ljava/io/File;')
    expect(levelOf(id, made(dir, library('Lokio/Okio;')))).toBe('middle')
    expect(levelOf(id, made(calls('Lokio/Buffer;->clear()V')))).toBe('low')
    const sink = (body: Body) => void body.static('Lokio/Okio;->sink(Ljava/io/File;)Lokio/Sink;', null)
    expect(levelOf(id, made(sink))).toBe('middle')
    const prints = (signature: string) => (body: Body) => void body.make('Ljava/io/PrintWriter;', signature, null)
    expect(levelOf(id, made(prints('(Ljava/io/Writer;)V')))).toBe('low')
    expect(levelOf(id, made(prints('(Ljava/io/File;)V')))).toBe('middle')
    const preferences = calls(
      `Landroid/content/Context;->getSharedPreferences(${STRING}I)Landroid/content/SharedPreferences;`,
    )
    const keeps = { classes: [{ name: 'Lokhttp3/OkHttpClient;', methods: [method(`go(${STRING})V`, preferences)] }] }
    expect(levelOf(id, made(idle, keeps))).toBe('middle')
  })

  test.each([
    ['a native library', idle, { files: { 'lib/arm64-v8a/liba.so': 'x' } }],
    ['code that is loaded', (body: Body) => void body.make('Ldalvik/system/DexClassLoader;'), {}],
    [
      'calls by reflection',
      calls('Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;'),
      {},
    ],
    ['a damaged dex file', idle, { files: { 'classes2.dex': 'dex\n035\0damaged' } }],
    ['a packer', idle, { files: { 'assets/libjiagu.so': 'x'.repeat(2000), 'lib/armeabi-v7a/libjiagu.so': 'x' } }],
    ['a script engine', idle, { classes: [{ name: 'Lorg/apache/cordova/CordovaPlugin;' }] }],
    ['data that another package shares', idle, { manifest: { sharedUserId: 'org.maker' } }],
  ] as [string, (body: Body) => void, MadePackage][])(
    '%s may do what is not seen: the level stays',
    (_, write, more) => {
      for (const id of ['android-allow-backup', 'android-nsc-user-ca', 'android-cleartext-allowed'])
        expect(levelOf(id, made(write, more)), id).not.toBe('low')
      const page = made(both(write, scripts, calls(loadHtml, null)), more)
      for (const id of ['android-webview-mixed-content', 'android-webview-save-password'])
        expect(levelOf(id, page), id).not.toBe('low')
    },
  )

  test('cleartext that is permitted to code which connects to nothing is low', () => {
    const id = 'android-cleartext-allowed'
    expect(finding(id, made(idle))).toEqual({
      level: 'low',
      en: 'cleartext is permitted by default with target SDK 19; no code that opens a connection was seen',
      zh: 'targetSdk 19 默认允许明文流量；未见代码建立连接',
    })
    const connect = [
      opens('http://maker.org/'),
      calls(loadUrl),
      (body: Body) => void body.make('Ljava/net/Socket;'),
      (body: Body) => void body.static(`${MAIN}->take(${STRING})V`, 'http://maker.org/'),
      calls('Lcom/android/volley/RequestQueue;->start()V'),
      calls('Landroid/app/DownloadManager;->enqueue(Landroid/app/DownloadManager$Request;)J'),
      calls(`Landroid/media/MediaPlayer;->setDataSource(${STRING})V`),
    ]
    for (const [n, one] of connect.entries()) expect(levelOf(id, made(one)), String(n)).toBe('middle')
    // What somebody wrote down on purpose keeps its level.
    expect(levelOf(id, made(idle, { application: { usesCleartextTraffic: true } }))).toBe('middle')
  })

  test('addresses in annotations, as Retrofit has them, are addresses of servers', () => {
    const GET = 'Lretrofit2/http/GET;'
    const asks = (address: string) =>
      made(calls('Lretrofit2/Retrofit;->create()V'), {
        classes: [
          {
            name: 'Lorg/maker/app/Api;',
            methods: [{ name: 'list()Lretrofit2/Call;', flags: 0x401, annotations: [`${GET} ${address}`] }],
          },
        ],
      })
    const id = 'android-cleartext-allowed'
    expect(levelOf(id, asks('list/all'))).toBe('middle')
    expect(levelOf(id, asks('https://maker.org/list'))).toBe('low')
    expect(levelOf(id, asks('http://maker.org/list'))).toBe('middle')
    const beside = asks('http://maker.org/list')
    expect(levelOf(id, made(opens('https://maker.org/'), { classes: beside.classes!.slice(0, 1) }))).toBe('middle')
  })

  test('cleartext that is permitted by default is low where every server is named by TLS', () => {
    const id = 'android-cleartext-allowed'
    expect(finding(id, made(opens('https://maker.org/')))).toEqual({
      level: 'low',
      en: 'cleartext is permitted by default with target SDK 19; every address of a server in the package is one by TLS',
      zh: 'targetSdk 19 默认允许明文流量；包内服务器地址均使用 TLS',
    })
    const beside = (write: (body: Body) => void, more: MadePackage = {}) =>
      levelOf(id, made(both(opens('https://maker.org/'), write), more))
    const names = (value: string) => (body: Body) => void body.static(`${MAIN}->take(${STRING})V`, value)
    // Names of vocabularies and the device itself are no servers.
    for (const value of [
      'http://schemas.android.com/apk/res/android',
      'http://www.w3.org/1999/xhtml',
      'http://localhost:8080/',
    ])
      expect(beside(names(value)), value).toBe('low')
    for (const value of [
      'http://maker.org/',
      'see http://maker.org/a for more',
      'http',
      'http://',
      '://maker.org',
      'ws://maker.org',
      'http://10.0.2.2/',
      'http://schemas.android.com.maker.org/',
    ])
      expect(beside(names(value)), value).toBe('middle')
    expect(beside(idle, { files: { 'assets/a.json': '{"to":"http:\\/\\/maker.org"}, "https://maker.org"' } })).toBe(
      'middle',
    )
    expect(beside(idle, { files: { 'assets/a.html': '<script src="http://maker.org/a.js">' } })).toBe('middle')
    expect(beside((body) => void body.make('Ljava/net/Socket;'))).toBe('middle')
    expect(beside(calls('Lorg/maker/app/Native;->a()V'), { files: { 'lib/arm64-v8a/liba.so': 'x' } })).toBe('middle')
    const opensLinks = element(
      'activity',
      { name: '.Main' },
      element(
        'intent-filter',
        {},
        element('action', { name: 'android.intent.action.VIEW' }),
        element('data', { scheme: 'http' }),
      ),
    )
    expect(beside(idle, { components: [opensLinks] })).toBe('middle')
    // An address that comes from elsewhere, and a page that is no server of the application.
    const open = (body: Body) => void body.make('Ljava/net/URL;', `(${STRING})V`, body.parameter(1))
    expect(levelOf(id, made(open))).toBe('middle')
    expect(levelOf(id, made(both(open, names('https://developer.android.com/a'))))).toBe('middle')
    // Written down on purpose.
    expect(beside(idle, { application: { usesCleartextTraffic: true } })).toBe('middle')
  })

  test('cleartext that an SDK uses for its own servers is cleartext', () => {
    const id = 'android-cleartext-allowed'
    const sdk = (address: string): MadePackage => ({
      classes: [{ name: 'Lcom/mixpanel/android/mpmetrics/MixpanelAPI;', methods: [method('go()V', opens(address))] }],
    })
    const uses = both(
      opens('https://maker.org/'),
      (body: Body) => void body.virtual('Lcom/mixpanel/android/mpmetrics/MixpanelAPI;->go()V', null),
    )
    expect(levelOf(id, made(uses, sdk('http://api.mixpanel.com/track')))).toBe('middle')
    expect(levelOf(id, made(uses, sdk('https://api.mixpanel.com/track')))).toBe('low')
  })

  test('certificates of users are low where all addresses are without TLS, though a library could speak it', () => {
    const id = 'android-nsc-user-ca'
    const speaks = {
      classes: [
        {
          name: 'Lorg/apache/commons/net/ftp/FTPSClient;',
          methods: [
            method('go()V', (body) => {
              body.static('Ljavax/net/ssl/SSLSocketFactory;->getDefault()Ljavax/net/SocketFactory;')
              body.static('Lorg/apache/commons/net/Log;->log(Ljava/lang/String;)V', 'Only http & https are supported')
            }),
          ],
        },
      ],
    }
    expect(finding(id, made(opens('http://maker.org/'), speaks))).toEqual({
      level: 'low',
      en: 'user certificates are trusted by default with target SDK 19; no code that connects by TLS was seen',
      zh: 'targetSdk 19 默认信任用户证书；未见代码建立 TLS 连接',
    })
    expect(levelOf(id, made(opens('https://maker.org/'), speaks))).toBe('middle')
    // Addresses come from elsewhere.
    expect(levelOf(id, made(idle, speaks))).toBe('middle')
    expect(levelOf(id, made(both(opens('http://maker.org/'), calls(loadUrl, 'http://maker.org/a')), speaks))).toBe(
      'low',
    )
    const typed = (body: Body) => void body.virtual(loadUrl, null, body.parameter(1))
    expect(levelOf(id, made(both(opens('http://maker.org/'), typed), speaks))).toBe('middle')
    const server = (address: string) => ({
      classes: [{ name: 'Lcom/mixpanel/android/Main;', methods: [method('go()V', opens(address))] }],
    })
    expect(levelOf(id, made(opens('http://maker.org/'), server('https://api.mixpanel.com/track')))).toBe('middle')
    expect(levelOf(id, made(opens('http://maker.org/'), server('https://github.com/mixpanel/docs')))).toBe('low')
    expect(
      levelOf(id, made(opens('http://maker.org/'), { files: { 'assets/a.json': '{"to":"https://a.org"}' } })),
    ).toBe('middle')
  })

  test('mixed content matters in pages by https', () => {
    const id = 'android-webview-mixed-content'
    const shows = (...steps: ((body: Body) => void)[]) => levelOf(id, made(both(scripts, ...steps)))
    expect(finding(id, made(both(scripts, calls(loadHtml, 'http://maker.org/'))))).toEqual({
      level: 'low',
      en: 'mixed content is allowed by default below target SDK 21; no web view that opens a page by https was seen',
      zh: 'targetSdk 低于 21，默认允许混合内容；未见网页视图打开 https 页面',
    })
    expect(shows(calls(loadHtml, null))).toBe('low')
    expect(shows(calls(loadUrl, 'file:///android_asset/a.html'))).toBe('low')
    expect(shows(calls(loadUrl, 'https://maker.org/'))).toBe('middle')
    expect(shows(calls(loadHtml, 'https://maker.org/'))).toBe('middle')
    expect(shows((body) => void body.virtual(loadUrl, null, body.parameter(1)))).toBe('middle')
    // A client keeps links in the web view.
    expect(shows(calls(loadHtml, 'http://maker.org/'), calls(setClient))).toBe('middle')
  })

  test('passwords are not typed where a web view shows what code gives it', () => {
    const id = 'android-webview-save-password'
    const shows = (...steps: ((body: Body) => void)[]) => levelOf(id, made(both(scripts, ...steps)))
    expect(finding(id, made(both(scripts, calls(loadHtml, null))))).toEqual({
      level: 'low',
      en: 'saving passwords is on by default below Android 18; the web view only shows content that code gives it',
      zh: 'minSdk 低于 18 且未关闭保存密码；该网页视图只显示应用给出的内容',
    })
    expect(shows(calls(loadUrl, 'https://maker.org/login'))).toBe('middle')
    expect(shows(calls(loadHtml, null), calls(loadUrl, 'https://maker.org/'))).toBe('middle')
    expect(shows(calls(loadHtml, null), calls(setClient))).toBe('middle')
    expect(shows(idle)).toBe('middle')
    // Turned on in so many words.
    const on = calls('Landroid/webkit/WebSettings;->setSavePassword(Z)V', 1)
    expect(shows(calls(loadHtml, null), on)).toBe('middle')
  })
})
