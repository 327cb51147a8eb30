import { type ChildProcess, fork } from 'node:child_process'

// From source under tsx, or a bundle beside ours.
const fromSource = import.meta.url.endsWith('.ts')
const program = fromSource
  ? new URL('../device-fleet/main.ts', import.meta.url)
  : new URL('./device-fleet.js', import.meta.url)

export type FleetMessage =
  | { type: 'first'; seconds: number }
  | { type: 'history'; phase: 'day' | 'days'; events: number; seconds: number; spansLeft: number; done: boolean }
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
