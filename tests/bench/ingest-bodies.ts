import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { ACTIONS, PLATFORMS, RISK_TYPES } from '#domain/vocabulary.ts'

/** Batches as phones' gateways send them: distinct bodies of 50 to 200 events from a population of devices, places and versions. */
export type BenchBody = { bytes: Buffer; events: number; ids: number[]; times: number[] }

const DEVICES = 20_000
const MODELS = [
  'Mate 60 Pro',
  'P70',
  'Redmi K70',
  'iPhone 15',
  'iPhone 14 Pro',
  'vivo X100',
  'OPPO Find X7',
  'HONOR Magic6',
]
const NETWORKS = ['wifi', '5g', '4g']
const CHANNELS = ['huawei', 'xiaomi', 'appstore', 'vivo', 'oppo', 'tencent']
const PREFIXES = ['114.114', '202.96', '36.110', '61.128', '219.148', '222.74', '202.103', '59.49']

export function makeBodies(seed: number, count: number): BenchBody[] {
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
  const keys = <T extends object>(words: T) => Object.keys(words) as (keyof T)[]
  const event = (): WireEvent => {
    const device = random(DEVICES)
    const isRisk = random(3) === 0
    return {
      event_id: '00000000-0000-4000-8000-000000000000',
      reported_at: 1_000_000_000_000,
      occurred_at: Date.now() - random(60_000),
      type: isRisk ? 'risk' : 'start',
      ...(isRisk && {
        risk_type: pick(keys(RISK_TYPES)),
        action: pick(keys(ACTIONS)),
        detail: { frame: random(1e6), lib: 'libfrida.so' },
      }),
      device_id: `android-${device}-4f1c9a${device % 97}`,
      ...(device % 3 > 0 && { user_id: `user${device}@example.cn` }),
      platform: pick(keys(PLATFORMS)),
      app_version: `3.${device % 7}.${device % 13}`,
      channel: pick(CHANNELS),
      os: String(10 + (device % 6)),
      model: pick(MODELS),
      brand: 'HUAWEI',
      network: pick(NETWORKS),
      sdk_version: '1.4.2',
      package_name: 'cn.example.bank',
      signer: 'a3'.repeat(32),
      session_id: `s${random(1e9)}`,
      client_ip: `${PREFIXES[device % PREFIXES.length]}.${device % 250}.${1 + (device % 200)}`,
    }
  }
  return Array.from({ length: count }, () => {
    const list = Array.from({ length: 50 + random(151) }, event)
    const text = JSON.stringify(list)
    return {
      bytes: Buffer.from(text),
      events: list.length,
      ids: positions(text, '"event_id":"'),
      times: positions(text, '"reported_at":'),
    }
  })
}

/** All bodies are of one-byte characters, so positions in the text are positions in the bytes. */
function positions(text: string, mark: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) found.push(at + mark.length)
  return found
}

let stamped = 0
/** Gives every event of the body an id that no body had before, and the time of its first sending. */
export function stamp(body: BenchBody, run: number): void {
  const prefix = run.toString(16).padStart(8, '0')
  const now = String(Date.now())
  for (const at of body.ids) {
    body.bytes.write(prefix, at, 'latin1')
    body.bytes.write((++stamped).toString(16).padStart(12, '0'), at + 24, 'latin1')
  }
  for (const at of body.times) body.bytes.write(now, at, 'latin1')
}
