/** `*` is any characters within a folder, `**` for any, `?` for one; the time it takes does not explode with many stars. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = pattern.match(/\*\*+|./gsu) ?? []
  const letters = [...path]
  // Places of the pattern that the path so far leads to; a star is one that may be passed at once.
  const passStars = (places: Set<number>): Set<number> => {
    for (const place of places) if (parts[place]?.startsWith('*')) places.add(place + 1)
    return places
  }
  let places = passStars(new Set([0]))
  for (const letter of letters) {
    const next = new Set<number>()
    for (const place of places) {
      const part = parts[place]
      if (part === undefined) continue
      if (part === letter && !part.startsWith('*')) next.add(place + 1)
      else if (part === '?' && letter !== '/') next.add(place + 1)
      else if (part === '*' ? letter !== '/' : part.startsWith('**')) next.add(place)
    }
    if (!next.size) return false
    places = passStars(next)
  }
  return places.has(parts.length)
}

/** Whether patterns choose a path: one that begins with `!` takes out again what those before it chose. */
export function choosesPath(patterns: readonly string[], path: string): boolean {
  return patterns.reduce(
    (chosen, pattern) => (matchesPath(pattern.replace(/^!/, ''), path) ? !pattern.startsWith('!') : chosen),
    false,
  )
}
