import type { Platform } from '#domain/vocabulary.ts'
import { bankDexHash } from '../demo/bank/bank-build.ts'
import { BANK_ID, bankSigner } from '../demo/bank/bank-signer.ts'
import { hexText, makeRng, weighted } from './random.ts'

/** The applications of the demo: what they are called, how many use them, how their versions come out and spread. */
export type AppProfile = {
  name: { zh: string; en: string }
  platform: Platform
  package: string
  /** Share of the events. */
  share: number
  /** First two numbers of the version that came out at RELEASES_FROM. */
  major: number
  /** Days between releases. */
  cadence: number
  /** Also lives in browsers, with the web SDK. */
  hasPages?: true
}

export const DEMO_APPS: readonly AppProfile[] = [
  {
    name: { zh: '掌上银行', en: 'Pocket Bank' },
    platform: 'android',
    package: BANK_ID,
    share: 42,
    major: 6,
    cadence: 17,
  },
  {
    name: { zh: '掌上银行 iOS', en: 'Pocket Bank iOS' },
    platform: 'ios',
    package: 'cn.example.pocketbank.ios',
    share: 24,
    major: 6,
    cadence: 21,
  },
  {
    name: { zh: '优选商城', en: 'Select Mall' },
    platform: 'android',
    package: 'cn.example.selectmall',
    share: 22,
    major: 3,
    // Within any week of history one of its releases comes out.
    cadence: 5,
    hasPages: true,
  },
  {
    name: { zh: '畅行出租', en: 'Smooth Ride' },
    platform: 'ios',
    package: 'cn.example.smoothride',
    share: 12,
    major: 2,
    cadence: 26,
  },
]

const RELEASES_FROM = Date.UTC(2025, 0, 6, 2)
const DAY_MS = 86_400_000

/** The version that a device runs at `at`: the newest one that is older than the days this owner takes to update. */
export function versionAt(app: AppProfile, at: number, delayDays: number): string {
  const release = Math.max(0, Math.floor(((at - RELEASES_FROM) / DAY_MS - delayDays) / app.cadence))
  return `${app.major + Math.floor(release / 12)}.${release % 12}.${(release * 7) % 4}`
}

/** Days since the newest release came out. */
export function daysSinceRelease(app: AppProfile, at: number): number {
  return ((at - RELEASES_FROM) / DAY_MS) % app.cadence
}

/** SHA-256 of the certificate that signs the application's real builds: that of the bank's packages, else a made-up one. */
export function signerOf(app: AppProfile): string {
  return app.package === BANK_ID ? bankSigner : madeUpSigner(app)
}

/** What is named as the certificate of an application without packages, and did for the bank's before it had any (1.5.3). */
export function madeUpSigner(app: AppProfile): string {
  return hexText(makeRng(app.package, 'signer'), 64)
}

/** SHA-256 of classes.dex in a build of that version, made up where no package of it is built; `foreign` names the builder if it is not the maker. */
export function dexOf(app: AppProfile, version: string, foreign = ''): string {
  const built = app.package === BANK_ID && foreign === '' ? bankDexHash(version) : undefined
  return built ?? hexText(makeRng(app.package, version, foreign, 'dex'), 64)
}

/** The versions of the last `count` releases before `at`, the newest first. */
export function lastVersions(app: AppProfile, at: number, count: number): string[] {
  return Array.from({ length: count }, (_, back) => versionAt(app, at, back * app.cadence))
}

/** The maker's own channels. */
export function officialChannels(platform: Platform): string[] {
  return (platform === 'ios' ? IOS_STORES : ANDROID_STORES).slice(0, -1).map(([name]) => name)
}

/** Days until an owner updates: half within four days, one in twenty hardly ever. */
export function updateDelay(u: number): number {
  return u < 0.95 ? -Math.log(1 - u / 0.96) * 5.5 : 40 + (u - 0.95) * 1600
}

/** Stores; the last one of each is no channel of the maker's. */
export const UNOFFICIAL_CHANNEL = 'apk-free-mirror'
const ANDROID_STORES = [
  ['huawei', 24],
  ['xiaomi', 19],
  ['oppo', 17],
  ['vivo', 16],
  ['honor', 9],
  ['tencent', 8],
  ['website', 5.4],
  [UNOFFICIAL_CHANNEL, 1.6],
] as const
const IOS_STORES = [
  ['appstore', 98.6],
  ['enterprise-resign', 1.4],
] as const
const STORES = { android: weighted(ANDROID_STORES), ios: weighted(IOS_STORES) }

export function pickChannel(platform: Platform, u: number): string {
  return STORES[platform === 'ios' ? 'ios' : 'android'](u)
}
