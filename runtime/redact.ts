/** Fields of logged objects, at the top level and one and two levels below, whose values are never written. */
const FIELDS = ['password', 'passphrase', 'token', 'secret', 'cookie', 'authorization', 'ticket', 'kek', 'private_key']

/** Paths for pino's `redact`. */
export const REDACTED_PATHS: string[] = [...FIELDS, '["set-cookie"]'].flatMap((field) => {
  const dotted = field.startsWith('[') ? field : `.${field}`
  return [field, `*${dotted}`, `*.*${dotted}`]
})

export const REDACTED = '[redacted]'

/** Secrets in free text: our own tokens and keys, credentials of headers, passwords in URLs and in name=value pairs. */
const IN_TEXT: readonly [RegExp, string][] = [
  [/\baw_([a-z]{2})_[A-Za-z0-9_-]{6,}/g, `aw_$1_${REDACTED}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]*@/gi, `$1${REDACTED}@`],
  [/\b(cookie|set-cookie|authorization)(\s*[:=]\s*)[^\r\n"\\]+/gi, `$1$2${REDACTED}`],
  [/\b(pass(?:word|phrase|wd)?|token|secret|ticket|kek)(=|: ?)(?!\[)[^\s&"'\\,;]+/gi, `$1$2${REDACTED}`],
]

/** The text without what looks like a secret. */
export function redactText(text: string): string {
  let clean = text
  for (const [pattern, replacement] of IN_TEXT) clean = clean.replace(pattern, replacement)
  return clean
}
