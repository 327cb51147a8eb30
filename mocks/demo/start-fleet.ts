import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { HistoryPhase } from '../device-fleet/history-plan.ts'

// From source under tsx, or a bundle beside ours.
const fromSource = import.meta.url.endsWith('.ts')
const program = fromSource
  ? new URL('../device-fleet/main.ts', import.meta.url)
  : new URL('./device-fleet.js', import.meta.url)

export type FleetMessage =
  | { type: 'first'; seconds: number }
  | { type: 'history'; phase: HistoryPhase; events: number; seconds: number; spansLeft: number; done: boolean }
  | { type: 'counts' | 'bad-device' }
  | { type: 'note'; text: string }

/** Runs the fleet and runs it again when it ends. Answers the function that stops it for good. */
export function startFleet(config: object, onMessage: (message: FleetMessage) => void): () => void {
  let child: ChildProcess | undefined
  let stopped = false
  function begin(): void {
    const execArgv = [
      '--max-semi-space-size=8',
      '--max-old-space-size=256',
      ...(fromSource ? ['--import', import.meta.resolve('tsx')] : []),
    ]
    // Batches are packed in four threads: with heaps of their own they hold 12 MB that stay unused.
    const env = { ...process.env, MALLOC_ARENA_MAX: '2' }
    child = fork(program, [JSON.stringify(config)], { execArgv, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    // What phones do costs the machine of the demo nothing in the real world: the product comes first.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    child.on('message', onMessage)
    child.once('exit', () => {
      if (!stopped) setTimeout(() => !stopped && begin(), 2000)
    })
  }
  begin()
  return () => {
    stopped = true
    child?.kill('SIGTERM')
  }
}
