import { z } from 'zod'
import { ProductError } from '#contracts/errors.ts'
import type { ReinforcePolicy } from '#contracts/http/reinforce-policies.ts'
import {
  REINFORCE_POLICY_FORMAT,
  REINFORCE_POLICY_VERSION,
  type ReinforcePolicyFile,
  ReinforcePolicyFileSchema,
} from '#domain/reinforce-policy.ts'

/** A policy as it is exported. */
export function policyFile({ name, industry, options, keep_rules }: ReinforcePolicy): ReinforcePolicyFile {
  return {
    format: REINFORCE_POLICY_FORMAT,
    version: REINFORCE_POLICY_VERSION,
    name,
    industry,
    options,
    keep_rules,
  }
}

/** An exported file; reinforce.file with the first place that is wrong. */
export function readPolicyFile(text: string): ReinforcePolicyFile {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw wrong('不是 JSON', 'it is no JSON')
  }
  const parsed = ReinforcePolicyFileSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const { format, version } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
  if (format !== REINFORCE_POLICY_FORMAT) throw wrong('不是加固策略', 'it is no reinforcement policy')
  if (version !== REINFORCE_POLICY_VERSION)
    throw wrong(`版本 ${JSON.stringify(version)} 不能读`, `version ${JSON.stringify(version)} cannot be read`)
  const issue = parsed.error.issues[0]
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const place = [...(issue?.path ?? []), ...keys.slice(0, 1)].join('.').slice(0, 200)
  const message = keys.length > 0 ? { zh: '未知的项', en: 'unknown' } : { zh: '取值不对', en: 'not a valid value' }
  throw wrong(`${place} ${message.zh}`, `${place}: ${message.en}`)
}

function wrong(zh: string, en: string): ProductError {
  return new ProductError('reinforce.file', { detail: { zh, en } })
}

/** JSON Schema of the file. */
export function policyFileFormat(): object {
  return z.toJSONSchema(ReinforcePolicyFileSchema, { io: 'input' })
}
