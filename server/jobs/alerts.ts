import { type DeliverDeps, deliverDue } from '../modules/alerts/deliver.ts'
import type { EvaluatorDeps } from '../modules/alerts/evaluate.ts'
import { aloneInCluster, createEvaluator } from '../modules/alerts/evaluate.ts'

const ROUND_MS = 5000

export type AlertsLoop = { stop(): Promise<void> }

/**
 * Judges windows and carries alerts out of the house, one round after the other. Whatever fails (the store is away, a database restart)
 * is said once and tried again in the next round; one process in a cluster does it at a time.
 */
export function startAlerts(deps: EvaluatorDeps & DeliverDeps, roundMs = ROUND_MS): AlertsLoop {
  const evaluator = createEvaluator(deps)
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let said = ''
  const attempt = async (work: () => Promise<unknown>): Promise<string> => {
    try {
      await work()
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  const say = (problem: string) => {
    if (problem && problem !== said) console.error('alerts:', problem)
    said = problem
  }

  async function round(): Promise<void> {
    const problems = await Promise.all([
      attempt(() => aloneInCluster(deps.meta, 'alerts', () => evaluator.round())),
      attempt(() => deliverDue(deps)),
    ])
    say(problems.filter(Boolean).join('; '))
  }
  let running = Promise.resolve()
  const next = () => {
    if (stopping) return
    running = round().finally(() => {
      timer = setTimeout(next, roundMs)
    })
  }
  next()
  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
  }
}
