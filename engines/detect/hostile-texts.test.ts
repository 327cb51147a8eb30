import { expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { makePackage } from '#tests/support/detect-package.ts'
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
