import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { EVENT_TYPES, LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'

/**
 * The population of the query benchmark: 500,000 devices and 400,000 users, a few of which make most events; 20 applications, of which a
 * device has one and one device in ten another; a quarter of the events attacks, 31 provinces. The same seed gives the same events.
 */
export type Population = { event(receivedAt: number): StoredEvent; device(index: number): string }

const DEVICES = 500_000
const USERS = 400_000
const PROVINCES = [
  11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 61, 62, 63,
  64, 65,
]
const RISKS = Object.values(RISK_TYPES)
const OTHER_TYPES = Object.values(EVENT_TYPES).filter(({ code }) => code !== EVENT_TYPES.risk.code)
const MODELS = Array.from({ length: 120 }, (_, i) => `Model ${String.fromCharCode(65 + (i % 26))}${i}`)
const VERSIONS = Array.from({ length: 24 }, (_, i) => `${1 + (i >> 3)}.${i % 8}.0`)
const CHANNELS = ['huawei', 'xiaomi', 'oppo', 'vivo', 'honor', 'tencent', 'appstore', 'official']
const SYSTEMS = ['Android 10', 'Android 11', 'Android 12', 'Android 13', 'Android 14', 'iOS 16', 'iOS 17', 'iOS 18']
const NETWORKS = ['wifi', '4g', '5g', 'unknown']

export function makePopulation(seed: number): Population {
  const random = mulberry32(seed)
  const pick = <T>(list: readonly T[], power = 1): T => list[Math.floor(random() ** power * list.length)] as T
  const word = () => Math.floor(random() * 0x1_0000_0000)
  const hex8 = (value: number) => (value >>> 0).toString(16).padStart(8, '0')
  const keyOf = (index: number, kind: number) =>
    [1, 2, 3, 4].map((part) => hex8(mix(index * 4 + part + kind * 0x5000_0000))).join('')
  const appOf = (device: number) => 1 + Math.floor((mix(device) / 0x1_0000_0000) ** 1.5 * 20)
  return {
    device: (index) => keyOf(index, 0),
    event(receivedAt) {
      const isAttack = random() < 0.25
      const risk = isAttack ? pick(RISKS, 1.6) : undefined
      const province = pick(PROVINCES, 1.5) * 10_000
      const device = Math.floor(random() ** 2.5 * DEVICES)
      const id = `${hex8(word())}-${hex8(word()).slice(0, 4)}-4${hex8(word()).slice(1, 4)}-8${hex8(word()).slice(1, 4)}-${hex8(word())}${hex8(word()).slice(0, 4)}`
      const type = isAttack ? EVENT_TYPES.risk.code : pick(OTHER_TYPES, 2).code
      const failed = type >= EVENT_TYPES.crash.code && type <= EVENT_TYPES.exception.code
      return {
        id,
        app: appOf(device % 10 === 0 && random() < 0.3 ? device + 1 : device),
        type,
        risk: risk?.code ?? 0,
        level: risk ? LEVELS[risk.level].code : 0,
        action: isAttack ? Math.floor(random() * 5) : 0,
        platform: device % 3 === 0 ? 2 : 1,
        occurredAt: receivedAt - Math.floor(random() ** 8 * 3_600_000),
        receivedAt,
        reportedAt: receivedAt - 500,
        device: keyOf(device, 0),
        user: device % 5 === 0 ? null : keyOf(device % USERS, 1),
        version: pick(VERSIONS, 2),
        channel: CHANNELS[device % CHANNELS.length] as string,
        os: SYSTEMS[device % SYSTEMS.length] as string,
        model: MODELS[device % MODELS.length] as string,
        brand: `Brand ${device % 12}`,
        network: pick(NETWORKS),
        sdk: '3.2.1',
        country: 'CN',
        province,
        city: province + 100 * (1 + (device % 9)),
        placeSource: 2,
        placePrecision: 3,
        lon: 100 + Math.floor(random() * 2000) / 100,
        lat: 22 + Math.floor(random() * 2000) / 100,
        site: 1 + (device % 2),
        flags: 8,
        address: `${1 + (device % 200)}.${(device >> 8) & 255}.${device & 255}.${Math.floor(random() * 255)}`,
        extra: JSON.stringify({
          package_name: `com.example.app${device % 20}`,
          session_id: hex8(word()) + hex8(word()),
          detail: { evidence: `/system/bin/${hex8(device)}`, score: Math.floor(random() * 100) },
        }),
        group: failed ? hex8(mix(Math.floor(random() ** 3 * 400))).repeat(2) : '',
      }
    },
  }
}

/** A small seeded generator of numbers in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

function mix(value: number): number {
  let h = value >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return (h ^ (h >>> 15)) >>> 0
}
