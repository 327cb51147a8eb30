/** 8 to 64 characters, three of uppercase, lowercase, digit and special, no spaces (PASS-01): form and server judge alike. */
export function followsRule(password: string): boolean {
  const length = [...password].length
  if (length < 8 || length > 64 || /\s/.test(password)) return false
  return [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{Lu}\p{Ll}\p{Nd}]/u].filter((kind) => kind.test(password)).length >= 3
}
