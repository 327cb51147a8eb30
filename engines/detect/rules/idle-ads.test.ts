import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const MAIN = 'Lorg/maker/app/Main;'
const VIEW = 'Lcom/google/android/gms/ads/AdView;'
const LOAD = `${VIEW}->loadAd(Lcom/google/android/gms/ads/AdRequest;)V`

const made = method('<init>()V')
const connects = (body: Body) => void body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
const loads = (body: Body) => void body.virtual(LOAD, null, null)
const screen = (name: string, ...components: ReturnType<typeof element>[]) => [
  element('activity', { name: '.Main' }),
  element('activity', { name, exported: false }),
  ...components,
]
const AD_SCREEN = 'com.google.android.gms.ads.AdActivity'

/** An application with a form for a password, and AdMob's view with the screen that its manifest brings. */
function judged(
  write: (body: Body) => void = () => {},
  { classes = [], load = 'loadAd', ...more }: MadePackage & { load?: string } = {},
) {
  const found = judgeOne('android-privacy-policy-absent', {
    components: screen(AD_SCREEN),
    others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
    xml: {
      'res/layout/a.xml': element(
        'LinearLayout',
        {},
        element('com.google.android.gms.ads.AdView'),
        element('EditText'),
        element('EditText', { inputType: 0x81 }),
      ),
    },
    ...more,
    classes: [
      {
        name: MAIN,
        superclass: 'Landroid/app/Activity;',
        methods: [made, method('onCreate(Landroid/os/Bundle;)V', write)],
      },
      { name: VIEW, methods: [made, method(`${load}(Lcom/google/android/gms/ads/AdRequest;)V`, connects)] },
      // What the library gives to other networks for ads.
      { name: 'Lcom/google/ads/mediation/Adapter;', methods: [made, method('requestBannerAd()V', loads)] },
      ...classes,
    ],
  })
  return [found.level, found.findings[0]?.detail.en.includes('; no code starts AdMob or loads an ad')]
}
const IDLE = ['low', true]
const USED = ['high', false]

describe('[DET-03] a missing policy where AdMob is in the package and nothing loads an ad', () => {
  test('is low, also where only code that nothing uses would', () => {
    expect(judged()).toEqual(IDLE)
    const helper: WrittenDexClass = { name: 'Lorg/maker/app/Ads;', methods: [method('static show()V', loads)] }
    expect(judged(undefined, { classes: [helper] })).toEqual(IDLE)
    expect(judged((body) => void body.static('Lorg/maker/app/Ads;->show()V'), { classes: [helper] })).not.toEqual(IDLE)
  })

  test('keeps its level where code loads an ad or starts AdMob, or a class of the application extends its own', () => {
    expect(judged(loads)[1]).toBe(false)
    const start = 'Lcom/google/android/gms/ads/MobileAds;->initialize(Landroid/content/Context;)V'
    expect(judged((body) => void body.static(start, null))[1]).toBe(false)
    const heir = { name: 'Lorg/maker/app/Banner;', superclass: VIEW, methods: [made] }
    expect(judged(undefined, { classes: [heir] })[1]).toBe(false)
    const named = (body: Body) =>
      void body.static(
        'Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;',
        'com.google.android.gms.ads.MobileAds',
      )
    expect(judged(named)[1]).toBe(false)
  })

  test('keeps its level where its provider begins by itself, its names are shortened, or the first view is there', () => {
    const provider = element('provider', { name: 'com.google.android.gms.ads.MobileAdsInitProvider', authorities: 'a' })
    expect(judged(undefined, { components: screen(AD_SCREEN, provider) })).toEqual(USED)
    expect(judged(undefined, { load: 'a' })).toEqual(USED)
    expect(judged(undefined, { classes: [{ name: 'Lcom/google/ads/AdView;', methods: [made] }] })).toEqual(USED)
  })

  test('is not low for that where own code sends, or takes what somebody must grant', () => {
    expect(judged(connects)).toEqual(USED)
    const locates = (body: Body) =>
      void body.virtual(
        'Landroid/location/LocationManager;->getLastKnownLocation(Ljava/lang/String;)Landroid/location/Location;',
        null,
        'gps',
      )
    const others = ['INTERNET', 'ACCESS_FINE_LOCATION'].map((name) =>
      element('uses-permission', { name: `android.permission.${name}` }),
    )
    expect(judged(locates, { others })).toEqual(USED)
  })
})
