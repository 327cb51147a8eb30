import { idbStore } from './idb-store.ts'
import type { Port } from './port.ts'

/** Bodies up to here may outlive the page (the browsers' own limit is 64 kB). */
const KEEPALIVE_BYTES = 60_000

/** The browser as the SDK needs it. `origin`: where the collector listens. */
export function browserPort(origin: string): Port {
  const request = fetch.bind(window)
  return {
    now: Date.now,
    random: Math.random,
    online: () => navigator.onLine,
    later(work, ms) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    async fetch(path, init) {
      try {
        const hidden = document.visibilityState === 'hidden'
        const answer = await request(origin + path, {
          ...init,
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          keepalive: hidden && (init.body ?? '').length < KEEPALIVE_BYTES,
        })
        const body = new Uint8Array(await answer.arrayBuffer())
        return { status: answer.status, header: (name) => answer.headers.get(name), body }
      } catch {
        return { status: 0, header: () => null, body: new Uint8Array() }
      }
    },
    store: idbStore('appwarden'),
    alone: (work) => navigator.locks.request('appwarden', work) as Promise<void>,
  }
}
