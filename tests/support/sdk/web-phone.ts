import { type Client, createClient, type Found } from '#sdk/web/client.ts'
import type { Port, Reply } from '#sdk/web/port.ts'
import { memoryStore } from './memory-store.ts'
import type { Network, SimulatedPhone } from './simulated-phone.ts'

export type WebPhone = SimulatedPhone & {
  readonly client: Client
  readonly acted: Found[]
  /** The page without consent. */
  prepare(): Promise<void>
  /** How many events wait, and the names of the values that are kept. */
  size(): number
  names(): string[]
  /** Changes the body of an answer on its way. */
  spoil?: (path: string, body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Sees the body of each batch. */
  onSent?: (body: string) => void
}

const NO_REPLY: Reply = { status: 0, header: () => null, body: new Uint8Array() }

/** The web SDK's core with a made-up clock and network against a collector that runs. */
export function webPhone(origin: string, key: string): WebPhone {
  const store = memoryStore()
  const acted: Found[] = []
  let wall = 0
  let network: Network = 'ok'
  let client: Client
  let life = 0
  let timers: { at: number; work: () => void }[] = []
  let died = () => {}

  async function request(path: string, init: Parameters<Port['fetch']>[1]): Promise<Reply> {
    const answer = await fetch(origin + path, init)
    const sent = new Uint8Array(await answer.arrayBuffer())
    const body = phone.spoil?.(path, sent) ?? sent
    if (path.endsWith('/events')) phone.onSent?.(init.body ?? '')
    return { status: answer.status, header: (name) => answer.headers.get(name), body }
  }

  /** The browser as one page has it; after its end it answers no more. */
  function port(): Port {
    const mine = life
    return {
      now: () => wall,
      random: () => 0.5,
      online: () => true,
      later(work, ms) {
        if (ms === 0) {
          setImmediate(work)
          return () => {}
        }
        const timer = { at: wall + ms, work: () => mine === life && work() }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
      async fetch(path, init) {
        const mode = network
        if (mode === 'offline') return NO_REPLY
        const reply = await request(path, init)
        if (mode === 'die') {
          life++
          died()
          return new Promise(() => {})
        }
        if (mode === 'twice') await request(path, init)
        return mode === 'lose' ? NO_REPLY : reply
      },
      store,
      alone: (work) => work(),
    }
  }

  const phone: WebPhone = {
    acted,
    size: () => store.size,
    names: store.names,
    get client() {
      return client
    },
    async setClock(now) {
      const jump = now - wall
      // Timers of a page run by the machine, not by the clock that the user sets: all that happens is that time passes.
      if (jump < 0) timers = timers.map((one) => ({ ...one, at: one.at + jump }))
      wall = now
    },
    async setNetwork(mode) {
      network = mode
    },
    async prepare() {
      life++
      timers = []
      client = createClient(port(), {
        key,
        language: 'zh',
        facts: () => ({ platform: 'web', app_version: '1.0', os: 'Test', package_name: 'shop.example' }),
        act: (found) => acted.push(found),
        watch(one) {
          one.event('start', {})
          return () => {}
        },
      })
    },
    async start() {
      await phone.prepare()
      await client.consent()
    },
    async emit(number) {
      client.event('web', { kind: 'sim', n: number })
    },
    async run() {
      const before = life
      const death = new Promise<void>((resolve) => {
        died = resolve
      })
      const due = timers.filter((one) => one.at <= wall)
      timers = timers.filter((one) => one.at > wall)
      for (const { work } of due) work()
      await Promise.race([client.flush(), death])
      return life !== before
    },
    waiting: async () => store.size,
    async close() {
      life++
      timers = []
    },
  }
  return phone
}
