import { linearPattern, PatternError } from './linear-pattern.ts'
import {
  type Comparison,
  QUESTION_BY_NAME,
  type RuleExpression,
  RuleSyntaxError,
  type RuleValue,
} from './rule-syntax.ts'

const LONGEST_RULE = 4000
const DEEPEST = 32
const MOST_QUESTIONS = 60

interface Token {
  readonly kind: 'name' | 'text' | 'pattern' | 'number' | 'mark' | 'end'
  readonly text: string
  readonly flags?: string
  readonly position: number
}

/**
 * Reads a rule: questions such as `call("Ljava/lang/Runtime;->exec(")` joined by `&&`, `||`, `!` and brackets, and comparisons such as
 * `targetSdk < 30`. Throws RuleSyntaxError with the position.
 */
export function parseRule(source: string): RuleExpression {
  if (source.length > LONGEST_RULE)
    throw new RuleSyntaxError(
      LONGEST_RULE,
      `规则超过 ${LONGEST_RULE} 个字符`,
      `a rule has at most ${LONGEST_RULE} characters`,
    )
  return new RuleParser(tokens(source)).parse()
}

function tokens(source: string): Token[] {
  const found: Token[] = []
  let at = 0
  while (at < source.length) {
    const rest = source.slice(at)
    const space = /^\s+/.exec(rest)
    if (space) {
      at += space[0].length
      continue
    }
    const token = tokenAt(rest, at)
    found.push(token.token)
    at += token.length
  }
  return [...found, { kind: 'end', text: '', position: source.length }]
}

function tokenAt(rest: string, position: number): { token: Token; length: number } {
  const mark = /^(?:&&|\|\||<=|>=|==|!=|[()!,<>])/.exec(rest)
  if (mark) return { token: { kind: 'mark', text: mark[0], position }, length: mark[0].length }
  const name = /^[A-Za-z]\w*/.exec(rest)
  if (name) return { token: { kind: 'name', text: name[0], position }, length: name[0].length }
  const number = /^-?(?:0x[0-9a-f]{1,8}|\d{1,9})(?![\w.])/i.exec(rest)
  if (number) return { token: { kind: 'number', text: number[0], position }, length: number[0].length }
  if (rest[0] === '"') return textToken(rest, position)
  if (rest[0] === '/') return patternToken(rest, position)
  throw new RuleSyntaxError(position, `无法识别 "${rest[0]}"`, `"${rest[0]}" is not understood`)
}

function textToken(rest: string, position: number): { token: Token; length: number } {
  let text = ''
  for (let i = 1; i < rest.length; i++) {
    if (rest[i] === '"') return { token: { kind: 'text', text, position }, length: i + 1 }
    if (rest[i] === '\\' && i + 1 < rest.length) i++
    text += rest[i]
  }
  throw new RuleSyntaxError(position, '文本缺少结尾引号', 'the text has no end')
}

function patternToken(rest: string, position: number): { token: Token; length: number } {
  let inSet = false
  for (let i = 1; i < rest.length; i++) {
    const character = rest[i]
    if (character === '\\') i++
    else if (character === '[') inSet = true
    else if (character === ']') inSet = false
    else if (character === '/' && !inSet) {
      const flags = rest[i + 1] === 'i' ? 'i' : ''
      return { token: { kind: 'pattern', text: rest.slice(1, i), flags, position }, length: i + 1 + flags.length }
    }
  }
  throw new RuleSyntaxError(position, '正则缺少结尾斜杠', 'the pattern has no end')
}

class RuleParser {
  private at = 0
  private depth = 0
  private questions = 0
  private readonly tokens: readonly Token[]

  constructor(found: readonly Token[]) {
    this.tokens = found
  }

  parse(): RuleExpression {
    const expression = this.joined('||')
    const token = this.peek()
    if (token.kind !== 'end')
      throw new RuleSyntaxError(token.position, `多余的 "${token.text}"`, `unexpected "${token.text}"`)
    return expression
  }

  private peek(): Token {
    return this.tokens[this.at]!
  }

  private take(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at++
    return token
  }

  private isMark(text: string): boolean {
    const token = this.peek()
    return token.kind === 'mark' && token.text === text
  }

  private expect(text: string): void {
    const token = this.take()
    if (token.kind !== 'mark' || token.text !== text)
      throw new RuleSyntaxError(token.position, `此处应为 "${text}"`, `"${text}" is expected`)
  }

  private joined(mark: '||' | '&&'): RuleExpression {
    const next = () => (mark === '||' ? this.joined('&&') : this.negated())
    const parts = [next()]
    while (this.isMark(mark)) {
      this.take()
      parts.push(next())
    }
    return parts.length === 1 ? parts[0]! : { kind: mark === '||' ? 'or' : 'and', parts }
  }

  private negated(): RuleExpression {
    if (++this.depth > DEEPEST)
      throw new RuleSyntaxError(this.peek().position, `嵌套超过 ${DEEPEST} 层`, `more than ${DEEPEST} levels`)
    try {
      if (this.isMark('!')) {
        this.take()
        return { kind: 'not', part: this.negated() }
      }
      if (this.isMark('(')) {
        this.take()
        const inner = this.joined('||')
        this.expect(')')
        return inner
      }
      return this.question()
    } finally {
      this.depth--
    }
  }

  private question(): RuleExpression {
    const token = this.take()
    if (token.kind !== 'name') throw new RuleSyntaxError(token.position, '此处应为条件', 'a question is expected')
    if (++this.questions > MOST_QUESTIONS)
      throw new RuleSyntaxError(
        token.position,
        `条件超过 ${MOST_QUESTIONS} 个`,
        `more than ${MOST_QUESTIONS} questions`,
      )
    if (token.text === 'minSdk' || token.text === 'targetSdk') return this.compared(token.text)
    const question = QUESTION_BY_NAME.get(token.text)
    if (!question)
      throw new RuleSyntaxError(token.position, `没有条件 ${token.text}`, `there is no question ${token.text}`)
    this.expect('(')
    const values: RuleValue[] = []
    while (!this.isMark(')')) {
      if (values.length) this.expect(',')
      const value = this.value()
      const kinds = question.takes[values.length]
      if (!kinds?.includes(value.kind))
        throw new RuleSyntaxError(value.position, `${token.text} 不接受此值`, `${token.text} does not take this value`)
      values.push(value)
    }
    const end = this.take()
    if (values.length < question.least || (question.name.toLowerCase().endsWith('call') && values.length === 2))
      throw new RuleSyntaxError(end.position, `${token.text} 缺少值`, `${token.text} lacks a value`)
    return { kind: 'question', name: token.text, values, position: token.position }
  }

  private compared(name: 'minSdk' | 'targetSdk'): RuleExpression {
    const mark = this.take()
    if (mark.kind !== 'mark' || !/^(?:[<>]=?|[!=]=)$/.test(mark.text))
      throw new RuleSyntaxError(mark.position, '此处应为比较符', 'a comparison is expected')
    const number = this.take()
    if (number.kind !== 'number') throw new RuleSyntaxError(number.position, '此处应为数字', 'a number is expected')
    return { kind: 'compare', name, comparison: mark.text as Comparison, value: Number(number.text) }
  }

  private value(): RuleValue {
    const { kind, text, flags, position } = this.take()
    if (kind === 'text') return { kind, value: text, position }
    if (kind === 'number') return { kind, value: Number(text), position }
    if (kind !== 'pattern') throw new RuleSyntaxError(position, '此处应为值', 'a value is expected')
    try {
      return { kind, pattern: linearPattern(text, flags === 'i'), position }
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      throw new RuleSyntaxError(
        position + 1 + error.position,
        `正则不支持：${error.message}`,
        `the pattern: ${error.message}`,
      )
    }
  }
}
