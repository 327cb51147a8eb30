import type { Caller, ServerDeps } from '../http/module.ts'

const HOUR_MS = 3_600_000
const REMEMBERED = 5000

/**
 * Audits that a page showed whole addresses without being asked for them (a link graph, the addresses with most attacks). Such pages
 * repeat their queries: one entry an hour for each session and target.
 */
export function personalLooks(
  deps: Pick<ServerDeps, 'audit' | 'now'>,
): (caller: Caller, target: string) => Promise<void> {
  const lastEntry = new Map<string, number>()
  return async (caller, target) => {
    const key = `${caller.credential}\n${target}`
    const now = deps.now()
    if (now - (lastEntry.get(key) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return
    lastEntry.delete(key)
    lastEntry.set(key, now)
    if (lastEntry.size > REMEMBERED) lastEntry.delete(lastEntry.keys().next().value as string)
    await deps.audit({
      account: caller.username,
      role: caller.role,
      action: 'personal.addresses',
      target,
      result: 'ok',
      address: caller.address,
      detail: '',
    })
  }
}
