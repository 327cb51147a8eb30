import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { GatewayClient, gatewayBed } from '#tests/support/gateway-bed.ts'
import type { BenchLine } from './bench-line.ts'
import { medianInterval } from './median-interval.ts'

const PAIRS = 9
const REQUESTS = 1500
const PARALLEL = 8
const HANDSHAKES = 100
const LIMIT_MS = 1
const BODY = JSON.stringify({ text: 'x'.repeat(1000) })

/**
 * CPU of the gateway's process for a POST of 1 KB with an answer of 1 KB within a session, above the same request that the same process passes on
 * in plain, in alternating runs; the handshake apart. Client, server behind and PostgreSQL are other processes and not counted.
 */
export async function run(): Promise<BenchLine[]> {
  const bed = await gatewayBed((incoming, response) => {
    incoming.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length })
      response.end(BODY)
    })
  })
  const args = [JSON.stringify(bed.database), join(bed.folder, 'keys'), bed.upstream.href]
  const side = fork(new URL('./gateway-side.ts', import.meta.url), args, {
    execArgv: process.execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL })
  const extra: number[] = []
  const plainMs: number[] = []
  let handshakeMs = 0
  try {
    const [{ url }] = (await once(side, 'message')) as [{ url: string }]
    const client = new GatewayClient(url)
    for (let pair = 0; pair <= PAIRS; pair++) {
      if ((await client.connect(bed.key)) !== 200) throw new Error('no session')
      const sealed = Array.from({ length: REQUESTS }, () => client.seal('/pay', BODY).message)
      const plain = Array.from({ length: REQUESTS }, () => Buffer.from(BODY))
      const cost: Record<'plain' | 'sealed', number> = { plain: 0, sealed: 0 }
      for (const kind of pair % 2 ? (['sealed', 'plain'] as const) : (['plain', 'sealed'] as const)) {
        const type = kind === 'sealed' ? SESSION_HTTP.mediaType : 'application/json'
        const bodies = kind === 'sealed' ? sealed : plain
        cost[kind] = await costOf(side, REQUESTS, () => sendAll(new URL('/pay', url), agent, type, bodies))
      }
      if (pair === 0) continue // its code is being compiled
      extra.push(cost.sealed - cost.plain)
      plainMs.push(cost.plain)
      console.error(`pair ${pair} of ${PAIRS}: ${cost.plain.toFixed(3)} -> ${cost.sealed.toFixed(3)} ms`)
    }
    handshakeMs = await costOf(side, HANDSHAKES, async () => {
      for (let n = 0; n < HANDSHAKES; n++) if ((await client.connect(bed.key)) !== 200) throw new Error('no session')
    })
  } finally {
    agent.destroy()
    side.disconnect()
    await once(side, 'exit')
    await bed.close()
  }
  const { median, high } = medianInterval(extra)
  const plain = medianInterval(plainMs).median
  const round = (value: number) => Math.round(value * 1000) / 1000
  return [
    {
      name: 'gateway, message of 1 KB in a session: CPU above plain proxying',
      value: round(median),
      unit: 'ms',
      peer: 'the same request passed on in plain',
      peer_value: round(plain),
      ratio: round((plain + median) / plain),
      limit: `<= ${LIMIT_MS} ms at the upper end of the 95 % interval (${round(high)})`,
      ok: high <= LIMIT_MS,
    },
    {
      name: 'gateway, handshake: CPU',
      value: round(handshakeMs),
      unit: 'ms',
      ...{ peer: null, peer_value: null, ratio: null, limit: '', ok: true },
    },
  ]
}

/** CPU milliseconds of the gateway's process for one of `count` requests. */
async function costOf(side: ChildProcess, count: number, work: () => Promise<void>): Promise<number> {
  const before = await cpuOf(side)
  await work()
  return ((await cpuOf(side)) - before) / count
}

async function cpuOf(side: ChildProcess): Promise<number> {
  side.send('cpu')
  const [{ cpuMs }] = (await once(side, 'message')) as [{ cpuMs: number }]
  return cpuMs
}

/** PARALLEL at a time; each has to be answered with 200. */
async function sendAll(url: URL, agent: Agent, type: string, bodies: readonly Uint8Array[]): Promise<void> {
  const waiting = [...bodies]
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let body = waiting.shift(); body; body = waiting.shift()) {
        const status = await post(url, agent, type, body)
        if (status !== 200) throw new Error(`answered ${status}`)
      }
    }),
  )
}

function post(url: URL, agent: Agent, type: string, body: Uint8Array): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': body.length }
    const call = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    call.on('error', reject).end(body)
  })
}
