import type { Action } from '#src/shared/ui/actions.ts'

/**
 * Actions that hold every word of the search, best first: label begins with it, label holds it, another word holds it. Groups stay
 * together in the order of their best hit; without a search everything in its own order.
 */
export function rank(actions: readonly Action[], search: string): readonly Action[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return grouped(actions)
  const scored = actions.flatMap((action) => {
    const label = action.label.toLowerCase()
    const all = `${label} ${action.group} ${action.words ?? ''}`.toLowerCase()
    if (!words.every((word) => all.includes(word))) return []
    const first = words[0] as string
    return [{ action, score: label.startsWith(first) ? 0 : label.includes(first) ? 1 : 2 }]
  })
  return grouped(scored.sort((a, b) => a.score - b.score).map(({ action }) => action))
}

function grouped(actions: readonly Action[]): readonly Action[] {
  const groups = new Map<string, Action[]>()
  for (const action of actions) groups.set(action.group, [...(groups.get(action.group) ?? []), action])
  return [...groups.values()].flat()
}
