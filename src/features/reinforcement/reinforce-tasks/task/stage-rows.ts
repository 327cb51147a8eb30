import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { type ReinforceStage, type reinforceTask, stagesOf } from '#contracts/http/reinforce-tasks.ts'
import type { ReinforceKind } from '#domain/reinforce-kinds.ts'

export type TaskDetail = ResponseOf<typeof reinforceTask>
export type BegunStage = TaskDetail['stages'][number]

/** `last`: where it is, or where it ended. */
export type StageRow = {
  stage: ReinforceStage
  state: 'done' | 'last' | 'next'
  ms: number | null
  begun: BegunStage | null
}

/**
 * The stages of a package of this kind to show: begun ones with how long each took (the last one until `end`, epoch ms: the end of the task,
 * or now), then those that follow. Stages that were passed over are left out.
 */
export function stageRows(
  kind: ReinforceKind,
  begun: readonly BegunStage[],
  end: number | null,
  hasSucceeded = false,
): StageRow[] {
  const order = stagesOf(kind)
  const byStage = new Map(begun.map((one) => [one.stage, one]))
  const inOrder = order.flatMap((stage) => byStage.get(stage) ?? [])
  const last = inOrder.at(-1)
  const lastAt = last ? order.indexOf(last.stage) : -1
  return order.flatMap((stage, index): StageRow[] => {
    const one = byStage.get(stage)
    if (!one) return index < lastAt || hasSucceeded ? [] : [{ stage, state: 'next', ms: null, begun: null }]
    const until = inOrder[inOrder.indexOf(one) + 1]?.began_at ?? end
    const ms = until === null ? null : Math.max(0, until - one.began_at)
    return [{ stage, state: one === last && !hasSucceeded ? 'last' : 'done', ms, begun: one }]
  })
}

/** Below this share an estimate would be a guess. */
const ESTIMATE_FROM = 0.05

/** Milliseconds that are left at the speed so far; null while that is a guess. */
export function timeLeft(elapsed: number, progress: number): number | null {
  if (progress < ESTIMATE_FROM || progress >= 1) return null
  return (elapsed * (1 - progress)) / progress
}
