import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { healthz } from '#contracts/http/health.ts'
import type { EnvelopeKeys } from './envelope-keys.ts'
import type { Mount, ServerDeps } from './module.ts'

export type DemoAccount = { username: string; password: string; role: string }
export type Health = ResponseOf<typeof healthz>

/** What the HTTP application needs besides the modules' dependencies: given by the process that composes it. */
export type HttpDeps = ServerDeps & {
  envelopeKeys: EnvelopeKeys
  health(): Health | Promise<Health>
  /** Called after settings were changed, so that the next request sees them; other processes are notified. */
  refreshSettings(): Promise<void>
  /** Prometheus text. */
  metrics(): string | Promise<string>
  /** Shown on the login page of a demo; asked only when the server is bound to loopback without proxy. */
  openDemoAccounts?(): readonly DemoAccount[]
}

/** A module as the list of modules takes it; one that needs only ServerDeps fits. */
export type HttpModule = (mount: Mount, deps: HttpDeps) => void | Promise<void>
