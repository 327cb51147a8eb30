import type { Package } from '../package/package.ts'
import { SCAN_CHOICES } from './input/scan-choices.ts'
import { answerRule } from './own-rules/own-rules.ts'
import { parseRule } from './own-rules/parse-rule.ts'
import { RuleSyntaxError } from './own-rules/rule-syntax.ts'
import { readContext } from './read-context.ts'
import type { Finding, Text } from './result/scan-result.ts'
import { judgeHits } from './rules/finding.ts'

/** What a rule says of a package, for its author. */
export type RuleTrial =
  | { readonly kind: 'error'; readonly position: number; readonly text: Text }
  | { readonly kind: 'answer'; readonly holds: boolean; readonly hits: number; readonly findings: readonly Finding[] }

/** Whether a rule can be read; null where it can. */
export function checkRule(expression: string): (RuleTrial & { kind: 'error' }) | null {
  try {
    parseRule(expression)
    return null
  } catch (error) {
    if (!(error instanceof RuleSyntaxError)) throw error
    return { kind: 'error', position: error.position, text: error.text }
  }
}

/** Tries a rule on a package that was read; nothing else of a scan is done. */
export function testRule(expression: string, source: Package): RuleTrial {
  const wrong = checkRule(expression)
  if (wrong) return wrong
  const { rules: context } = readContext(source, SCAN_CHOICES, () => {})
  const { holds, hits } = answerRule(parseRule(expression), context)
  const findings =
    holds && hits.length ? judgeHits('own', 'info', undefined, hits, context.program, context.ownerOf).findings : []
  return { kind: 'answer', holds, hits: hits.length, findings }
}
