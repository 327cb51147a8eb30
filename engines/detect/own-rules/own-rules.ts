import type { RuleItem } from '../catalogue/rule-items.ts'
import type { OwnRule } from '../input/own-rule.ts'
import { wholeHit } from '../rules/hits.ts'
import { type Hit, type Rule, text } from '../rules/rule.ts'
import type { RuleContext } from '../rules/rule-context.ts'
import { askQuestion } from './ask-question.ts'
import { parseRule } from './parse-rule.ts'
import { type Comparison, type RuleExpression, RuleSyntaxError } from './rule-syntax.ts'

/** What a rule says of a package: whether it holds, and what speaks for it. */
export interface RuleAnswer {
  readonly holds: boolean
  readonly hits: readonly Hit[]
}

const COMPARE: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

/** Asks a rule. What is negated speaks for nothing: a rule that holds without any location is a hit of the whole application. */
export function answerRule(expression: RuleExpression, context: RuleContext): RuleAnswer {
  switch (expression.kind) {
    case 'question': {
      const hits = askQuestion(expression.name, expression.values, context)
      return { holds: hits.length > 0, hits }
    }
    case 'compare':
      return {
        holds: context.facts !== null && COMPARE[expression.comparison](context[expression.name], expression.value),
        hits: [],
      }
    case 'not':
      return { holds: !answerRule(expression.part, context).holds, hits: [] }
    case 'and': {
      const hits: Hit[] = []
      for (const part of expression.parts) {
        const answer = answerRule(part, context)
        if (!answer.holds) return { holds: false, hits: [] }
        hits.push(...answer.hits)
      }
      return { holds: true, hits }
    }
    case 'or': {
      const answers = expression.parts.map((part) => answerRule(part, context)).filter(({ holds }) => holds)
      return { holds: answers.length > 0, hits: answers.flatMap(({ hits }) => hits) }
    }
  }
}

/** An own rule as an item of a scan. A rule that cannot be read says so in its item's result. */
export function ownRuleItem(own: OwnRule): { readonly item: RuleItem; readonly rule: Rule } {
  const item: RuleItem = {
    id: own.id,
    platform: 'android',
    category: 'own',
    level: own.level,
    confidence: 'medium',
    name: own.name,
    threat: own.threat,
    advice: own.advice,
    references: { masvs: [], maswe: [], mastg: [], cwe: [], cve: [], gbt: [] },
    signals: [own.expression],
    detection: own.expression,
    mustNotTrigger: '',
  }
  return { item, rule: { needs: [], check: (context) => checkOwn(own, context) } }
}

function checkOwn(own: OwnRule, context: RuleContext) {
  try {
    const { holds, hits } = answerRule(parseRule(own.expression), context)
    if (!holds) return []
    return hits.length ? hits : [wholeHit(context, 'holds', text('规则成立', 'the rule holds'))]
  } catch (error) {
    if (!(error instanceof RuleSyntaxError)) throw error
    return {
      verdict: 'not_assessed' as const,
      reason: text(
        `规则第 ${error.position} 个字符处：${error.text.zh}`,
        `the rule at character ${error.position}: ${error.text.en}`,
      ),
    }
  }
}
