import { z } from 'zod'
import { FindingLevelSchema, FindingSchema, TextSchema } from '../../detection/scan-result.ts'
import { endpoint } from '../endpoint.ts'

/** Rules that an installation brings itself: an expression over what a package is, safe to run on hostile ones. */

const expression = z.string().trim().min(1).max(4000)

const OwnRuleSchema = z.object({
  /** `own-…`: strategies, results and suppressions name it like an item of the rule pack. */
  id: z.string(),
  name: z.string(),
  level: FindingLevelSchema,
  expression: z.string(),
  threat: z.string(),
  advice: z.string(),
  /** Asked of packages by strategies that take every item, or name it. */
  enabled: z.boolean(),
  rev: z.number(),
  by: z.string(),
  updated_at: z.number(),
})
export type OwnRuleRow = z.infer<typeof OwnRuleSchema>

/** What is wrong with an expression, and at which character. */
const SyntaxErrorSchema = z.object({ kind: z.literal('error'), position: z.number(), text: TextSchema })
export const RuleTrialSchema = z.union([
  SyntaxErrorSchema,
  z.object({
    kind: z.literal('answer'),
    holds: z.boolean(),
    hits: z.number(),
    findings: z.array(FindingSchema).max(50).readonly(),
  }),
])
export type RuleTrial = z.infer<typeof RuleTrialSchema>

export const ownRules = endpoint({
  method: 'GET',
  path: '/api/detection/rules/',
  summary: 'Own rules by name, and the questions that an expression may ask',
  access: ['rule.edit', 'detect.view'],
  response: z.object({
    data: z.array(OwnRuleSchema),
    questions: z.array(z.object({ name: z.string(), least: z.number(), about: TextSchema })),
  }),
})
export const saveOwnRule = endpoint({
  method: 'POST',
  path: '/api/detection/rules/save/',
  summary: 'Create (no id) or change an own rule; an expression that cannot be read is refused with its place',
  access: ['rule.edit'],
  body: z.object({
    id: z.string().max(60).optional(),
    name: z.string().trim().min(1).max(100),
    level: FindingLevelSchema,
    expression,
    threat: z.string().trim().max(1000).default(''),
    advice: z.string().trim().max(1000).default(''),
    enabled: z.boolean().default(true),
    rev: z.int().optional(),
  }),
  response: z.object({ data: OwnRuleSchema }),
  errors: ['data.missing', 'data.conflict', 'input.invalid', 'quota.reached'],
})
export const deleteOwnRule = endpoint({
  method: 'POST',
  path: '/api/detection/rules/delete/',
  summary: 'Delete an own rule; results that it is in stay as they are',
  access: ['rule.edit'],
  body: z.object({ id: z.string().max(60) }),
  response: z.object({}),
  errors: ['data.missing'],
})
export const tryOwnRule = endpoint({
  method: 'POST',
  path: '/api/detection/rules/try/',
  summary:
    'Read an expression and, with a file, ask it of that package: what holds and what speaks for it. Nothing is kept',
  access: ['rule.edit'],
  audit: false,
  body: z.object({ expression, file: z.string().max(64).optional() }),
  /** null: it can be read, and no file was given. */
  response: z.object({ data: RuleTrialSchema.nullable() }),
  errors: ['data.missing', 'asset.unreadable', 'detection.limit', 'request.rate'],
})
