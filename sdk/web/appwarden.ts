import type { BreadcrumbKind, WireEvent } from '#contracts/telemetry/wire.ts'
import type { RiskType } from '#domain/vocabulary.ts'
import { applyAction } from './apply-action.ts'
import { browserPort } from './browser-port.ts'
import { type Client, createClient, type Detail, type Found } from './client.ts'
import { browserFacts } from './facts.ts'
import { SDK_VERSION } from './version.ts'
import { type EnvironmentOptions, watchEnvironment } from './watch-environment.ts'
import { report, watchErrors } from './watch-errors.ts'
import { watchPerformance } from './watch-performance.ts'

export type Options = EnvironmentOptions & {
  /** Where the collector listens: `https://warden.example.com`. */
  endpoint: string
  /** The public enrolment key of the application: `aw_ek_…`. */
  key: string
  version?: string
  channel?: string
  /** Language of the messages to the user; default: the page's. */
  language?: 'zh' | 'en'
  /** True: the page has done what the policy asks for, and the SDK need not. */
  onRisk?(found: Found): boolean | undefined
}
export type AppWarden = {
  /** Call it when the user has agreed, on every page: before, nothing is collected, stored or sent. */
  consent(): Promise<void>
  /** Stops and deletes everything that the SDK kept in this browser. */
  withdraw(): Promise<void>
  setUser(id: string | undefined): void
  setPlace(place: WireEvent['place']): void
  breadcrumb(kind: BreadcrumbKind, text: string): void
  /** An error that the page caught itself. */
  capture(error: unknown, more?: Detail): void
  /** A risk that the page found itself. */
  risk(risk: RiskType, evidence: Detail): void
  flush(): Promise<void>
}

export const version = SDK_VERSION

/** Makes ready and does nothing: everything begins with `consent()`. Pages without HTTPS have no key storage; there it stays silent. */
export function init(options: Options): AppWarden {
  const language = options.language ?? (/^zh/.test(document.documentElement.lang || navigator.language) ? 'zh' : 'en')
  const client = createClient(browserPort(new URL(options.endpoint).origin), {
    key: options.key,
    language,
    facts: () => browserFacts(options),
    act(found) {
      if (!options.onRisk?.(found)) applyAction(found)
    },
    watch: (one) => watch(one, options),
  })
  const { consent, withdraw, setUser, setPlace, breadcrumb, risk, flush } = client
  return {
    async consent() {
      // A frame of another site may be refused storage: the page goes on without us.
      const why = isSecureContext ? await consent().catch(String) : 'needs HTTPS'
      if (why) console.warn('AppWarden:', why)
    },
    withdraw,
    setUser,
    setPlace,
    breadcrumb,
    capture: (error, more) => report(client, error, 'captured', more),
    risk,
    flush,
  }
}

/** Listens to the page until the answer is called. */
function watch(client: Client, options: Options): () => void {
  const ends: (() => void)[] = []
  const listen = (target: EventTarget, type: string, work: (event: never) => void, capture = false) => {
    target.addEventListener(type, work as EventListener, capture)
    ends.push(() => target.removeEventListener(type, work as EventListener, capture))
  }
  client.event('start', { page: location.pathname, referrer: document.referrer.split(/[?#]/)[0] })
  watchErrors(client, listen)
  ends.push(watchEnvironment(client, options, listen))
  const onHidden = (work: () => void) =>
    listen(document, 'visibilitychange', () => document.visibilityState === 'hidden' && work())
  ends.push(watchPerformance(client, onHidden))
  onHidden(() => void client.flush())
  listen(window, 'online', () => void client.flush())
  return () => {
    for (const end of ends) end()
  }
}
