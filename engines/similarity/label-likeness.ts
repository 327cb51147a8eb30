/** Labels that hundreds of applications have: alike by chance. */
const GENERIC =
  /^(?:app|application|android|test|tests|demo|sample|example|main|mainactivity|helloworld|myapp|myapplication|应用|测试|我的应用|演示)\d*$/

/** Letters of other alphabets, digits and signs that look like a Latin letter. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  х: 'x',
  у: 'y',
  і: 'i',
  ј: 'j',
  ѕ: 's',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  ν: 'v',
  ı: 'i',
  '0': 'o',
  '1': 'l',
  '|': 'l',
  $: 's',
  '@': 'a',
}

/** A label as it looks: width, case, look-alike letters, separators and invisible characters do not count. */
export function plainLabel(label: string): string {
  const folded = label.normalize('NFKC').toLowerCase()
  return [...folded]
    .map((letter) => LOOK_ALIKE[letter] ?? letter)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** From 0 to 1; null where one has no label or one that says nothing. */
export function labelLikeness(a: string, b: string): number | null {
  const [one, other] = [plainLabel(a), plainLabel(b)]
  if (!one || !other || GENERIC.test(one) || GENERIC.test(other)) return null
  return textLikeness(one.slice(0, 60), other.slice(0, 60))
}

/** 1 less the edit distance (Levenshtein) as a share of the longer text. */
export function textLikeness(a: string, b: string): number {
  const [one, other] = [[...a], [...b]]
  const longest = Math.max(one.length, other.length)
  if (!longest) return 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return 1 - row[other.length]! / longest
}
