import type { Deployment } from '#contracts/http/policies.ts'

/** The automatic stop of a deployment, until somebody resumes or ends it. */
export function stopOf({
  state,
  changes,
}: Pick<Deployment, 'state' | 'changes'>): Deployment['changes'][number] | undefined {
  const last = changes.findLast(({ what }) => what !== 'guard' && what !== 'unguard')
  return state === 'paused' && last?.what === 'stopped' ? last : undefined
}
