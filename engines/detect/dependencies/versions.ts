/** Numbers of a version, a letter at their end (`1.1.1k`) counting as one more: 1, 1, 1, 11; `za` comes behind `z`. */
function numbersOf(version: string): number[] {
  const match = /^[^\d]{0,8}(\d{1,9}(?:\.\d{1,9}){0,5})([a-z]{1,2})?(?![a-z])/.exec(version)
  if (!match) return []
  const letters = [...(match[2] ?? '')].reduce((sum, letter) => sum + letter.charCodeAt(0) - 96, 0)
  return [...match[1]!.split('.').map(Number), ...(letters ? [letters] : [])]
}

/** Undefined where one of them has no number to compare. */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  if (!left.length || !right.length) return undefined
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference) return difference
  }
  return 0
}

export const olderThan = (version: string, fixed: string): boolean => (compareVersions(version, fixed) ?? 0) < 0
