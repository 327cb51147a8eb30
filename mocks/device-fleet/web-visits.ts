import type { FleetEvent } from './fleet-event.ts'
import { pickPlace } from './places.ts'
import { hexText, makeRng, type Rng, uuid, weighted } from './random.ts'

/** Visitors of the shop's pages: the same application in a browser, as the web SDK reports it. */
export type WebVisits = { next(rng: Rng, at: number): FleetEvent }

const VISITORS = 900
const BROWSERS = weighted([
  [['Chrome 126', 'Windows 10'], 34],
  [['Edg 126', 'Windows 10'], 14],
  [['Safari 17', 'iOS 17'], 16],
  [['MicroMessenger 8', 'Android 14'], 22],
  [['Chrome 125', 'macOS 10'], 8],
  [['Firefox 127', 'Windows 10'], 6],
] as const)
const PAGES = weighted([
  ['/', 26],
  ['/goods/list', 24],
  ['/goods/detail', 22],
  ['/cart', 10],
  ['/pay', 9],
  ['/coupon/spring', 6],
  ['/account/login', 3],
] as const)
const KINDS = weighted([
  ['start', 38],
  ['navigation', 17],
  ['paint', 15],
  ['longtask', 8],
  ['devtools', 5],
  ['csp', 3],
  ['exception', 3],
  ['risk', 4],
] as const)
const RISKS = weighted([
  [['automation', 'webdriver'], 46],
  [['overlay', 'framed'], 20],
  [['integrity', 'patched'], 18],
  [['debugger', 'devtools'], 16],
] as const)
const ACTION = weighted([
  ['block', 52],
  ['report', 36],
  ['warn', 12],
] as const)

/** Few of the visitors are programs that try the pages: they make most of the risks. */
const PROGRAMS = 40

export function makeWebVisits(seed: number, app: number): WebVisits {
  const rng = makeRng(seed, 'web')
  const visitors = Array.from({ length: VISITORS }, () => {
    const [model, os] = BROWSERS(rng.next())
    const user = rng.next() < 0.6 ? `,"user_id":"u${1_000_000 + rng.int(90_000)}"` : ''
    return `"device_id":"w${hexText(rng, 31)}","platform":"web","model":"${model}","os":"${os}","sdk_version":"1.0.0","channel":"h5","app_version":"2026.${9 + rng.int(3)}",${pickPlace(rng).json}${user}`
  })
  return {
    next(live, at) {
      const kind = KINDS(live.next())
      const program = kind === 'risk'
      const visitor = visitors[program ? live.int(PROGRAMS) : live.int(VISITORS)] as string
      const type = kind === 'start' || kind === 'exception' || kind === 'risk' ? kind : 'web'
      const text = `{"event_id":"${uuid(live)}","type":"${type}","occurred_at":${Math.round(at)},${visitor}${rest(live, kind)}`
      return { app, at, text }
    },
  }
}

function rest(rng: Rng, kind: string): string {
  const page = PAGES(rng.next())
  if (kind === 'start') return `,"detail":{"page":"${page}"}`
  if (kind === 'exception')
    return `,"detail":{"reason":"TypeError","message":"Cannot read properties of undefined","page":"${page}"}`
  if (kind !== 'risk') return `,"detail":{"kind":"${kind}","page":"${page}"}`
  const [risk, how] = RISKS(rng.next())
  return `,"risk_type":"${risk}","action":"${ACTION(rng.next())}","detail":{"kind":"${how}","page":"${page}"}`
}
