import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { MarketConnector, MarketKind } from '#contracts/http/monitoring/markets.ts'

// From source under tsx, or a bundle beside ours.
const fromSource = import.meta.url.endsWith('.ts')
const program = fromSource
  ? new URL('../app-markets/main.ts', import.meta.url)
  : new URL('./app-markets.js', import.meta.url)

export interface DemoMarkets {
  /** How often what they offer has changed. */
  readonly stage: number
  /** The package as its owner publishes it. */
  readonly package: string
  readonly markets: readonly { readonly kind: MarketKind; readonly connector: MarketConnector }[]
  /** Has them offer what they do at this stage. */
  change(stage: number): Promise<void>
}
type Message = { type: 'ready' } & Omit<DemoMarkets, 'change'>

/** Runs the markets until this process ends, at low priority. Rejects where they cannot be started (a port is taken). */
export async function startMarkets(config: object): Promise<DemoMarkets> {
  const execArgv = ['--max-semi-space-size=2', '--max-old-space-size=128']
  if (fromSource) execArgv.push('--import', import.meta.resolve('tsx'))
  const child = fork(program, [JSON.stringify(config)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const ended = once(child, 'exit').then(() => {
    throw new Error('the markets ended')
  })
  // A process that ends while no change is awaited is no error.
  ended.catch(() => {})
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Message]
  return {
    ...ready,
    async change(stage) {
      child.send({ type: 'stage', stage })
      await Promise.race([once(child, 'message'), ended])
    },
  }
}
