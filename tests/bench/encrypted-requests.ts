import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { saveSettings } from '#contracts/http/settings.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, PASSWORD } from '#tests/support/http-app.ts'
import type { BenchLine } from './bench-line.ts'
import { medianInterval } from './median-interval.ts'

const PAIRS = 9
/** Below the burst of a session's rate limit. */
const REQUESTS = 180
const LIMIT_MS = 3

/**
 * CPU of the console's process for a POST of 1 KB with an answer of 1 KB, encrypted and plain, in alternating runs. The client seals and
 * opens in this process, which is not counted.
 */
export async function run(): Promise<BenchLine[]> {
  const side = fork(new URL('./http-side.ts', import.meta.url), [String(PAIRS + 1)], {
    execArgv: process.execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url }] = (await once(side, 'message')) as [{ url: string }]
  const extra: number[] = []
  const plainMs: number[] = []
  try {
    for (let pair = 0; pair <= PAIRS; pair++) {
      const client = new ConsoleClient(url)
      await client.signIn(`bench${pair}@example.com`, PASSWORD, CODE)
      const both: Record<'call' | 'sealed', number> = { call: 0, sealed: 0 }
      for (const kind of pair % 2 ? (['sealed', 'call'] as const) : (['call', 'sealed'] as const))
        both[kind] = await costOf(side, () => client[kind](saveSettings, { body }))
      if (pair === 0) continue // its code is being compiled
      extra.push(both.sealed - both.call)
      plainMs.push(both.call)
      console.error(`pair ${pair} of ${PAIRS}: ${both.call.toFixed(2)} -> ${both.sealed.toFixed(2)} ms`)
    }
  } finally {
    side.disconnect()
    await once(side, 'exit')
  }
  const { median, high } = medianInterval(extra)
  const plain = medianInterval(plainMs).median
  const round = (value: number) => Math.round(value * 100) / 100
  return [
    {
      name: 'encrypted request of 1 KB: CPU above a plain one',
      value: round(median),
      unit: 'ms',
      peer: 'the same request plain',
      peer_value: round(plain),
      ratio: round((plain + median) / plain),
      limit: `<= ${LIMIT_MS} ms at the upper end of the 95 % interval (${round(high)})`,
      ok: high <= LIMIT_MS,
    },
  ]
}

/** About 1 KB, and as much comes back. */
const body = { second_factor_roles: Array.from({ length: 16 }, (_, n) => `role-${n}-`.padEnd(60, 'x')) }

/** CPU milliseconds of the process for one request. Throws where one is refused. */
async function costOf(side: ChildProcess, request: () => Promise<{ body: Record<string, unknown> }>): Promise<number> {
  const before = await cpuOf(side)
  for (let n = 0; n < REQUESTS; n++) {
    const answer = await request()
    if (answer.body['code'] !== 0) throw new Error(`refused: ${JSON.stringify(answer.body)}`)
  }
  return ((await cpuOf(side)) - before) / REQUESTS
}

async function cpuOf(side: ChildProcess): Promise<number> {
  side.send('cpu')
  const [{ cpuMs }] = (await once(side, 'message')) as [{ cpuMs: number }]
  return cpuMs
}
