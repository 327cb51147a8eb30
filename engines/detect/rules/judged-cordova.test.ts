import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
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
const PLUGIN_SCRIPT = "exec(done, failed, 'Contacts', 'search', [fields])"

const application = (
  script: string,
  { list = LIST, plugin = PLUGIN_SCRIPT, config = [feature()] as WrittenElement[] } = {},
): MadePackage => ({
  minSdk: 19,
  targetSdk: 28,
  others: ['READ_CONTACTS', 'INTERNET'].map((name) =>
    element('uses-permission', { name: `android.permission.${name}` }),
  ),
  components: [element('activity', { name: '.Main', exported: true })],
  xml: { 'res/xml/config.xml': element('widget', {}, ...config) },
  files: {
    'assets/www/index.html': '<script src="cordova.js"></script><script src="js/index.js"></script>',
    'assets/www/js/index.js': script,
    'assets/www/cordova_plugins.js': list,
    'assets/www/plugins/cordova-plugin-contacts/www/contacts.js': plugin,
  },
  classes: [
    { name: 'Lorg/apache/cordova/CordovaPlugin;', methods: [] },
    {
      name: PLUGIN,
      superclass: 'Lorg/apache/cordova/CordovaPlugin;',
      methods: [
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
const levels = (made: MadePackage) => IDS.map((id) => judgeOne(id, made).level)

describe('[DET-03] Cordova', () => {
  test('what a plug-in takes is a low finding where no script of the package names its object', () => {
    const idle = application('document.addEventListener("deviceready", start)')
    const { level, findings } = judgeOne('android-privacy-contacts', idle)
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toContain('no script of the package calls this Cordova plug-in')
    expect(findings[0]!.detail.zh).toContain('没有脚本调用')
  })

  test.each([
    'navigator.contacts.find(["*"], send)',
    'var n = navigator; n.contacts.find(["*"], send)',
    'navigator["con" + "tacts"].find(["*"], send)',
    'cordova.exec(send, fail, "Contacts", "search", [["*"]])',
    'document.body.innerHTML = \'<script src="https://maker.org/a.js"></scr\' + "ipt>"',
    'location.href = "https://maker.org/"',
  ])('a script with %s keeps the level', (script) => {
    expect(levels(application(script))).toEqual(['high', 'high'])
  })

  test('a plug-in that runs by itself, and a list that cannot be read, keep the level', () => {
    expect(levels(application('go()', { config: [feature(true)] }))[0]).toBe('high')
    expect(levels(application('go()', { list: 'module.exports = [,' }))[0]).toBe('high')
    expect(levels(application('go()', { plugin: `${PLUGIN_SCRIPT}; channel.onReady.subscribe(go)` }))[0]).toBe('high')
    const remote = element('content', { src: 'https://maker.org/' })
    expect(levels(application('go()', { config: [feature(), remote] }))[0]).toBe('high')
  })

  test('file access behind a preference of Cordova counts where its configuration turns it on', () => {
    const opens = (config: WrittenElement[] | null): MadePackage => ({
      targetSdk: 30,
      components: [element('activity', { name: '.Main', exported: true })],
      ...(config && { xml: { 'res/xml/config.xml': element('widget', {}, ...config) } }),
      classes: [
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
  })
})
