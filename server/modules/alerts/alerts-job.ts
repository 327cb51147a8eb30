import { aloneInCluster } from '../../platform/queue/alone-in-cluster.ts'
import { type Loop, repeat } from '../../platform/queue/repeat.ts'
import { type DeliverDeps, deliverDue } from './deliver.ts'
import type { EvaluatorDeps } from './evaluate.ts'
import { createEvaluator } from './evaluate.ts'

const ROUND_MS = 5000

/** Judges windows and sends alerts to external channels, one round after the other; one process in a cluster judges at a time. */
export function startAlerts(deps: EvaluatorDeps & DeliverDeps, roundMs = ROUND_MS): Loop {
  const evaluator = createEvaluator(deps)
  return repeat('alerts', roundMs, async () => {
    const ended = await Promise.allSettled([
      aloneInCluster(deps.meta, 'alerts', () => evaluator.round()),
      deliverDue(deps),
    ])
    const problems = ended.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
    if (problems.length > 0) throw new Error(problems.join('; '))
  })
}
