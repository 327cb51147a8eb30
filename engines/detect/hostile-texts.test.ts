import { expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, makePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { writeMacho } from '#tests/support/macho-writer.ts'
import { writeXmlPlist } from '#tests/support/plist-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { readPackage } from '../package/read-package.ts'
import { SCAN_CHOICES } from './input/scan-choices.ts'
import { scan } from './scan.ts'

const LENGTH = 16_000
const long = (begin: string, pumped: string, end = '!') =>
  begin + pumped.repeat(Math.floor((LENGTH - begin.length) / pumped.length)) + end

/** Texts that lead patterns with repetitions over the same characters astray: how long they take must not depend on it. */
const HOSTILE = [
  long('https://test', '-'),
  long('https://test', '.-'),
  long('https://', 'a-'),
  long('https://', 'a.'),
  long('http://', 'test-https://dev.'),
  long('', '-----BEGIN RSA PRIVATE KEY----- '),
  long('-----BEGIN PRIVATE KEY-----', 'A'),
  long('', 'eyJ'),
  long('', 'eyJaaaaaaaaaa.'),
  long('jdbc:mysql://', 'a:'),
  long('', 'password = "'),
  long('huaweicloud', 'sk='),
  long('chmod', ' '),
  long('privacy', '隐私'),
  long('which', '\n'),
  long('https://', '%s$', '隐私政策'),
]

const choices = {
  ...SCAN_CHOICES,
  kinds: ['static', 'privacy', 'sdk', 'permissions', 'content'],
} as typeof SCAN_CHOICES

test('[DET-03] texts made to lead patterns astray cost an Android scan no more than others', () => {
  const began = performance.now()
  const made = makePackage({
    classes: [
      {
        name: 'Lorg/maker/app/Main;',
        superclass: 'Landroid/app/Activity;',
        methods: [
          method('work()V', (body) => {
            for (const text of HOSTILE) body.static('Lorg/maker/app/Main;->take(Ljava/lang/String;)V', text)
          }),
        ],
      },
    ],
    files: Object.fromEntries(HOSTILE.map((text, i) => [`assets/${i}.${i % 2 ? 'html' : 'json'}`, text])),
  })
  expect(scan(made, choices).items.length).toBeGreaterThan(100)
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('[DET-03] scripts, a list of plug-ins and a configuration of Cordova made to lead patterns astray neither', () => {
  const size = 400_000
  const pumped = (begin: string, part: string, end = '') => begin + part.repeat(Math.floor(size / part.length)) + end
  const made = (list: string, script: string, plugin: string) =>
    makePackage({
      components: [element('activity', { name: '.Main' })],
      classes: [
        { name: 'Lorg/apache/cordova/CordovaPlugin;' },
        { name: 'Lorg/apache/cordova/CordovaActivity;', methods: [method('init()V')] },
        {
          name: 'Lorg/maker/plugin/Plugin;',
          superclass: 'Lorg/apache/cordova/CordovaPlugin;',
          methods: [
            method('take()V', (body) => {
              body.virtual('Landroid/telephony/TelephonyManager;->getDeviceId()Ljava/lang/String;', null)
              body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
            }),
          ],
        },
      ],
      others: ['INTERNET', 'READ_PHONE_STATE'].map((name) =>
        element('uses-permission', { name: `android.permission.${name}` }),
      ),
      xml: {
        'res/xml/config.xml': element(
          'widget',
          {},
          element(
            'feature',
            { name: 'Phone' },
            element('param', { name: 'android-package', value: 'org.maker.plugin.Plugin' }),
          ),
        ),
      },
      files: {
        'assets/www/cordova_plugins.js': list,
        'assets/www/a.js': script,
        'assets/www/plugins/a/www/a.js': `"Phone";${plugin}`,
      },
    })
  const LIST = 'exports = [{"file": "plugins/a/www/a.js", "id": "a.one", "clobbers": ["phones"]}];'
  const lists = [
    pumped('exports = [', ']', ' '),
    pumped('exports = []', ' '),
    pumped('exports = ', '['),
    pumped('exports = [', '"\\'),
    `exports = [${pumped('', '{"file":"plugins/a/a.js","clobbers":["phones"]},')}{}]`,
    `exports = [${pumped('', '{"file":"plugins/a/a.js","id":"a"},').slice(0, -1)}]`,
  ]
  const scripts = [
    pumped('', '<script '),
    pumped('<script', ' src'),
    pumped('<script src=', ' '),
    pumped('<script src="', '"'),
    pumped('<base href', ' '),
    pumped('', 'location '),
    pumped('location', ' '),
    pumped('location.href =', ' '),
    pumped('createElement(', ' '),
    pumped('', "['a' "),
    pumped('[', ' '),
    pumped('cordova', ' '),
    pumped('', 'navigator '),
    pumped('href=', ' "'),
  ]
  const plugins = [
    pumped('', '('),
    pumped('', '!'),
    pumped('', 'function f(){}'),
    pumped('', 'f();'),
    pumped('a', '.a'),
  ]
  // At the limit of one script, below which it is parsed.
  const small = ['(', '[', 'function f(){}', 'var f=function(){};', 'a.a(', '`${'].map((part) =>
    part.repeat(Math.floor(200_000 / part.length)),
  )
  const all = [
    ...lists.map((list) => made(list, 'go()', 'a')),
    ...scripts.map((script) => made(LIST, script, 'a')),
    ...[...plugins, ...small].map((plugin) => made(LIST, 'go()', plugin)),
  ]
  const began = performance.now()
  const levels = all.map((one) => judgeOne('android-privacy-policy-absent', one).level)
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(levels.length).toBe(all.length)
  expect(judgeOne('android-privacy-policy-absent', made(LIST, 'go()', 'a')).level).toBe('low')
})

test('[DET-03] and a scan of an iOS application neither', () => {
  const began = performance.now()
  const app = 'Payload/App.app/'
  const files = {
    [`${app}Info.plist`]: writeXmlPlist({
      CFBundleIdentifier: 'com.example.app',
      CFBundleExecutable: 'App',
      NSCameraUsageDescription: long('', '需要'),
      Texts: HOSTILE.filter((text) => !/[<&]/.test(text)),
    }),
    [`${app}App`]: writeMacho({ strings: HOSTILE.filter((text) => /^[\x20-\x7e]+$/.test(text)) }),
    ...Object.fromEntries(HOSTILE.map((text, i) => [`${app}${i}.json`, text])),
  }
  const bytes = writeZip(Object.entries(files).map(([name, data]) => ({ name, data })))
  expect(scan(readPackage(bytes, 'App.ipa'), choices).items.length).toBeGreaterThan(50)
  expect(performance.now() - began).toBeLessThan(10_000)
})
