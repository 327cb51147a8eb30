import type { Caller, ServerDeps } from '../http/module.ts'

const HOUR_MS = 3_600_000
const REMEMBERED = 5000

/**
 * Writes down that somebody was shown whole addresses by a page that shows them on its own (a link graph, the addresses with most attacks)
 * rather than when he presses for them. Such pages ask again and again: one entry an hour for each session and target.
 */
export function personalLooks(
  deps: Pick<ServerDeps, 'audit' | 'now'>,
): (caller: Caller, target: string) => Promise<void> {
  const told = new Map<string, number>()
  return async (caller, target) => {
    const key = `${caller.credential}\n${target}`
    const now = deps.now()
    if (now - (told.get(key) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return
    told.delete(key)
    told.set(key, now)
    if (told.size > REMEMBERED) told.delete(told.keys().next().value as string)
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
