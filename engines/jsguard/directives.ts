import type { Node, Program } from 'acorn'
import { visit } from './read-script.ts'

type Statement = Node & { directive?: string; expression?: Node & { value?: unknown; raw?: string } }
type Body = readonly Statement[]

/** The statements of the program and of every function in it. */
function bodies(program: Program): Body[] {
  const found: Body[] = [program.body as Body]
  visit(program, (node) => {
    const { body } = node as Node & { body?: Node & { body?: Body } }
    if (/Function/.test(node.type) && body?.type === 'BlockStatement') found.push(body.body ?? [])
  })
  return found
}

const textOf = ({ type, directive, expression }: Statement): string | undefined =>
  type === 'ExpressionStatement' && directive === undefined && expression?.type === 'Literal'
    ? String(expression.value)
    : undefined

/**
 * The source with strings that stand alone and are no directives made numbers: they do nothing, and must not be taken for directives that
 * were moved. Every offset stays.
 */
export function withoutStrayStrings(text: string, program: Program): string {
  let result = text
  for (const body of bodies(program))
    for (const statement of body) {
      const { expression } = statement
      if (
        textOf(statement) === undefined ||
        typeof (expression as { value?: unknown }).value !== 'string' ||
        !expression
      )
        continue
      const length = expression.end - expression.start
      result = result.slice(0, expression.start) + '0'.padEnd(length) + result.slice(expression.end)
    }
  return result
}

/**
 * The protected code with its directives first again: the obfuscator puts declarations of its own before them, where 'use strict' would be
 * a string that does nothing. Answers the same text where none was moved.
 */
export function withDirectivesFirst(code: string, program: Program): string {
  const moves: { from: number; to: number; at: number; text: string }[] = []
  for (const body of bodies(program)) {
    const [first] = body
    if (!first) continue
    for (const statement of body) {
      const text = textOf(statement)
      if (text === undefined || typeof (statement.expression as { value?: unknown }).value !== 'string') continue
      const raw = code.slice(statement.start, statement.end)
      moves.push({
        from: statement.start,
        to: statement.end,
        at: first.start,
        text: raw.endsWith(';') ? raw : `${raw};`,
      })
    }
  }
  if (moves.length === 0) return code
  // Pieces of the text in their new order: what is inserted at a place, then the text up to the next place, without what was moved.
  const cuts = moves.flatMap((move) => [
    { at: move.at, insert: move.text, skip: 0 },
    { at: move.from, insert: '', skip: move.to - move.from },
  ])
  let result = ''
  let at = 0
  for (const cut of cuts.toSorted((a, b) => a.at - b.at || a.skip - b.skip)) {
    result += code.slice(at, cut.at) + cut.insert
    at = cut.at + cut.skip
  }
  return result + code.slice(at)
}
