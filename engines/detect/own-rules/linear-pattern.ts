/** A regular expression that is matched in time linear in the text: no back references, no look-around, counts bounded. */
export interface LinearPattern {
  readonly source: string
  test(text: string): boolean
}

export class PatternError extends Error {
  readonly position: number
  constructor(position: number, message: string) {
    super(message)
    this.name = 'PatternError'
    this.position = position
  }
}

const MOST_STATES = 2000
const MOST_REPEATS = 100
const LONGEST_PATTERN = 1000
const LONGEST_TEXT = 16_384

type Accepts = (code: number) => boolean

type Node =
  | { readonly kind: 'char'; readonly accepts: Accepts }
  | { readonly kind: 'begin' | 'end' | 'boundary' | 'empty' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }

const WORD: Accepts = (code) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
const DIGIT: Accepts = (code) => code >= 48 && code <= 57
const SPACE: Accepts = (code) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff
const CLASSES: Readonly<Record<string, Accepts>> = { w: WORD, d: DIGIT, s: SPACE }
const not =
  (accepts: Accepts): Accepts =>
  (code) =>
    !accepts(code)

/** Throws PatternError with the position in the pattern. */
export function linearPattern(source: string, ignoreCase = false): LinearPattern {
  if (source.length > LONGEST_PATTERN) throw new PatternError(0, `longer than ${LONGEST_PATTERN} characters`)
  const program = compile(new PatternParser(source, ignoreCase).parse())
  return { source, test: (text) => run(program, text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text) }
}

class PatternParser {
  private at = 0
  private depth = 0
  private readonly source: string
  private readonly ignoreCase: boolean

  constructor(source: string, ignoreCase: boolean) {
    this.source = source
    this.ignoreCase = ignoreCase
  }

  parse(): Node {
    const node = this.choice()
    if (this.at < this.source.length) throw this.error(`unexpected "${this.source[this.at]}"`)
    return node
  }

  private error(message: string, at = this.at): PatternError {
    return new PatternError(at, message)
  }

  private choice(): Node {
    const parts = [this.sequence()]
    while (this.source[this.at] === '|') {
      this.at++
      parts.push(this.sequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  private sequence(): Node {
    const parts: Node[] = []
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')')
      parts.push(this.repeated())
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  private repeated(): Node {
    const part = this.atom()
    const mark = this.source[this.at]
    const simple = mark === '*' ? [0, Infinity] : mark === '+' ? [1, Infinity] : mark === '?' ? [0, 1] : undefined
    if (simple) {
      this.at++
      return this.repeat(part, simple[0]!, simple[1]!)
    }
    const counts = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(this.source.slice(this.at, this.at + 14))
    if (!counts) return part
    const least = Number(counts[1])
    const most = counts[3] ? Number(counts[3]) : counts[2] ? Infinity : least
    if (least > MOST_REPEATS || (most !== Infinity && (most > MOST_REPEATS || most < least)))
      throw this.error(`counts go to ${MOST_REPEATS}`)
    this.at += counts[0].length
    return this.repeat(part, least, most)
  }

  private repeat(part: Node, least: number, most: number): Node {
    // Whether the shortest or the longest match is tried first does not change if there is one.
    if (this.source[this.at] === '?') this.at++
    if (/[*+?]/.test(this.source[this.at] ?? '')) throw this.error('nothing to repeat')
    return { kind: 'repeat', part, least, most }
  }

  private atom(): Node {
    const character = this.source[this.at]!
    if (character === '(') return this.group()
    if (character === '[') return this.set()
    if (character === '\\') return this.escape()
    if (/[*+?{]/.test(character) && (character !== '{' || /^\{\d/.test(this.source.slice(this.at))))
      throw this.error('nothing to repeat')
    this.at++
    if (character === '.') return { kind: 'char', accepts: (code) => code !== 10 && code !== 13 }
    if (character === '^') return { kind: 'begin' }
    if (character === '$') return { kind: 'end' }
    return this.literal(character.charCodeAt(0))
  }

  private group(): Node {
    const open = this.at
    this.at++
    if (this.source[this.at] === '?') {
      if (this.source[this.at + 1] !== ':') throw this.error('look-around and named groups are not supported')
      this.at += 2
    }
    if (++this.depth > 50) throw this.error('too deep')
    const node = this.choice()
    if (this.source[this.at] !== ')') throw this.error('group without end', open)
    this.at++
    this.depth--
    return node
  }

  private escape(): Node {
    const character = this.source[this.at + 1]
    if (character === undefined) throw this.error('nothing behind "\\"')
    if (character === 'b') {
      this.at += 2
      return { kind: 'boundary' }
    }
    const accepts = this.escaped()
    return typeof accepts === 'number' ? this.literal(accepts) : { kind: 'char', accepts }
  }

  /** A class or the code of a character; moves behind it. */
  private escaped(): Accepts | number {
    const character = this.source[this.at + 1]
    if (character === undefined) throw this.error('nothing behind "\\"')
    const known = CLASSES[character.toLowerCase()]
    if (known) {
      this.at += 2
      return character === character.toLowerCase() ? known : not(known)
    }
    const hex = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(this.source.slice(this.at, this.at + 6))
    if (hex) {
      this.at += hex[0].length
      return Number.parseInt(hex[1] ?? hex[2]!, 16)
    }
    const control = { n: 10, r: 13, t: 9, f: 12, v: 11, '0': 0 }[character]
    if (control === undefined && /[A-Za-z0-9]/.test(character)) throw this.error(`"\\${character}" is not supported`)
    this.at += 2
    return control ?? character.charCodeAt(0)
  }

  private set(): Node {
    const open = this.at
    this.at++
    const negated = this.source[this.at] === '^'
    if (negated) this.at++
    const accepted: Accepts[] = []
    while (this.source[this.at] !== ']') {
      if (this.at >= this.source.length) throw this.error('set without end', open)
      const from = this.setCharacter()
      if (typeof from !== 'number') accepted.push(from)
      else if (this.source[this.at] === '-' && this.source[this.at + 1] !== ']' && this.at + 1 < this.source.length) {
        this.at++
        const to = this.setCharacter()
        if (typeof to !== 'number' || to < from) throw this.error('range out of order')
        accepted.push(this.range(from, to))
      } else accepted.push(this.range(from, from))
    }
    this.at++
    const any: Accepts = (code) => accepted.some((accepts) => accepts(code))
    return { kind: 'char', accepts: negated ? not(any) : any }
  }

  private setCharacter(): Accepts | number {
    if (this.source[this.at] === '\\') return this.escaped()
    return this.source.charCodeAt(this.at++)
  }

  private range(from: number, to: number): Accepts {
    const plain: Accepts = (code) => code >= from && code <= to
    return this.ignoreCase ? (code) => plain(code) || plain(lower(code)) || plain(upper(code)) : plain
  }

  private literal(code: number): Node {
    return { kind: 'char', accepts: this.range(code, code) }
  }
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)
const upper = (code: number): number => (code >= 97 && code <= 122 ? code - 32 : code)

/** One step of the machine: a character to accept, a condition, or ways on. */
interface State {
  accepts?: Accepts
  condition?: 'begin' | 'end' | 'boundary'
  next: number[]
}

function compile(node: Node): readonly State[] {
  const states: State[] = []
  const add = (state: State): number => {
    if (states.length >= MOST_STATES) throw new PatternError(0, 'the pattern is too large')
    return states.push(state) - 1
  }
  /** Builds a part that goes on at `to`; gives where it begins. Built backwards, so every way on is known. */
  const build = (part: Node, to: number): number => {
    switch (part.kind) {
      case 'char':
        return add({ accepts: part.accepts, next: [to] })
      case 'empty':
        return to
      case 'begin':
      case 'end':
      case 'boundary':
        return add({ condition: part.kind, next: [to] })
      case 'sequence':
        return part.parts.reduceRight((on, one) => build(one, on), to)
      case 'choice':
        return add({ next: part.parts.map((one) => build(one, to)) })
      case 'repeat': {
        let on = to
        if (part.most === Infinity) {
          const loop = add({ next: [to] })
          states[loop]!.next.push(build(part.part, loop))
          on = loop
        } else for (let i = part.least; i < part.most; i++) on = add({ next: [to, build(part.part, on)] })
        for (let i = 0; i < part.least; i++) on = build(part.part, on)
        return on
      }
    }
  }
  const accept = add({ next: [] })
  const start = build(node, accept)
  // The first state is where matching begins, the accepting one stays the last word: index 0.
  states.push({ next: [start] })
  return states
}

/** All ways at once: each character moves every state at most once. */
function run(states: readonly State[], text: string): boolean {
  const start = states.length - 1
  let current = new Set<number>()
  for (let at = 0; at <= text.length; at++) {
    if (enter(states, start, text, at, current)) return true
    const code = at < text.length ? text.charCodeAt(at) : -1
    const following = new Set<number>()
    for (const index of current) {
      const state = states[index]!
      if (state.accepts && code >= 0 && state.accepts(code))
        for (const next of state.next) if (enter(states, next, text, at + 1, following)) return true
    }
    current = following
  }
  return false
}

/** Adds a state with all that is reached from it without a character; true where the end is among them. */
function enter(states: readonly State[], first: number, text: string, at: number, into: Set<number>): boolean {
  const open = [first]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (into.has(index)) continue
    into.add(index)
    if (index === 0) return true
    const { accepts, condition, next } = states[index]!
    if (accepts || (condition && !holds(condition, text, at))) continue
    open.push(...next)
  }
  return false
}

function holds(condition: 'begin' | 'end' | 'boundary', text: string, at: number): boolean {
  if (condition === 'begin') return at === 0
  if (condition === 'end') return at === text.length
  const before = at > 0 && WORD(text.charCodeAt(at - 1))
  const after = at < text.length && WORD(text.charCodeAt(at))
  return before !== after
}
