import { z } from 'zod'
import { type Language, ProductError } from '#contracts/errors.ts'
import { FIELD_WORDS } from '#contracts/field-words.ts'

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_DEPTH = 24
/** What a schema says of a wrong type, a wrong length, an unknown name. */
const SCHEMA_WORDS = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError }
const NUL_REFUSED = { zh: '不能包含空字符', en: 'contains a NUL character' }
const NOTHING_TAKEN = { zh: '不接受任何参数', en: 'no input is taken' }

/**
 * The query of a request target as text fields. A name that comes twice is refused: a proxy and we might read different ones.
 * Throws envelope.malformed.
 */
export function parseQuery(target: string): Record<string, string> {
  const at = target.indexOf('?')
  const fields: Record<string, string> = Object.create(null)
  if (at < 0) return fields
  try {
    decodeURIComponent(target.slice(at + 1).replaceAll('+', ' '))
  } catch {
    throw new ProductError('envelope.malformed')
  }
  for (const [name, value] of new URLSearchParams(target.slice(at + 1))) {
    if (name in fields || FORBIDDEN.has(name)) throw new ProductError('envelope.malformed')
    fields[name] = value
  }
  return fields
}

/** A JSON body. Names that reach into prototypes, and nesting deeper than any of our inputs, are refused. Throws envelope.malformed. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), (name, part) => {
      if (FORBIDDEN.has(name)) throw new ProductError('envelope.malformed')
      return part
    })
  } catch {
    throw new ProductError('envelope.malformed')
  }
  if (depth(value) > MAX_DEPTH) throw new ProductError('envelope.malformed')
  return value
}

function depth(value: unknown): number {
  let deepest = 0
  const stack: [unknown, number][] = [[value, 0]]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [part, level] = next
    deepest = Math.max(deepest, level)
    if (level <= MAX_DEPTH && typeof part === 'object' && part !== null)
      for (const one of Object.values(part)) stack.push([one, level + 1])
  }
  return deepest
}

/** Path of the first text that contains NUL, undefined if absent. */
function fieldWithNul(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path : undefined
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined
  for (const [name, part] of Object.entries(value)) {
    const found = fieldWithNul(part, path ? `${path}.${name}` : name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether this issue says that a text which must be given is absent or empty. */
function isEmptyText(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_type') return issue.expected === 'string' && issue.input === undefined
  return issue.code === 'too_small' && issue.origin === 'string' && String(issue.input).trim() === ''
}

/**
 * Input by its schema; names that the schema does not know are refused. Throws input.empty for a text that must be given, otherwise
 * input.invalid that names the first field, in the reader's language.
 */
export function checkInput(schema: z.ZodType | undefined, value: unknown, language: Language): unknown {
  const strict = schema && 'strict' in schema ? (schema as z.ZodObject).strict() : schema
  if (!strict) {
    if (Object.keys((value as object | null) ?? {}).length > 0)
      throw new ProductError('input.invalid', { detail: NOTHING_TAKEN[language] })
    return {}
  }
  const parsed = strict.safeParse(value, { error: SCHEMA_WORDS[language], reportInput: true })
  if (parsed.success) {
    // No field of ours needs it, and PostgreSQL cannot store it. After parsing: queries carry JSON in a text field.
    const field = fieldWithNul(parsed.data, '')
    if (field !== undefined)
      throw new ProductError('input.invalid', { detail: `${field || 'input'}: ${NUL_REFUSED[language]}` }, { field })
    return parsed.data
  }
  const issue = parsed.error.issues[0]
  const field = issue?.path.join('.') || 'input'
  // A nested field may be called like another one and be something else.
  const words = issue?.path.length === 1 ? FIELD_WORDS[String(issue.path[0])] : undefined
  if (issue && words && isEmptyText(issue)) throw new ProductError('input.empty', { field: words[language] }, { field })
  // The text of input.invalid begins with these words itself.
  const said = issue?.message.replace(/^(无效输入：|Invalid input: )/, '') ?? ''
  throw new ProductError('input.invalid', { detail: `${field}: ${said}` }, { field })
}
