import type { ChildProcess, ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { type Program, startProgram } from '../programs.ts'

export type Keeper = {
  /** Resolves when the program first sent {ready: true}; rejects when it ended before that for the third time. */
  ready: Promise<void>
  pid(): number | undefined
  stop(): Promise<void>
}
const STOP_MS = 10_000
const FIRST_TRIES = 3

/** Runs the program and starts it again whenever it ends, waiting 100 ms at first and up to 5 s while it keeps failing. */
export function keep(
  program: Program,
  args: readonly string[],
  { stopped, say, ...options }: { stopped(): boolean; say(text: string): void } & Pick<ForkOptions, 'execArgv' | 'env'>,
): Keeper {
  let current: ChildProcess | undefined
  let settle: { resolve(): void; reject(error: Error): void } | undefined
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  ready.catch(() => {}) // whoever awaits it sees the rejection
  let wasReady = false
  let tries = 0

  function begin(wait: number): void {
    const process = startProgram(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const since = Date.now()
    current = process
    process.on('message', (message: { ready?: boolean }) => {
      if (!message.ready) return
      wasReady = true
      settle?.resolve()
    })
    process.once('exit', (code, signal) => {
      if (stopped()) return
      tries++
      if (!wasReady && tries >= FIRST_TRIES) {
        settle?.reject(new Error(`${program} does not start (exit ${code ?? signal})`))
        return
      }
      const next = Date.now() - since > 30_000 ? 100 : Math.min(wait * 2, 5000)
      say(`${program} ended (${code ?? signal}), starting it again`)
      setTimeout(() => !stopped() && begin(next), wait)
    })
  }
  begin(100)

  return {
    ready,
    pid: () => current?.pid,
    async stop() {
      const process = current
      if (!process || process.exitCode !== null || process.signalCode !== null) return
      const exit = once(process, 'exit')
      process.kill('SIGTERM')
      const timer = setTimeout(() => process.kill('SIGKILL'), STOP_MS)
      await exit
      clearTimeout(timer)
    },
  }
}
