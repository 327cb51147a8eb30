import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import type { WrittenElement } from '#tests/support/resource-writer.ts'

/** Findings in Cordova’s code that readers judged wrong, each beside a case that keeps its level. */
const PLUGIN = 'Lorg/apache/cordova/contacts/ContactManager;'
const ENGINE = 'Lorg/apache/cordova/engine/SystemWebViewEngine;'
const STRING = 'Ljava/lang/String;'

const feature = (onload = false): WrittenElement =>
  element(
    'feature',
    { name: 'Contacts' },
    element('param', { name: 'android-package', value: 'org.apache.cordova.contacts.ContactManager' }),
    ...(onload ? [element('param', { name: 'onload', value: 'true' })] : []),
  )
const LIST = `cordova.define('cordova/plugin_list', function(require, exports, module) {
module.exports = [
  { "file": "plugins/cordova-plugin-contacts/www/contacts.js", "id": "contacts.contacts", "clobbers": ["navigator.contacts"] },
  { "file": "plugins/cordova-plugin-contacts/www/Type.js", "id": "contacts.Type", "clobbers": [""] }
];
module.exports.metadata = {}
});`
const PLUGIN_SCRIPT = `cordova.define("contacts.contacts", function(require, exports, module) {
var exec = require('cordova/exec')
module.exports = { search: function(done, failed, fields) { exec(done, failed, 'Contacts', 'search', [fields]) } }
});`
/** The beginning and the end of the script that Cordova puts beside the pages, with one of its modules. */
const CORDOVA_SCRIPT = `// Platform: android
;(function() {
define("cordova/exec", function(require, exports, module) {
var exec = function(done, failed, service, action, args) { prompt(JSON.stringify(args), 'gap:' + window['x']) }
});
require('cordova/init');

})();`

const application = (
  script: string,
  {
    list = LIST,
    plugin = PLUGIN_SCRIPT,
    config = [feature()] as WrittenElement[],
    files = {} as Record<string, string>,
    xml = {} as Record<string, WrittenElement>,
    more = {} as MadePackage,
    classes = [] as readonly WrittenDexClass[],
  } = {},
): MadePackage => ({
  minSdk: 19,
  targetSdk: 28,
  others: ['READ_CONTACTS', 'INTERNET'].map((name) =>
    element('uses-permission', { name: `android.permission.${name}` }),
  ),
  components: [element('activity', { name: '.Main', exported: true })],
  ...more,
  xml: { 'res/xml/config.xml': element('widget', {}, ...config), ...xml },
  files: {
    'assets/www/index.html': '<script src="cordova.js"></script><script src="js/index.js"></script>',
    'assets/www/js/index.js': script,
    'assets/www/cordova_plugins.js': list,
    'assets/www/cordova.js': CORDOVA_SCRIPT,
    'assets/www/plugins/cordova-plugin-contacts/www/contacts.js': plugin,
    ...files,
  },
  classes: [
    ...classes,
    { name: 'Lorg/apache/cordova/CordovaPlugin;', methods: [] },
    {
      name: 'Lorg/apache/cordova/CordovaActivity;',
      superclass: 'Landroid/app/Activity;',
      methods: [method('init()V')],
    },
    {
      name: 'Lorg/maker/app/Start;',
      superclass: 'Lorg/apache/cordova/CordovaActivity;',
      methods: [method('begin()V', (body) => void body.virtual('Lorg/apache/cordova/CordovaActivity;->init()V', null))],
    },
    {
      name: PLUGIN,
      superclass: 'Lorg/apache/cordova/CordovaPlugin;',
      methods: [
        method('<init>()V'),
        method('search()V', (body) => {
          const address = body.field(
            'Landroid/provider/ContactsContract$CommonDataKinds$Phone;->CONTENT_URI:Landroid/net/Uri;',
          )
          body.virtual(
            `Landroid/content/ContentResolver;->query(Landroid/net/Uri;[${STRING}${STRING}[${STRING}${STRING})Landroid/database/Cursor;`,
            null,
            address,
            null,
            null,
            null,
            null,
          )
          const to = body.make('Ljava/net/URL;', `(${STRING})V`, 'http://maker.org/')
          body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', to)
        }),
      ],
    },
  ],
})
const IDS = ['android-privacy-contacts', 'android-privacy-policy-absent'] as const
const levels = (made: MadePackage) =>
  IDS.map((id) => {
    const { verdict, level } = judgeOne(id, made)
    return verdict === 'fail' ? level : verdict
  })

describe('[DET-03] Cordova', () => {
  test('what a plug-in takes is a low finding where no script of the package names its object', () => {
    const idle = application('document.addEventListener("deviceready", start)')
    const { level, findings } = judgeOne('android-privacy-contacts', idle)
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toContain('no script of the package calls this Cordova plug-in')
    expect(findings[0]!.detail.zh).toContain('没有脚本调用')
  })

  const QUIET = 'start()'
  const access = element('access', { origin: '*' })

  test.each([
    'navigator.contacts.find(["*"], send)',
    'var n = navigator; n.contacts.find(["*"], send)',
    'navigator["con" + "tacts"].find(["*"], send)',
    'window["navi" + "gator"]',
    'self[name][other].find()',
    'n["con" + "tacts"].find(["*"], send)',
    'navigator.\\u0063ontacts.find()',
    'Reflect.get(navigator, name)',
    'cordova.exec(send, fail, "Contacts", "search", [["*"]])',
    'document.body.innerHTML = \'<script src="https://maker.org/a.js"></scr\' + "ipt>"',
    'document.createElement(name)',
    'document.body.innerHTML = "<iframe src=a.html>"',
    'import("https://maker.org/a.js")',
    'location.href = "https://maker.org/"',
    'location.href = address',
    'location.replace(address)',
    'setTimeout("go" + part)',
    'new Function(text)()',
    '(0, eval)(text)',
  ])('a script with %s keeps the level', (script) => {
    expect(levels(application(script))).toEqual(['high', 'high'])
  })

  test.each([
    'location.href = "other.html"',
    'location.replace("other.html")',
    'document.createElement("p")',
    'setTimeout(go, 10)',
    'list[i].go()',
  ])('a script with %s calls no plug-in', (script) => {
    expect(levels(application(script))).toEqual(['low', 'low'])
  })

  test.each([
    '<base href="https://maker.org/"><script src="a.js"></script>',
    '<script async src = "//maker.org/a.js"></script>',
    `<script ${'a="b" '.repeat(200)} src=https://maker.org/a.js></script>`,
    '<script src="data:text/javascript,go()"></script>',
    '<frameset><frame src="a.html"></frameset>',
    '<meta http-equiv="refresh" content="0; url=https://maker.org/">',
  ])('a page with %s keeps the level', (page) => {
    const pages = { 'assets/www/other.html': page }
    expect(levels(application(QUIET, { files: pages }))).toEqual(['high', 'high'])
    expect(levels(application(QUIET, { files: { 'assets/www/other.html': '<p>none</p>' } }))).toEqual(['low', 'low'])
  })

  test('scripts count wherever they are among the assets and whatever their names are', () => {
    const calls = 'navigator.contacts.find(["*"], send)'
    for (const name of ['www/a.txt', 'www/a', 'other/a.js', 'www/cordova-contacts.js', 'www/cordova.js'])
      expect(levels(application(QUIET, { files: { [`assets/${name}`]: calls } })), name).toEqual(['high', 'high'])
    // Code that somebody put into Cordova's own script.
    const put = CORDOVA_SCRIPT.replace('require(', `${calls}\nrequire(`)
    expect(levels(application(QUIET, { files: { 'assets/www/cordova.js': put } }))).toEqual(['high', 'high'])
    const defined = CORDOVA_SCRIPT.replace('define("cordova/exec"', 'define("maker/go"')
    expect(levels(application(QUIET, { files: { 'assets/www/cordova.js': defined } }))).toEqual(['high', 'high'])
    expect(levels(application(QUIET, { files: { 'assets/www/a.png': calls } }))).toEqual(['low', 'low'])
  })

  const inModule = (code: string) =>
    PLUGIN_SCRIPT.replace(
      'module.exports',
      `function now() { exec(done, failed, 'Contacts', 'search', []) }\n${code}\nmodule.exports`,
    )

  test.each([
    'channel.onReady.subscribe(now)',
    "exec(done, failed, 'Contacts', 'search', [])",
    "require('cordova/exec')(done, failed, 'Contacts', 'search', [])",
    'now()',
    'new now()',
    '(function () { now() })()',
    '(() => { if (a) { now() } })()',
    'class Search { static found = now() }',
    'var other = require("cordova/exec"); function other() {}\nother(done)',
    'this is no script',
  ])('a plug-in with %s outside of functions keeps the level', (code) => {
    expect(levels(application(QUIET, { plugin: inModule(code) }))).toEqual(['high', 'high'])
  })

  test.each([
    'function later() { now() }',
    'function Search() { this.found = [] }\nmodule.parent = new Search()',
    'Object.defineProperty(a, "search", { get: function () { return now() } })',
    '(function () { a.search = function () { now() } })()',
  ])('a plug-in with %s waits for a call', (code) => {
    expect(levels(application(QUIET, { plugin: inModule(code) }))).toEqual(['low', 'low'])
  })

  test('a plug-in that runs by itself, and a list that cannot be read, keep the level', () => {
    const high = (made: Parameters<typeof application>[1]) =>
      expect(levels(application(QUIET, made)), JSON.stringify(made).slice(0, 200)).toEqual(['high', 'high'])
    high({ config: [feature(true)] })
    high({ list: 'module.exports = [,' })
    high({ list: LIST.replace('metadata', 'push(more); module.exports.metadata') })
    high({ list: LIST.replace('"clobbers": ["navigator.contacts"]', '"runs": true') })
    for (const src of ['https://maker.org/', '//maker.org/', 'content://maker.org/a'])
      high({ config: [feature(), element('content', { src })] })
    const push = element('param', { name: 'android-package', value: 'com.microsoft.cordova.CodePush' })
    high({ config: [feature(), element('feature', { name: 'CodePush' }, push)] })
    const other = element('widget', {}, feature(), element('content', { src: 'https://maker.org/' }))
    high({ xml: { 'res/xml-v21/config.xml': other } })
  })

  test('where a page may reach any server, one with a link to elsewhere keeps the level', () => {
    const linked = { 'assets/www/other.html': '<a href="https://maker.org/">more</a>' }
    expect(levels(application(QUIET, { files: linked }))).toEqual(['low', 'low'])
    expect(levels(application(QUIET, { config: [feature(), access] }))).toEqual(['low', 'low'])
    expect(levels(application(QUIET, { config: [feature(), access], files: linked }))).toEqual(['high', 'high'])
    for (const script of ['window.open(address)', 'link.href = address'])
      expect(levels(application(script, { config: [feature(), access] })), script).toEqual(['high', 'high'])
  })

  test.each([
    ['https://maker.org/', 'high'],
    ['file:///android_asset/www/index.html', 'low'],
    ['file:///sdcard/index.html', 'high'],
    [null, 'high'],
  ])('an application that loads %s', (address, level) => {
    const loads = method(`go(${STRING})V`, (body) => {
      const page = address ?? body.parameter(1)
      body.virtual(`Landroid/webkit/WebView;->loadUrl(${STRING})V`, null, page)
    })
    const main = { name: 'Lorg/maker/app/Main;', superclass: 'Landroid/app/Activity;', methods: [loads] }
    expect(levels(application(QUIET, { classes: [main] }))).toEqual([level, level])
  })

  test('a plug-in that has a component or the application class, or that other code names, is in use', () => {
    const inside = 'org.apache.cordova.contacts'
    const having = (more: MadePackage) => levels(application(QUIET, { more }))
    const part = (name: string) => ({
      components: [element('activity', { name: '.Main' }), element('service', { name })],
    })
    expect(having(part(`${inside}.Sync`))).toEqual(['high', 'high'])
    expect(having(part(`${inside}.background.Sync`))).toEqual(['high', 'high'])
    expect(having({ application: { name: `${inside}.App` } })[0]).toBe('high')
    expect(having({ application: { name: 'org.maker.App' } })[0]).toBe('low')
    const names = (text: string) => ({
      name: 'Lorg/maker/app/Main;',
      methods: [
        method('go()V', (body) => void body.static(`Ljava/lang/Class;->forName(${STRING})Ljava/lang/Class;`, text)),
      ],
    })
    expect(levels(application(QUIET, { classes: [names(`${inside}.ContactManager`)] }))[0]).toBe('high')
    expect(levels(application(QUIET, { classes: [names('org.maker.Other')] }))[0]).toBe('low')
  })

  test('a policy is not needed where quiet scripts can reach no server, and not assessed where they can, or were not read', () => {
    const id = 'android-privacy-policy-absent'
    const verdict = (script: string, config: WrittenElement[] = []) => {
      const more = { others: [element('uses-permission', { name: 'android.permission.INTERNET' })] }
      return judgeOne(id, { ...application(script, { config: [feature(), ...config], more }), ...more }).verdict
    }
    expect(verdict(QUIET)).toBe('not_applicable')
    expect(verdict(QUIET, [access])).toBe('not_assessed')
    expect(verdict('fetch(address)')).toBe('not_assessed')
    expect(verdict('import("https://maker.org/a.js")')).toBe('not_assessed')
  })

  test('a missing policy is a low finding where only plug-ins take something that no script asks', () => {
    const { level, findings } = judgeOne('android-privacy-policy-absent', application(QUIET))
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toMatch(/collects Contacts; no script calls the Cordova plug-ins that take it$/)
    expect(findings[0]!.detail.zh).toMatch(/；包内没有脚本调用这些 Cordova 插件$/)
  })

  test.each([
    ['READ_PHONE_STATE', 'READ_SMS', 'Contacts'],
    ['READ_PHONE_STATE', 'ACCESS_FINE_LOCATION', 'Contacts, location'],
    ['RECORD_AUDIO', 'CAMERA', 'audio, Contacts, photos'],
  ])('of what only code takes, a missing policy names what code takes: %s, %s', (one, other, collected) => {
    const others = ['INTERNET', 'READ_CONTACTS', one, other].map((name) =>
      element('uses-permission', { name: `android.permission.${name}` }),
    )
    const { findings } = judgeOne('android-privacy-policy-absent', {
      ...application('navigator.contacts.find(["*"], send); fetch(address)'),
      others,
    })
    expect(findings[0]!.detail.en.replace(/.*collects /, '').toLowerCase()).toBe(collected.toLowerCase())
  })

  test('the plug-in for the identifier of the device, which runs by itself, is asked for nothing; another one is', () => {
    const made = (name: string): MadePackage => {
      const config = element(
        'feature',
        { name: 'Device' },
        element('param', { name: 'android-package', value: `org.apache.cordova.${name}.Device` }),
      )
      const list = `module.exports = [{ "file": "plugins/a/www/a.js", "id": "a.a", "clobbers": ["appliance"] }];`
      const taken = method('take()V', (body) => {
        body.static(
          `Landroid/provider/Settings$Secure;->getString(Landroid/content/ContentResolver;${STRING})${STRING}`,
          null,
          'android_id',
        )
        body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
      })
      const plugin = {
        name: `Lorg/apache/cordova/${name}/Device;`,
        superclass: 'Lorg/apache/cordova/CordovaPlugin;',
        methods: [taken],
      }
      const files = { 'assets/www/plugins/a/www/a.js': "exec(done, failed, 'Device', 'getDeviceInfo', [])" }
      const { classes = [], ...rest } = application(QUIET, { config: [config], list, files })
      return { ...rest, classes: [...classes.filter((one) => one.name !== PLUGIN), plugin] }
    }
    expect(judgeOne('android-privacy-policy-absent', made('device')).level).toBe('low')
    expect(judgeOne('android-privacy-policy-absent', made('machine')).level).toBe('middle')
  })

  test('file access behind a preference of Cordova counts where its configuration turns it on', () => {
    const opens = (
      config: WrittenElement[] | null,
      classes: readonly WrittenDexClass[] = [],
      more: Record<string, WrittenElement> = {},
    ): MadePackage => ({
      targetSdk: 30,
      components: [element('activity', { name: '.Main', exported: true })],
      ...(config && { xml: { 'res/xml/config.xml': element('widget', {}, ...config), ...more } }),
      classes: [
        ...classes,
        {
          name: 'Lorg/maker/app/Start;',
          methods: [
            method('go()V', (body) => void body.virtual(`${ENGINE}->init(Landroid/webkit/WebSettings;)V`, null, null)),
          ],
        },
        {
          name: ENGINE,
          methods: [
            method('init(Landroid/webkit/WebSettings;)V', (body) => {
              body.virtual(
                `Lorg/apache/cordova/CordovaPreferences;->getBoolean(${STRING}Z)Z`,
                null,
                'AndroidInsecureFileModeEnabled',
                0,
              )
              for (const name of ['setAllowFileAccess', 'setAllowUniversalAccessFromFileURLs'])
                body.virtual(`Landroid/webkit/WebSettings;->${name}(Z)V`, body.parameter(1), 1)
            }),
          ],
        },
      ],
    })
    const both = (made: MadePackage) =>
      ['android-webview-file-access', 'android-webview-universal-file-access'].map((id) => judgeOne(id, made).level)
    const preference = (value: string) => [element('preference', { name: 'androidinsecurefilemodeenabled', value })]
    expect(both(opens([]))).toEqual(['low', 'low'])
    expect(both(opens(preference('false')))).toEqual(['low', 'low'])
    expect(both(opens(preference('true')))).toEqual(['middle', 'high'])
    // No configuration was read.
    expect(both(opens(null))).toEqual(['middle', 'high'])
    // The last one holds.
    expect(both(opens([...preference('false'), ...preference('true')]))).toEqual(['middle', 'high'])
    expect(both(opens([...preference('true'), ...preference('false')]))).toEqual(['low', 'low'])
    // Which of several a device takes is not known.
    const second = { 'res/xml-v21/config.xml': element('widget', {}, ...preference('true')) }
    expect(both(opens([], [], second))).toEqual(['middle', 'high'])
    const sets = (owner: string, name: string | null) => [
      {
        name: owner,
        methods: [
          method(`go(${STRING})V`, (body) => {
            const set = `Lorg/apache/cordova/CordovaPreferences;->set(${STRING}Z)V`
            body.virtual(set, null, name ?? body.parameter(1), 1)
          }),
        ],
      },
    ]
    for (const owner of ['Lorg/maker/app/Main;', 'Lcom/mixpanel/android/Main;', 'Lorg/apache/cordova/contacts/A;']) {
      expect(both(opens([], sets(owner, 'androidinsecurefilemodeenabled'))), owner).toEqual(['middle', 'high'])
      expect(both(opens([], sets(owner, null))), owner).toEqual(['middle', 'high'])
      expect(both(opens([], sets(owner, 'SplashScreen'))), owner).toEqual(['low', 'low'])
    }
    expect(both(opens([], sets('Lorg/apache/cordova/ConfigXmlParser;', null)))).toEqual(['low', 'low'])
  })
})
