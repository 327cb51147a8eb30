/** `*` matches any characters but a point, `**` any, `?` one. */
export function namePattern(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^.]*' : '[^.]'))
  return new RegExp(`^${source}$`)
}

/** Whether patterns choose a name: one that begins with `!` takes out again what those before it chose. */
export function chosenBy(patterns: readonly string[]): (name: string) => boolean {
  const rules = patterns.map((pattern) => ({
    chooses: !pattern.startsWith('!'),
    pattern: namePattern(pattern.replace(/^!/, '')),
  }))
  return (name) => rules.reduce((chosen, rule) => (rule.pattern.test(name) ? rule.chooses : chosen), false)
}
