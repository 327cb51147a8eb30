import { expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const properties = (artifact: string, version: string) => ({
  [`META-INF/maven/${artifact}/pom.properties`]: `version=${version}\n`,
})
const GSON = properties('com.google.code.gson/gson', '2.8.5')
const OKHTTP = properties('com.squareup.okhttp3/okhttp', '3.1.0')
const PINNER = 'Lokhttp3/CertificatePinner$Builder;'
const READ = 'Ljava/io/ObjectInputStream;->readObject()Ljava/lang/Object;'

/** A package with a component of that version, and code of one class beside its screen. */
const judged = (
  files: MadePackage['files'] & object,
  owner: string,
  write: (body: Body) => void,
  {
    others = [PINNER],
    added = `add(Ljava/lang/String;[Ljava/lang/String;)${PINNER}`,
    beside = [],
    ...more
  }: { others?: readonly string[]; added?: string; beside?: MadePackage['classes'] & object } & Omit<
    MadePackage,
    'others'
  > = {},
) => {
  const { verdict, level, findings } = judgeOne('android-sdk-known-vuln', {
    components: [element('activity', { name: '.Main' })],
    ...more,
    files: { ...files, ...more.files },
    classes: [
      { name: 'Lorg/maker/app/Main;', superclass: 'Landroid/app/Activity;', methods: [method('onStart()V')] },
      { name: owner, methods: [method('go(Ljava/lang/String;)V', write)] },
      ...others.map((name) => ({ name, methods: [method(added)] })),
      ...beside,
    ],
  })
  return [verdict === 'fail' ? level : verdict, findings[0]?.detail.en ?? '']
}
const OTHER = 'Lorg/maker/app/Other;'
const nothing = () => {}
const reads = (body: Body) => void body.virtual(READ, null)

test('DET-03 the flaw of Gson is low where no code but that of AndroidX and Gson deserialises', () => {
  expect(judged(GSON, OTHER, nothing)).toEqual([
    'low',
    expect.stringContaining('no code but AndroidX and Gson deserialises Java objects'),
  ])
  for (const owner of ['Landroidx/core/A;', 'Lcom/google/gson/A;']) expect(judged(GSON, owner, reads)[0]).toBe('low')
  for (const owner of [OTHER, 'Lorg/library/A;']) expect(judged(GSON, owner, reads)[0], owner).toBe('high')
  const extra = 'Landroid/content/Intent;->getSerializableExtra(Ljava/lang/String;)Ljava/io/Serializable;'
  expect(judged(GSON, OTHER, (body) => void body.virtual(extra, null, 'a'))[0]).toBe('high')
})

test('DET-03 the flaw of OkHttp’s pins needs pins; beside another vulnerability it keeps the level', () => {
  const old = properties('com.squareup.okhttp3/okhttp', '2.7.0')
  const pins = (body: Body) =>
    void body.virtual(`${PINNER}->add(Ljava/lang/String;[Ljava/lang/String;)${PINNER}`, null, 'maker.org', null)
  expect(judged(old, OTHER, nothing)).toEqual([
    'low',
    expect.stringContaining('no code but OkHttp sets the CertificatePinner'),
  ])
  expect(judged(old, OTHER, pins)[0]).toBe('high')
  expect(judged(old, 'Lokhttp3/A;', pins)[0]).toBe('low')
  // CVE-2021-0341 has another condition, which is met.
  expect(judged(OKHTTP, OTHER, nothing)[0]).toBe('high')
  // Renamed, the class or the method alone: calls cannot be looked for.
  expect(judged(old, OTHER, nothing, { added: `a(Ljava/lang/String;[Ljava/lang/String;)${PINNER}` })[0]).toBe('high')
  expect(judged(old, OTHER, nothing, { others: [] })[0]).toBe('high')
})

test('DET-03 the flaw in how OkHttp checks host names is low where every address is one without TLS', () => {
  const okhttp = properties('com.squareup.okhttp3/okhttp', '3.12.0')
  const names = (body: Body, ...values: string[]) => {
    for (const value of values) body.static(`${OTHER}->take(Ljava/lang/String;)V`, value)
  }
  const level = (...values: string[]) => judged(okhttp, OTHER, (body) => names(body, ...values))[0]
  expect(judged(okhttp, OTHER, (body) => names(body, 'http://192.168.1.3:8081/'))).toEqual([
    'low',
    expect.stringMatching(/; every address in the package is one without TLS, and the flaw is in/),
  ])
  expect(level('http://192.168.1.3:8081/', 'https://maker.org/')).toBe('high')
  expect(level('http://192.168.1.3:8081/', 'https')).toBe('high')
  // The address comes from elsewhere.
  expect(level()).toBe('high')
  expect(level('http://schemas.android.com/apk/res/android')).toBe('high')
  expect(
    judged(okhttp, OTHER, (body) => names(body, 'http://192.168.1.3/'), { files: { 'lib/arm64-v8a/liba.so': 'x' } })[0],
  ).toBe('high')
})

test('DET-03 the pending intent of Google Play services is low where nothing takes it', () => {
  const basement = { 'play-services-basement.properties': 'version=17.0.0\nclient=play-services-basement\n' }
  const LIGHT = 'Lcom/google/android/gms/common/GoogleApiAvailabilityLight;'
  const parameters = '(Landroid/content/Context;II)Landroid/app/PendingIntent;'
  const there = { others: [LIGHT], added: `getErrorResolutionPendingIntent${parameters}` }
  const takes = (owner: string) => (body: Body) =>
    void body.virtual(`${owner}->getErrorResolutionPendingIntent${parameters}`, null, null, 1, 1)
  expect(judged(basement, OTHER, nothing, there)).toEqual([
    'low',
    expect.stringMatching(/; no code takes the pending intent .* play-services-base, which posts it, is not there$/),
  ])
  expect(judged(basement, OTHER, takes(LIGHT), there)[0]).toBe('high')
  // play-services-base: its class of that name, and code that asks it.
  const BASE = 'Lcom/google/android/gms/common/GoogleApiAvailability;'
  expect(judged(basement, OTHER, takes(BASE), there)[0]).toBe('high')
  expect(judged(basement, 'Lcom/google/android/gms/common/GooglePlayServicesUtilLight;', takes(LIGHT), there)[0]).toBe(
    'low',
  )
  // Renamed: its calls cannot be looked for.
  expect(judged(basement, OTHER, nothing, { others: ['La/b;'] })[0]).toBe('high')

  // play-services-base posts it, where something uses a client.
  const posts = (write: (body: Body) => void, more: Omit<MadePackage, 'others'> = {}) =>
    judged(basement, BASE, takes(LIGHT), {
      ...there,
      others: [LIGHT],
      ...more,
      beside: [{ name: OTHER, methods: [method('use(Ljava/lang/String;)V', write)] }],
    })
  const calls = (reference: string) => (body: Body) => void body.static(reference)
  expect(posts(nothing)).toEqual([
    'low',
    expect.stringMatching(/; no code of the package uses a client of Google Play/),
  ])
  for (const common of [
    'Lcom/google/android/gms/tasks/Tasks;->forResult()V',
    'Lcom/google/android/gms/common/internal/Preconditions;->check()V',
    'Lcom/google/android/gms/common/api/Status;->zza()V',
  ])
    expect(posts(calls(common))[0], common).toBe('low')
  for (const client of [
    'Lcom/google/android/gms/location/LocationServices;->getClient()V',
    'Lcom/google/android/gms/common/api/GoogleApiClient$Builder;->build()V',
    'Lcom/google/android/gms/common/GoogleApiAvailability;->getInstance()V',
    'Lcom/google/android/gms/common/api/StatusCodes2;->zza()V',
  ])
    expect(posts(calls(client))[0], client).toBe('high')
  const declares = (name: string) => ({
    components: [element('activity', { name: '.Main' }), element('activity', { name })],
  })
  expect(posts(nothing, declares('com.google.android.gms.ads.AdActivity'))[0]).toBe('high')
  expect(posts(nothing, declares('com.google.android.gms.common.api.GoogleApiActivity'))[0]).toBe('low')
})

test('DET-03 the pending intent of Google Play services whose names are shortened is low where nothing beside the library leads to a client', () => {
  const files = { 'play-services-basement.properties': 'version=17.0.0\nclient=play-services-basement\n' }
  const GMS = 'Lcom/google/android/gms'
  const says = (value: string) => (body: Body) => void body.static('La/a;->say(Ljava/lang/String;)V', value)
  const calls = (reference: string) => (body: Body) => void body.static(reference)
  const made = (write: (body: Body) => void, { base = 'Api must not be null.', more = {} as MadePackage } = {}) => {
    const { level, findings } = judgeOne('android-sdk-known-vuln', {
      components: [element('activity', { name: '.Main' })],
      ...more,
      files,
      classes: [
        { name: 'Lorg/maker/app/Main;', superclass: 'Landroid/app/Activity;', methods: [method('onStart()V', write)] },
        { name: `${GMS}/a/base;`, methods: [method('<init>()V', says(base)), method('a()V')] },
        { name: `${GMS}/a/client;`, superclass: `${GMS}/a/base;`, methods: [method('a()V')] },
        { name: `${GMS}/a/front;`, methods: [method('b()V', calls(`${GMS}/a/client;->a()V`))] },
        { name: `${GMS}/a/post;`, methods: [method('c()V', says('com.google.android.gms.availability'))] },
        { name: `${GMS}/a/asks;`, methods: [method('d()V', calls(`${GMS}/a/post;->c()V`))] },
        { name: `${GMS}/a/other;`, methods: [method('e()V')] },
      ],
    })
    return [level, findings[0]!.detail.en]
  }
  expect(made(calls(`${GMS}/a/other;->e()V`))).toEqual([
    'low',
    expect.stringMatching(/; no code of the package uses a client of Google Play/),
  ])
  for (const used of ['base;->a', 'client;->a', 'front;->b', 'post;->c', 'asks;->d'])
    expect(made(calls(`${GMS}/a/${used}()V`))[0], used).toBe('high')
  expect(made(says('com.google.android.gms.a.front'))[0]).toBe('high')
  const declared = [
    element('activity', { name: '.Main' }),
    element('service', { name: 'com.google.android.gms.a.front' }),
  ]
  expect(made(() => {}, { more: { components: declared } })[0]).toBe('high')
  // Without the texts the classes are not known.
  expect(made(() => {}, { base: 'another text' })[0]).toBe('high')
})

test('DET-03 where code cannot be seen, what a vulnerability needs may be there', () => {
  const loads = (body: Body) =>
    void body.make('Ldalvik/system/DexClassLoader;', '(Ljava/lang/String;)V', body.parameter(1))
  expect(judged(GSON, OTHER, loads)[0]).toBe('high')
  expect(judged(GSON, OTHER, nothing, { others: ['Lcom/facebook/react/ReactActivity;'] })[0]).toBe('high')
  // Pages of Cordova reach the code that is seen alone.
  expect(judged(GSON, OTHER, nothing, { others: ['Lorg/apache/cordova/CordovaPlugin;'] })[0]).toBe('low')
  expect(judgeOne('android-sdk-known-vuln', { files: GSON }).level).toBe('high')
})
