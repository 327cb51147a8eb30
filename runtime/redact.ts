export const REDACTED = '[redacted]'

/** Names of fields whose values are never written, in upper or lower case. */
const FIELDS = [
  'password',
  'passphrase',
  'token',
  'secret',
  'cookie',
  'set-cookie',
  'authorization',
  'ticket',
  'kek',
  'private_key',
]
const SECRET_NAMES = new Set(FIELDS)
/** Deeper values, and what comes after so many, are not looked at: they are replaced as a whole. */
const MAX_DEPTH = 8
const MAX_VALUES = 2000

/** A copy of what is logged without the values of secret fields, at every depth. Errors and dates stay: they have their own text form. */
export function redactFields(object: object): Record<string, unknown> {
  let left = MAX_VALUES
  const clean = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value) return value
    if (depth > MAX_DEPTH || left <= 0) return REDACTED
    if (!Array.isArray(value)) return fields(value, depth)
    left -= value.length
    return left < 0 ? REDACTED : value.map((one) => clean(one, depth + 1))
  }
  const fields = (value: object, depth: number): Record<string, unknown> => {
    const entries = Object.entries(value)
    left -= entries.length
    return Object.fromEntries(
      entries.map(([name, one]) => [name, SECRET_NAMES.has(name.toLowerCase()) ? REDACTED : clean(one, depth + 1)]),
    )
  }
  return fields(object, 1)
}

const NAMES = FIELDS.join('|')
const SPACE = String.raw`(?:\s|\\+[nrt])*`

/** Secrets in free text: our own tokens and keys, credentials of headers, passwords in URLs, in name=value pairs and in JSON. */
const IN_TEXT: readonly [RegExp, string][] = [
  [/\baw_([a-z]{2})_[A-Za-z0-9_-]{6,}/g, `aw_$1_${REDACTED}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]*@/gi, `$1${REDACTED}@`],
  [/\b(cookie|set-cookie|authorization)(\s*[:=]\s*)[^\r\n"\\]+/gi, `$1$2${REDACTED}`],
  [/\b(pass(?:word|phrase|wd)?|token|secret|ticket|kek)(=|: ?)(?!\[)[^\s&"'\\,;]+/gi, `$1$2${REDACTED}`],
  // JSON, and JSON inside of strings, where the same number of backslashes is before each of its quotes. An unfinished value counts too.
  [new RegExp(String.raw`(?<!\\)"(${NAMES})"(${SPACE}:${SPACE})"(?:[^"\\]|\\.)*"?`, 'gi'), `"$1"$2"${REDACTED}"`],
  [
    new RegExp(
      String.raw`(?<!\\)(\\+)"(${NAMES})\1"(${SPACE}:${SPACE})\1"(?:[^"\\]|(?!\1")\\+"|\\+[^"\\])*(?:\1")?`,
      'gi',
    ),
    `$1"$2$1"$3$1"${REDACTED}$1"`,
  ],
  [
    new RegExp(String.raw`(?<!\\)(\\*)"(${NAMES})\1"(${SPACE}:${SPACE})-?\d[\d.eE+-]*`, 'gi'),
    `$1"$2$1"$3$1"${REDACTED}$1"`,
  ],
]

/** The text without what looks like a secret. */
export function redactText(text: string): string {
  let clean = text
  for (const [pattern, replacement] of IN_TEXT) clean = clean.replace(pattern, replacement)
  return clean
}
