import { USERNAME_PLACEHOLDER } from '#contracts/http/ldap.ts'

/**
 * A value as it may be put into a filter: what has a meaning there and control characters are escaped (RFC 4515, 3). Other characters stay:
 * ldapts reads an escaped byte beyond ASCII as a character of its own.
 */
export function escapeFilterValue(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  return value.replace(/[*()\\\u0000-\u001f\u007f]/g, (char) => `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** The user filter for one name. */
export function userFilter(filter: string, username: string): string {
  // A function, so that `$&` in a name means nothing.
  return filter.replace(USERNAME_PLACEHOLDER, () => escapeFilterValue(username))
}
