import type { LogOutput } from '#contracts/http/audit-log.ts'

/** What an output is at: switched off, its last attempt failed, entries wait, or all were sent. */
export type OutputState = 'off' | 'failed' | 'waiting' | 'sent'

export function outputState({
  enabled,
  error,
  waiting,
}: Pick<LogOutput, 'enabled' | 'error' | 'waiting'>): OutputState {
  if (!enabled) return 'off'
  if (error !== '') return 'failed'
  return waiting > 0 ? 'waiting' : 'sent'
}

/** How many fail, how many entries the slowest of the others has to send, how many are done. */
export function outputsState(outputs: readonly LogOutput[]): { failed: number; waiting: number; sent: number } {
  const of = (state: OutputState) => outputs.filter((one) => outputState(one) === state)
  return {
    failed: of('failed').length,
    waiting: Math.max(0, ...of('waiting').map(({ waiting }) => waiting)),
    sent: of('sent').length,
  }
}
