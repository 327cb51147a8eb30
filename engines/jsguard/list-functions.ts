import type { Node, Program } from 'acorn'
import { isFunction, lineAt, visit } from './read-script.ts'

export interface ScriptFunction {
  readonly name: string
  readonly line: number
  /** Offsets in the text. */
  readonly start: number
  readonly end: number
}

/** Functions of these sizes tell something and fit a screen. */
const [SHORTEST, LONGEST] = [60, 3000]

type AnyNode = Node & {
  id?: AnyNode | null
  key?: AnyNode
  left?: AnyNode
  init?: AnyNode | null
  right?: AnyNode
  value?: AnyNode
  property?: AnyNode
  name?: string
}

/** Named functions of a script in its order, those of a size that can be shown, at most `most`. */
export function listFunctions(text: string, program: Program, most: number): ScriptFunction[] {
  const found: ScriptFunction[] = []
  visit(program, (node, parent) => {
    if (found.length >= most || !isFunction(node)) return
    const name = nameOf(node as AnyNode, parent as AnyNode | null)
    const length = node.end - node.start
    if (name && length >= SHORTEST && length <= LONGEST)
      found.push({ name, line: lineAt(text, node.start), start: node.start, end: node.end })
  })
  return found
}

/** Every function, in the order of the text. */
export function functionNodes(program: Program): Node[] {
  const found: Node[] = []
  visit(program, (node) => {
    if (isFunction(node)) found.push(node)
  })
  return found
}

/** Its own name, or that of the variable, property, method or field that it is given to. */
function nameOf(node: AnyNode, parent: AnyNode | null): string | undefined {
  if (node.id?.name) return node.id.name
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id?.name
    case 'AssignmentExpression':
      return parent.left?.name ?? parent.left?.property?.name
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key?.name
    default:
      return undefined
  }
}
