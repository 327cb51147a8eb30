import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadReport } from './ingest-load.ts'

/** Batches under way at once. */
export const CONNECTIONS = 16

/**
 * Sends batches to a collector from a process of its own for `duration` ms. `run` must be another one for each call that reaches the
 * same collector: ids are made from it. `key`: a server key.
 */
export async function sendLoad(port: number, key: string, duration: number, run: number): Promise<LoadReport> {
  const child = fork(new URL('./ingest-load.ts', import.meta.url), [port, key, CONNECTIONS, run].map(String), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  })
  await once(child, 'message')
  setTimeout(() => child.send('stop'), duration)
  const [report] = (await once(child, 'message')) as [LoadReport]
  return report
}
