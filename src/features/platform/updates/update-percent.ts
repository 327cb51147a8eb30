import { RETURN_STEPS, UPDATE_STEPS, type UpdateRecord, type UpdateStep } from '#contracts/http/updates.ts'

/** The steps that a record has or will have, in their order. */
export function stepsOf({ kind, state, steps }: Pick<UpdateRecord, 'kind' | 'state' | 'steps'>): UpdateStep[] {
  const isReturning = state === 'returning' || steps.some(({ name }) => name.startsWith('back_'))
  if (kind === 'rollback') return [...RETURN_STEPS]
  if (!isReturning) return [...UPDATE_STEPS]
  return [...steps.map(({ name }) => name).filter((name) => !name.startsWith('back_')), ...RETURN_STEPS]
}

/** 0 to 1: a running step counts as half. 1 only when the record has ended. */
export function progressOf(record: Pick<UpdateRecord, 'kind' | 'state' | 'steps' | 'ended_at'>): number {
  if (record.ended_at !== null) return 1
  const all = stepsOf(record)
  const done = record.steps.reduce((sum, { ended_at }) => sum + (ended_at === null ? 0.5 : 1), 0)
  return Math.min(0.99, done / all.length)
}
