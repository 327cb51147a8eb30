import type { Language } from '#contracts/errors.ts'
import { DEVICE_VERDICTS, SCORE_RULES, SCORE_WINDOW_DAYS, scoreOf } from '#domain/device-score.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { knownBuilds } from '../baselines/baseline-rows.ts'
import { currentDeviceVerdicts } from '../devices/device-records.ts'

const DAY_MS = 86_400_000

export type Reasons = {
  score: number
  limit: number
  /** Rule, name, count, points. */
  lines: { rule: string; name: string; count: number; points: number }[]
  /** What analysts decided, in words. */
  verdicts: string[]
}

/** Why a device counts as suspicious now, as its page says it, within the caller's scope. */
export async function deviceReasons(
  deps: Pick<ServerDeps, 'meta' | 'store' | 'settings' | 'now'>,
  caller: Caller,
  device: string,
  language: Language,
): Promise<Reasons> {
  const now = deps.now()
  const { zone, suspicious_from: limit } = deps.settings()
  const known = await knownBuilds(deps.meta.db, caller.scope)
  const span = { from: now - SCORE_WINDOW_DAYS * DAY_MS, to: now + 1 }
  const [hits, verdicts] = await Promise.all([
    deps.store.hits({ span, scope: caller.scope, filters: [], zone, ...known }, device),
    currentDeviceVerdicts(deps.meta.db, caller.scope, [device]),
  ])
  return {
    score: scoreOf(Object.fromEntries(hits.map(({ rule, count }) => [rule, count]))),
    limit,
    lines: hits.map(({ rule, count, points }) => ({
      rule,
      count,
      points,
      name: SCORE_RULES.find((one) => one.id === rule)?.[language] ?? rule,
    })),
    verdicts: [...new Set(verdicts.flatMap(({ verdict }) => (verdict ? [DEVICE_VERDICTS[verdict][language]] : [])))],
  }
}
