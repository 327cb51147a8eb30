import type { Node } from 'acorn'
import { parseScript, visit } from './read-script.ts'

/** The names that `plainScript` uses for what is not in the script. */
export const PLAIN_NAMES = { unknown: '__aw_unknown', exports: '__aw_exports' } as const

type Named = { name?: string; value?: unknown }
type ModuleNode = Node & {
  specifiers?: readonly (Node & { local: Named; exported?: Named })[]
  declaration?: (Node & { id?: Named | null; declarations?: readonly { id: Named }[] }) | null
  source?: unknown
  meta?: Named
}

/**
 * A script that does what a module does but for its imports, which are all one unknown value, and its exports, which become fields of an
 * object: so it can be run to be timed. Scripts stay as they are. undefined where it waits at its top level. Throws ScriptRefused.
 */
export function plainScript(text: string, name: string): string | undefined {
  const { program, sourceType } = parseScript(text, name)
  if (sourceType === 'script') return text
  const { unknown, exports } = PLAIN_NAMES
  const changes: { start: number; end: number; text: string }[] = []
  const given: string[] = []
  let waits = false
  let functions: { start: number; end: number }[] = []
  visit(program, (node) => {
    const { type, start, end } = node
    functions = functions.filter((one) => one.end > start)
    if (/Function|^(MethodDefinition|PropertyDefinition|StaticBlock)/.test(type)) functions.push({ start, end })
    if (
      functions.length === 0 &&
      (type === 'AwaitExpression' || (type === 'ForOfStatement' && 'await' in node && node.await))
    )
      waits = true
    if (type === 'MetaProperty' && (node as ModuleNode).meta?.name === 'import')
      changes.push({ start, end, text: unknown })
  })
  for (const node of program.body as ModuleNode[]) {
    const { type, start, end, specifiers = [], declaration } = node
    const nameOf = (one: Named | null | undefined) => one?.name ?? String(one?.value)
    if (type === 'ImportDeclaration')
      changes.push({
        start,
        end,
        text: specifiers.map(({ local }) => `var ${nameOf(local)}=${unknown};`).join(''),
      })
    else if (type === 'ExportAllDeclaration') changes.push({ start, end, text: '' })
    else if (type === 'ExportDefaultDeclaration' && declaration) {
      const own = declaration.id?.name
      if (own) given.push(`${exports}["default"]=${own};`)
      changes.push({ start, end: declaration.start, text: own ? '' : `${exports}["default"]=` })
    } else if (type === 'ExportNamedDeclaration') {
      if (declaration) {
        for (const one of declaration.declarations ?? [declaration])
          if (one.id?.name) given.push(`${exports}[${JSON.stringify(one.id.name)}]=${one.id.name};`)
        changes.push({ start, end: declaration.start, text: '' })
      } else {
        if (!node.source)
          for (const { local, exported } of specifiers)
            given.push(`${exports}[${JSON.stringify(nameOf(exported))}]=${nameOf(local)};`)
        changes.push({ start, end, text: '' })
      }
    }
  }
  if (waits) return undefined
  let code = ''
  let at = 0
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    if (change.start < at) continue
    code += text.slice(at, change.start) + change.text
    at = change.end
  }
  return `(function(){"use strict";${code}${text.slice(at)}\n;${given.join('')}})();`
}
