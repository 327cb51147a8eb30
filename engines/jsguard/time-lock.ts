import type { Node } from 'acorn'
import type { ReadScript } from './read-script.ts'
import type { ScriptOptions } from './script-options.ts'

/**
 * The text with a check of the clock before its first statement that is neither a directive nor an import: outside of the times it throws,
 * so that nothing after it runs. The check goes through the obfuscator with the rest of the code.
 */
export function withTimeLock({ text, program }: Pick<ReadScript, 'text' | 'program'>, lock: ScriptOptions['timeLock']) {
  const checks = [
    ...(lock?.from != null ? [`now < ${lock.from}`] : []),
    ...(lock?.until != null ? [`now >= ${lock.until}`] : []),
  ]
  if (checks.length === 0) return text
  const isBefore = (node: Node & { directive?: string }) =>
    node.directive !== undefined || node.type === 'ImportDeclaration'
  const first = (program.body as (Node & { directive?: string })[]).find((node) => !isBefore(node))
  const at = first?.start ?? text.length
  // On the same line: lines of the source map stay those of the source. Two clocks that disagree count as a clock that was changed.
  const check = `(function () { var now = new Date().getTime(); if (${checks.join(' || ')} || Math.abs(now - Date.now()) > 60000) throw new Error("This script is not valid at this time"); })(); `
  // The code before it may end without a semicolon.
  return `${text.slice(0, at)}${at > 0 ? ';' : ''}${check}${text.slice(at)}`
}
