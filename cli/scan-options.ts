import { readFileSync } from 'node:fs'
import { APPLICATION_TYPES, DETECTION_KINDS, type DetectionKind } from '#contracts/detection/kinds.ts'
import { type Gate, GateSchema, type StrategyRules, StrategyRulesSchema } from '#contracts/http/detection/tasks.ts'
import { BUILT_IN_STRATEGIES } from '#server/modules/detection/built-in-strategies.ts'
import { UsageError } from './usage-error.ts'

/** Everything a package reveals without a phone. */
const STATIC_KINDS = (Object.keys(DETECTION_KINDS) as DetectionKind[]).filter((kind) => kind !== 'dynamic')

/** `--kinds a,b`. Throws UsageError. */
export function readKinds(text: string | undefined): DetectionKind[] {
  if (text === undefined) return STATIC_KINDS
  const kinds = text.split(',').map((one) => one.trim())
  const unknown = kinds.find((kind) => !(STATIC_KINDS as string[]).includes(kind))
  if (unknown === 'dynamic') throw new UsageError('dynamic needs a phone and the server')
  if (unknown !== undefined) throw new UsageError(`--kinds knows ${STATIC_KINDS.join(', ')}, not ${unknown}`)
  return STATIC_KINDS.filter((kind) => kinds.includes(kind))
}

/** `--strategy NAME|FILE`: a built-in one, or a file of JSON with items, levels and gate. Throws UsageError. */
export function readStrategy(text = 'full'): StrategyRules {
  const found = BUILT_IN_STRATEGIES.find(({ id }) => id === text)
  if (found) return found.rules
  let value: unknown
  try {
    value = JSON.parse(readFileSync(text, 'utf8'))
  } catch (error) {
    const names = BUILT_IN_STRATEGIES.map(({ id }) => id).join(', ')
    throw new UsageError(`--strategy wants ${names} or a file of JSON: ${(error as Error).message}`)
  }
  const parsed = StrategyRulesSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${text}: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** `--gate high=0,middle=5,score=70,own,assessed,unsigned,forbid=ID`; `none` passes all. Throws UsageError. */
export function readGate(text: string | undefined, gate: Gate): Gate {
  if (text === undefined) return gate
  const asked: Gate = GateSchema.parse({})
  if (text === 'none') return { ...asked, need_signature: false }
  for (const part of text.split(',')) {
    const [name = '', value] = part.trim().split('=')
    const number = Number(value)
    const counted = value !== undefined && Number.isInteger(number) && number >= 0
    if ((name === 'high' || name === 'middle' || name === 'low') && counted) asked.max[name] = number
    else if (name === 'score' && counted && number <= 100) asked.min_score = number
    else if (name === 'own' && value === undefined) asked.own_only = true
    else if (name === 'assessed' && value === undefined) asked.need_assessed = true
    else if (name === 'unsigned' && value === undefined) asked.need_signature = false
    else if (name === 'forbid' && value) asked.forbidden.push(value)
    else throw new UsageError(`--gate does not know ${part.trim()}`)
  }
  return asked
}

/** `--type short_video`. Throws UsageError. */
export function readType(text: string | undefined): string | null {
  if (text === undefined) return null
  if (Object.hasOwn(APPLICATION_TYPES, text)) return text
  throw new UsageError(`--type knows ${Object.keys(APPLICATION_TYPES).join(', ')}`)
}

/** `--lang zh|en`. Throws UsageError. */
export function readLanguage(text = 'en'): 'zh' | 'en' {
  if (text === 'zh' || text === 'en') return text
  throw new UsageError(`--lang knows zh and en, not ${text}`)
}
