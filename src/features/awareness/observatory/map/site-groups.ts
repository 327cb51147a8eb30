import type { Point } from '../../../../shared/map/mercator.ts'

/**
 * Sites that stand so near to each other on the screen that their plates would run into one another, as lists of indexes; each list in
 * the order given, the lists by their first member.
 */
export function groupSites(points: readonly Point[], near: number): number[][] {
  const groups: number[][] = []
  const done = new Set<number>()
  for (let i = 0; i < points.length; i++) {
    if (done.has(i)) continue
    const group = [i]
    done.add(i)
    // A member may bring others with it.
    for (let k = 0; k < group.length; k++) {
      const [x, y] = points[group[k] as number] as Point
      for (let j = i + 1; j < points.length; j++) {
        const [px, py] = points[j] as Point
        if (done.has(j) || Math.hypot(px - x, py - y) >= near) continue
        done.add(j)
        group.push(j)
      }
    }
    groups.push(group.sort((a, b) => a - b))
  }
  return groups
}
