import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, type MadePackage, makePackage } from '#tests/support/detect-package.ts'
import { SDK_SIGNATURES } from '../catalogue/sdk-signatures.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'
import { findIosSdks } from './ios-sdks.ts'
import { claimsOf, sdkOfClass } from './package-trie.ts'

const OWN = 'Lorg/maker/app/Main;'
const reading = (made: MadePackage) => scan(makePackage(made), { ...SCAN_CHOICES, kinds: ['sdk'] })
const sdksOf = (made: MadePackage) => new Map(reading(made).sdks.map((one) => [one.id, one]))

describe('[DET-04] SDKs', () => {
  test('a package is claimed at its boundaries, the longest prefix winning', () => {
    expect(sdkOfClass('Lcom/igexin/sdk/PushService;')?.id).toBe('getui')
    expect(sdkOfClass('Lcom/getui/gs/Counter;')?.id).toBe('getui-gs')
    expect(sdkOfClass('Lcom/getui/Other;')?.id).toBe('getui')
    expect(sdkOfClass('Lcom/igexins/Push;')).toBeNull()
    expect(sdkOfClass('Lcom/mob/MobSDK$1;')?.id).toBe('mobcommon')
    expect(sdkOfClass('La;')).toBeNull()
  })

  test('every prefix of the data claims its own classes', () => {
    for (const { id, packages } of SDK_SIGNATURES)
      for (const prefix of packages) {
        const name = prefix.endsWith('*')
          ? `${prefix.slice(0, -1)}0/A`
          : prefix.endsWith('.')
            ? `${prefix.replaceAll('.', '/')}A`
            : prefix.replaceAll('.', '/')
        expect(
          claimsOf(`L${name};`).map(({ signature }) => signature.id),
          prefix,
        ).toContain(id)
      }
  })

  test('whatever a class is called, it is answered', () => {
    fc.assert(fc.property(fc.string(), (name) => void claimsOf(name)))
    fc.assert(fc.property(fc.string(), (name) => void claimsOf(`L${name};`)))
  })

  test('a library whose classes lost their names is shown by two of its texts, or one with its version', () => {
    const log = 'La/B;->log(Ljava/lang/String;)V'
    const loading = (name: string, ...texts: string[]) => ({
      name,
      methods: [method('a()V', (body) => texts.forEach((one) => void body.static(log, one)))],
    })
    const agent = loading('Lc/d;', 'okhttp/3.9.0')
    const { sdks, dependencies } = reading({
      classes: [loading(OWN), agent, loading('Le/f;', 'JobProxy21', 'JobProxy24')],
    })
    expect(sdks.map(({ id, version }) => [id, version])).toEqual([
      ['okhttp', '3.9.0'],
      ['evernote-job', null],
    ])
    expect(dependencies).toMatchObject([
      { purl: 'pkg:maven/com.squareup.okhttp3/okhttp@3.9.0', vulnerabilities: ['CVE-2021-0341'] },
    ])
    // One text, or texts that own code copied, show nothing.
    const copied = loading('Lorg/maker/app/Jobs;', 'JobProxy21', 'JobProxy24')
    expect([...sdksOf({ classes: [loading(OWN), loading('Le/f;', 'JobProxy21'), copied] }).keys()]).toEqual([])
  })

  test('present is distinguished from called: own code or a component must reach it', () => {
    const gson = { name: 'Lcom/google/gson/Gson;', methods: [method('static a()V')] }
    const glide = { name: 'Lcom/bumptech/glide/Glide;', methods: [method('static with()V')] }
    const own = {
      name: OWN,
      methods: [method('static go()V', (body) => body.static('Lcom/bumptech/glide/Glide;->with()V'))],
    }
    const found = sdksOf({ classes: [gson, glide, own] })
    expect(found.get('gson')).toMatchObject({ state: 'present', confidence: 'high' })
    expect(found.get('glide')).toMatchObject({
      state: 'called',
      evidence: [{ entry: 'classes.dex', class: 'com.bumptech.glide.Glide' }],
    })
    const started = sdksOf({
      classes: [{ name: 'Lcom/igexin/sdk/PushService;' }, { name: OWN }],
      components: [element('service', { name: 'com.igexin.sdk.PushService', exported: false })],
    })
    expect(started.get('getui')).toMatchObject({ state: 'called', personalInfo: expect.arrayContaining(['device_id']) })
  })

  test('versions come from version files, constants and what a library calls itself', () => {
    const found = sdksOf({
      classes: [
        {
          name: 'Lcom/google/gson/internal/GsonBuildConfig;',
          staticFields: [{ name: 'VERSION:Ljava/lang/String;', value: '2.10.1' }],
        },
        { name: 'Lcom/google/firebase/messaging/Fcm;' },
        {
          name: 'Lokhttp3/internal/Util;',
          methods: [method('static a()V', (body) => body.static('La/B;->c(Ljava/lang/String;)V', 'okhttp/4.9.3'))],
        },
        { name: OWN },
      ],
      files: { 'firebase-messaging.properties': 'version=23.0.6\nclient=firebase-messaging\n' },
    })
    expect(found.get('gson')?.version).toBe('2.10.1')
    expect(found.get('fcm')?.version).toBe('23.0.6')
    expect(found.get('okhttp')?.version).toBe('4.9.3')
  })

  test('the BuildConfig of a library gives its version, with the class as evidence in the bill of materials', () => {
    const made = {
      classes: [
        { name: 'Lcom/bumptech/glide/Glide;' },
        {
          name: 'Lcom/bumptech/glide/BuildConfig;',
          staticFields: [
            { name: 'DEBUG:Z', value: null },
            { name: 'VERSION_CODE:I', value: 416 },
            { name: 'VERSION_NAME:Ljava/lang/String;', value: '4.16.0' },
          ],
        },
        // The application's own version is not that of a library.
        {
          name: 'Lorg/maker/app/BuildConfig;',
          staticFields: [{ name: 'VERSION_NAME:Ljava/lang/String;', value: '9.9.9' }],
        },
        { name: OWN },
      ],
    }
    expect(sdksOf(made).get('glide')).toMatchObject({
      version: '4.16.0',
      evidence: [{ entry: 'classes.dex', class: 'com.bumptech.glide.BuildConfig' }, expect.anything()],
    })
    const { dependencies } = scan(makePackage(made), SCAN_CHOICES)
    expect(dependencies.map(({ version }) => version)).toEqual(['4.16.0'])
    expect(dependencies[0]?.places).toEqual([
      { entry: 'classes.dex', offset: expect.any(Number), class: 'com.bumptech.glide.BuildConfig' },
    ])
  })

  test('a BuildConfig with the version that a build writes by itself gives none', () => {
    const glide = (code: number) =>
      sdksOf({
        classes: [
          { name: 'Lcom/bumptech/glide/Glide;' },
          {
            name: 'Lcom/bumptech/glide/BuildConfig;',
            staticFields: [
              { name: 'VERSION_CODE:I', value: code },
              { name: 'VERSION_NAME:Ljava/lang/String;', value: '1.0' },
            ],
          },
          { name: OWN },
        ],
      }).get('glide')?.version
    expect(glide(1)).toBeNull()
    expect(glide(7)).toBe('1.0')
  })

  test('weak names need another sign, empty variants are none, an own package is no SDK', () => {
    const weak = sdksOf({ classes: [{ name: OWN }, { name: 'Lkl/A;' }], files: { 'lib/arm64-v8a/libutils.so': 'x' } })
    expect([...weak.keys()]).toEqual([])
    const stub = sdksOf({ classes: [{ name: OWN }, { name: 'Lcom/chuckerteam/chucker/api/ChuckerInterceptor;' }] })
    expect(stub.has('chucker')).toBe(false)
    const real = sdksOf({
      classes: [{ name: OWN }, { name: 'Lcom/chuckerteam/chucker/internal/ui/MainActivity;' }],
    })
    expect(real.has('chucker')).toBe(true)
    const maker = sdksOf({ id: 'com.braze', classes: [{ name: 'Lcom/braze/Main;' }] })
    expect(maker.has('braze')).toBe(false)
  })

  test('a packer is named by two signs or its application class, and its code is not judged', () => {
    const made = {
      application: { name: 'com.stub.StubApp' },
      classes: [{ name: 'Lcom/stub/StubApp;', superclass: 'Landroid/app/Application;' }],
      files: { 'assets/libjiagu.so': 'x' },
    }
    const packed = reading(made)
    expect(packed.package.packer).toContain('360')
    expect(packed.sdks.map(({ id }) => id)).toContain('pk-360')
    const { items } = scan(makePackage(made), SCAN_CHOICES)
    const reasons = items.flatMap(({ reason }) => (reason?.en.includes('hides') ? reason.en : []))
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of [...reasons, packed.notAssessed[0]!.text.en]) expect(reason).not.toMatch(/\p{Script=Han}/u)
    const one = reading({ classes: [{ name: OWN }], files: { 'assets/classes0.jar': 'x' } })
    expect(one.package.packer).toBeNull()
  })

  test('frameworks and classes of iOS', () => {
    const ios = {
      executable: 'Payload/A.app/A',
      info: {},
      classes: new Set(['GeTuiSdk']),
      selectors: new Set<string>(),
      imports: new Set<string>(),
      frameworks: new Set(['GTSDK']),
      encrypted: false,
    }
    expect(findIosSdks(ios)).toEqual([expect.objectContaining({ id: 'getui', state: 'called' })])
    expect(findIosSdks({ ...ios, classes: new Set() })).toEqual([
      expect.objectContaining({ id: 'getui', state: 'present' }),
    ])
  })
})
