/** `*` matches any characters but a point, `**` any, `?` one. */
export function namePattern(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^.]*' : '[^.]'))
  return new RegExp(`^${source}$`)
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
