/** Steps of a path such as `data.list[0].name`; `[*]` goes through an array. '' is the value itself. Undefined if it is no path. */
export function parseJsonPath(path: string): (string | number | '*')[] | undefined {
  if (path === '' || path === '$') return []
  if (path.length > 200) return undefined
  const steps: (string | number | '*')[] = []
  let rest = path.replace(/^\$\.?/, '')
  while (rest) {
    const match = /^(?:\[(\*|\d{1,6})\]|([^.[\]]+))\.?/.exec(rest)
    if (!match) return undefined
    steps.push(match[1] === undefined ? match[2]! : match[1] === '*' ? '*' : Number(match[1]))
    rest = rest.slice(match[0].length)
  }
  return steps
}

/** The values that a path leads to, at most `limit`; own properties alone. */
export function valuesAt(value: unknown, steps: readonly (string | number | '*')[], limit: number): unknown[] {
  let found: unknown[] = [value]
  for (const step of steps) {
    const next: unknown[] = []
    for (const one of found) {
      if (typeof one !== 'object' || one === null) continue
      if (step === '*') next.push(...(Array.isArray(one) ? one : Object.values(one)).slice(0, limit))
      else if (Object.hasOwn(one, step)) next.push((one as Record<string, unknown>)[step])
      if (next.length >= limit) break
    }
    found = next.slice(0, limit)
  }
  return found
}
