/**
 * The published rule by which a staged roll-out stops by itself. The devices that have the new version are held against those of the same
 * app versions that have another one or none, over the same time by arrival, so that neither a busy evening nor a bad app release counts
 * against the policy. Nothing is judged before both sides are large enough, and nothing once everybody has the new version.
 */
export const GUARD = {
  version: 1,
  /** Both sides need so many devices that sent anything, and so many starts. */
  devices: 20,
  starts: 200,
  /** Longest time that is looked at; it restarts with each change of the deployment. */
  hours: 24,
  /** More devices than this of one side are not looked at: the first ones by their hash, which is as good as drawn. */
  most: 5000,
  /** A difference counts from so many standard errors on: chance alone is as far off once in a thousand. */
  errors: 3,
  /** Failures (crashes, ANRs, exceptions) a start: so many times as often, and at least this much more. */
  failures: { times: 1.5, more: 0.005 },
  /** Devices whose app was blocked or left: so many times as large a share, and at least this much more. */
  stopped: { times: 2, more: 0.1 },
} as const

/** One side: devices that sent anything in the span, what they did. */
export type GuardSide = {
  devices: number
  starts: number
  failures: number
  /** Devices with an attack that the app blocked or left for. */
  stopped: number
}
type GuardReason = 'failures' | 'stopped'
/** What was measured, and what follows. `few`: too little of either side; `alone`: everybody has the new version. */
export type GuardReading = {
  from: number
  to: number
  next: GuardSide
  others: GuardSide
  verdict: 'few' | 'alone' | 'fine' | 'stop'
  reasons: GuardReason[]
}

/** What a measurement says; each reason alone stops. */
export function judgeRollOut(
  next: GuardSide,
  others: GuardSide,
  percent: number,
): Pick<GuardReading, 'verdict' | 'reasons'> {
  if (percent >= 100) return { verdict: 'alone', reasons: [] }
  if ([next, others].some(({ devices, starts }) => devices < GUARD.devices || starts < GUARD.starts))
    return { verdict: 'few', reasons: [] }
  const reasons: GuardReason[] = []
  if (worse([next.failures, next.starts], [others.failures, others.starts], GUARD.failures)) reasons.push('failures')
  if (worse([next.stopped, next.devices], [others.stopped, others.devices], GUARD.stopped)) reasons.push('stopped')
  return { verdict: reasons.length > 0 ? 'stop' : 'fine', reasons }
}

type Count = readonly [count: number, of: number]

/** Whether a rate is worse: by factor, by difference, and beyond chance (of counts that come one by one). */
function worse([a, of]: Count, [b, ofOthers]: Count, { times, more }: { times: number; more: number }): boolean {
  const [rate, usual] = [a / of, b / ofOthers]
  const pooled = (a + b) / (of + ofOthers)
  const error = Math.sqrt(pooled * (1 / of + 1 / ofOthers))
  return rate >= usual * times && rate - usual >= more && rate - usual > GUARD.errors * error
}
