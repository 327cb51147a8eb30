import type { BreadcrumbKind, FailureDetail, WireEvent } from '#contracts/telemetry/wire.ts'
import type { Action, RiskType } from '#domain/vocabulary.ts'
import { clip, fitDetail } from './clip.ts'
import { type Delivery, startDelivery } from './delivery.ts'
import { stringify } from './natives.ts'
import { policyKeeper } from './policy-keeper.ts'
import type { Port, QueuedEvent } from './port.ts'
import { SDK_VERSION } from './version.ts'

/** What is true for all events of a page: given by the app, or read from the browser once consent is there. */
export type Facts = Pick<
  WireEvent,
  'app_version' | 'channel' | 'os' | 'model' | 'brand' | 'network' | 'package_name' | 'platform'
>
export type Detail = Record<string, unknown>
export type Found = { risk: RiskType; action: Action; text: string; evidence: Detail }

export type ClientOptions = {
  /** The public enrolment key of the application: `aw_ek_…`. */
  key: string
  language: 'zh' | 'en'
  facts(): Facts
  /** Does what the policy says. */
  act(found: Found): void
  /** Begins to watch; answers what ends it. Called with consent, and not before. */
  watch(client: Client): () => void
}
export type Client = {
  /** The user agreed: from now on there is something to collect. */
  consent(): Promise<void>
  /** The user took it back: stops, and deletes all that was kept. */
  withdraw(): Promise<void>
  /** The app's own name of the user; only a keyed hash of it is stored. */
  setUser(id: string | undefined): void
  /** Where the device is, which the user agreed to tell. */
  setPlace(place: WireEvent['place']): void
  breadcrumb(kind: BreadcrumbKind, text: string): void
  event(type: 'start' | 'web', detail: Detail): void
  exception(detail: FailureDetail & Detail): void
  /** A risk was seen: does what the policy says, and reports it once a page for the same evidence. */
  risk(risk: RiskType, evidence: Detail): void
  /** Sends what waits and resolves when that is tried. */
  flush(): Promise<void>
}

const TICK_MS = 10_000
const CRUMBS = 20
const DETAIL_BYTES = 4096
const FAILURE_BYTES = 16_384
/** Exceptions that one page reports in one minute; a loop that throws must not fill the queue. */
const EXCEPTIONS_A_MINUTE = 20
/** Shown when the policy has no text of its own. */
const WORDS = {
  zh: '检测到不安全的运行环境，请注意保护您的信息',
  en: 'This environment is not safe; please protect your data',
}

/** The SDK without a browser: everything it touches comes in. Before consent it reads and writes nothing. */
export function createClient(port: Port, options: ClientOptions): Client {
  const policy = policyKeeper(port)
  let running: { delivery: Delivery; device: string; session: string; facts: Facts; stop(): void } | undefined
  let user: string | undefined
  let place: WireEvent['place']
  let crumbs: NonNullable<FailureDetail['breadcrumbs']> = []
  let seen = new Set<string>()
  let exceptions: number[] = []
  let lost = 0
  let adding: Promise<unknown> = Promise.resolve()

  function add(type: WireEvent['type'], more: Partial<WireEvent>): void {
    if (!running) return
    const { delivery, device, session, facts } = running
    const { detail, ...rest } = more
    const event: QueuedEvent['event'] = {
      event_id: crypto.randomUUID(),
      type,
      device_id: device,
      session_id: session,
      sdk_version: `web-${SDK_VERSION}`,
      ...facts,
      ...(user && { user_id: clip(user) }),
      ...(place && { place, consent: { location: true } }),
      ...rest,
      ...(detail && { detail: fitDetail(detail, type === 'exception' ? FAILURE_BYTES : DETAIL_BYTES) }),
    }
    const waiting = { event, at: port.now(), offset: delivery.offset() }
    adding = adding
      .then(() => port.store.add(waiting))
      .then((taken) => {
        if (!taken) lost++
      })
      .catch(() => lost++)
  }

  const words = (risk: RiskType) => policy.textOn(risk, options.language) || WORDS[options.language]

  async function start(): Promise<void> {
    const { store } = port
    let device = await store.get<string>('device')
    if (!device) {
      device = `w-${crypto.randomUUID()}`
      await store.set('device', device)
    }
    const facts = options.facts()
    const delivery = startDelivery(port, options.key, device, {
      beforeSend: () => policy.refresh(delivery, facts.app_version ?? ''),
      prune: policy.prune,
      lost: (count) => {
        lost += count
      },
    })
    await policy.restore(delivery)
    let cancel = () => {}
    let banned = false
    const tick = () => {
      // Said once it can be: how many events the queue or the collector would not take.
      if (lost > 0) {
        add('web', { detail: { kind: 'lost', count: lost } })
        lost = 0
      }
      delivery.send()
      // An analyst banned this device: the page is not to be used, whatever it shows. No attack happened, so none is reported.
      if (policy.banned() && !banned) {
        banned = true
        options.act({ risk: 'custom', action: 'block', text: words('custom'), evidence: {} })
      }
      cancel = port.later(tick, TICK_MS)
    }
    running = { delivery, device, session: crypto.randomUUID(), facts, stop: () => cancel() }
    const unwatch = options.watch(client)
    running.stop = () => {
      cancel()
      unwatch()
      delivery.stop()
    }
    void adding.then(tick)
  }

  const client: Client = {
    async consent() {
      if (!running) await start()
    },
    async withdraw() {
      const was = running
      running = undefined
      user = place = undefined
      crumbs = []
      seen = new Set()
      was?.stop()
      await port.store.clear()
      await was?.delivery.settled()
      await adding
      // What was under way when the user spoke may have written once more.
      await port.store.clear()
    },
    setUser(id) {
      user = id
    },
    setPlace(declared) {
      place = declared
    },
    breadcrumb(kind, text) {
      if (!running) return
      crumbs = [...crumbs.slice(1 - CRUMBS), { at: port.now(), kind, text: clip(text, 120) }]
    },
    event(type, detail) {
      add(type, { detail })
    },
    exception(detail) {
      const now = port.now()
      exceptions = exceptions.filter((at) => now - at < 60_000)
      if (exceptions.push(now) > EXCEPTIONS_A_MINUTE) return
      add('exception', { detail: { breadcrumbs: crumbs, ...detail } })
    },
    risk(risk, evidence) {
      const action = policy.actionOn(risk)
      const known = `${risk} ${stringify(evidence)}`
      if (!running || action === 'none' || seen.has(known)) return
      seen.add(known)
      add('risk', { risk_type: risk, action, detail: evidence })
      client.breadcrumb('risk', risk)
      if (action !== 'report') options.act({ risk, action, text: words(risk), evidence })
      // The page may end now.
      void adding.then(() => running?.delivery.send())
    },
    async flush() {
      await adding
      running?.delivery.send()
      await running?.delivery.settled()
    },
  }
  return client
}
