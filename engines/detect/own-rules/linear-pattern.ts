import { RE2JS, RE2JSException } from 're2js'

/** A regular expression that is matched in time linear in the text: no back references, no look-around, counts bounded. */
export interface LinearPattern {
  readonly source: string
  /** Instructions of the matcher. */
  readonly states: number
  test(text: string): boolean
  /** The first `most` matches from left to right, and how many there are; an empty match is one too. */
  find(text: string, most: number): { readonly matches: readonly PatternMatch[]; readonly total: number }
}

export interface PatternMatch {
  readonly from: number
  readonly to: number
  /** What the brackets matched; null where one took no part. */
  readonly groups: readonly (string | null)[]
}

export class PatternError extends Error {
  readonly position: number
  constructor(position: number, message: string) {
    super(message)
    this.name = 'PatternError'
    this.position = position
  }
}

/** Instructions of the matcher: each character of the text costs up to as many steps. */
const MOST_STATES = 2000
const LONGEST_PATTERN = 1000
const LONGEST_TEXT = 16_384

/** RE2 syntax, plus `\uXXXX` as in JavaScript. Throws PatternError with the position of the error, or 0 if RE2 does not report one. */
export function linearPattern(source: string, ignoreCase = false): LinearPattern {
  if (source.length > LONGEST_PATTERN) throw new PatternError(0, `longer than ${LONGEST_PATTERN} characters`)
  const program = compile(source, ignoreCase)
  if (program.programSize() > MOST_STATES) throw new PatternError(0, 'the pattern is too large')
  const bounded = (text: string) => (text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text)
  return {
    source,
    states: program.programSize(),
    test: (text) => program.test(bounded(text)),
    find: (text, most) => findAll(program, bounded(text), most),
  }
}

function findAll(program: RE2JS, text: string, most: number) {
  const matcher = program.matcher(text)
  const matches: PatternMatch[] = []
  let total = 0
  while (matcher.find()) {
    total++
    if (matches.length >= most) continue
    const groups = Array.from({ length: matcher.groupCount() }, (_, at) => matcher.group(at + 1) ?? null)
    matches.push({ from: matcher.start(), to: matcher.end(), groups })
  }
  return { matches, total }
}

function compile(source: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const [, reason = error.message, part = ''] =
      /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(error.message) ?? []
    throw new PatternError(Math.max(0, source.indexOf(part)), part ? `${reason}: ${part}` : reason)
  }
}
