import { z } from 'zod'
import { ACTIONS, type Action, LEVELS_BY_SEVERITY, type Level, RISK_TYPES, type RiskType } from './vocabulary.ts'

/**
 * What a policy says, as it is edited and kept: an action for each level, and for single risks another action or the user's own words.
 * Apps get it resolved, one rule a risk (contracts/telemetry/policy.ts).
 */

const ActionSchema = z.enum(Object.keys(ACTIONS) as [Action, ...Action[]])
/** One line of what the user of the app reads. '' leaves it to the app. */
const WordsSchema = z
  .string()
  .trim()
  .max(200)
  .regex(/^\P{Cc}*$/u)
const RiskRuleSchema = z.strictObject({
  /** Absent: what its level says. */
  action: ActionSchema.optional(),
  text: z.strictObject({ zh: WordsSchema, en: WordsSchema }).optional(),
})
export const PolicyRulesSchema = z.strictObject({
  levels: z.strictObject(
    Object.fromEntries(LEVELS_BY_SEVERITY.map((level) => [level, ActionSchema])) as Record<Level, typeof ActionSchema>,
  ),
  risks: z.partialRecord(z.enum(Object.keys(RISK_TYPES) as [RiskType, ...RiskType[]]), RiskRuleSchema),
})
export type PolicyRules = z.infer<typeof PolicyRulesSchema>

/** Where a new policy begins. */
export const POLICY_STARTS = {
  observe: { critical: 'report', high: 'report', medium: 'report', low: 'report', info: 'report' },
  recommended: { critical: 'block', high: 'exit', medium: 'warn', low: 'report', info: 'report' },
} as const satisfies Record<string, Record<Level, Action>>

/** What is done about a risk. */
export function actionOfRisk(rules: PolicyRules, risk: RiskType): Action {
  return rules.risks[risk]?.action ?? rules.levels[RISK_TYPES[risk].level]
}

/** The user's own words about a risk, or undefined where there are none. */
export function textOfRisk(rules: PolicyRules, risk: RiskType): { zh: string; en: string } | undefined {
  const text = rules.risks[risk]?.text
  return text && (text.zh || text.en) ? text : undefined
}

/** The same rules in one form, so that equal ones are equal texts: risks in order, nothing that says nothing. */
export function canonicalRules(rules: PolicyRules): PolicyRules {
  const risks: PolicyRules['risks'] = {}
  for (const risk of Object.keys(RISK_TYPES) as RiskType[]) {
    const action = rules.risks[risk]?.action
    const text = textOfRisk(rules, risk)
    const own = action !== undefined && action !== rules.levels[RISK_TYPES[risk].level]
    if (own || text) risks[risk] = { ...(own && { action }), ...(text && { text: { zh: text.zh, en: text.en } }) }
  }
  const { critical, high, medium, low, info } = rules.levels
  return { levels: { critical, high, medium, low, info }, risks }
}

export function sameRules(a: PolicyRules, b: PolicyRules): boolean {
  return JSON.stringify(canonicalRules(a)) === JSON.stringify(canonicalRules(b))
}

export type RuleChange = { risk: RiskType; from: Action; to: Action; words: boolean }

/** Risks for which `next` gives apps other instructions than `before`; `words`: the user's own words differ. */
export function changedRules(before: PolicyRules, next: PolicyRules): RuleChange[] {
  return (Object.keys(RISK_TYPES) as RiskType[]).flatMap((risk) => {
    const [from, to] = [actionOfRisk(before, risk), actionOfRisk(next, risk)]
    const [old, own] = [textOfRisk(before, risk), textOfRisk(next, risk)]
    const words = old?.zh !== own?.zh || old?.en !== own?.en
    return from === to && !words ? [] : [{ risk, from, to, words }]
  })
}
