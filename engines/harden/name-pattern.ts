/** `*` matches any characters but a point, `**` any, `?` one. */
export function namePattern(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^.]*' : '[^.]'))
  return new RegExp(`^${source}$`)
}

/** Finds patterns that match nothing, those that take out too: `see` is given the names of everything that there is. */
export class UnmatchedPatterns {
  private readonly left: Map<string, RegExp>

  constructor(patterns: readonly string[]) {
    this.left = new Map(patterns.map((pattern) => [pattern, namePattern(pattern.replace(/^!/, ''))]))
  }

  see(...names: string[]): void {
    for (const [pattern, expression] of this.left)
      if (names.some((name) => expression.test(name))) this.left.delete(pattern)
  }

  get patterns(): readonly string[] {
    return [...this.left.keys()]
  }
}

/**
 * Whether patterns choose something by one of its names: a pattern that begins with `!` takes out again what those before it chose.
 */
export function chosenBy(patterns: readonly string[]): (...names: string[]) => boolean {
  const rules = patterns.map((pattern) => ({
    chooses: !pattern.startsWith('!'),
    pattern: namePattern(pattern.replace(/^!/, '')),
  }))
  return (...names) =>
    rules.reduce((chosen, { chooses, pattern }) => (names.some((name) => pattern.test(name)) ? chooses : chosen), false)
}
