import type { Alert } from './alerts.ts'

/** Alerts of one rule that are raised within this of each other tell one thing: several values of its split at once. */
const TOGETHER_MS = 120_000

type Raised = Pick<Alert, 'id' | 'rule' | 'by' | 'key' | 'raised_at'>

/** Whether both are alerts of one rule that were raised together, for different values of its split. */
export function areSiblings(a: Raised, b: Raised): boolean {
  return (
    a.id !== b.id &&
    a.by !== null &&
    a.by === b.by &&
    a.rule.id === b.rule.id &&
    a.key !== b.key &&
    Math.abs(a.raised_at - b.raised_at) <= TOGETHER_MS
  )
}

/** The list in its order, siblings of one state behind the first of them. */
export function groupSiblings<T extends Raised & Pick<Alert, 'state'>>(list: readonly T[]): T[][] {
  const groups: T[][] = []
  for (const one of list) {
    const group = groups.find(([first]) => first !== undefined && first.state === one.state && areSiblings(first, one))
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups
}
