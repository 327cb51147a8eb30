/** Short form of an account: the part before the @ of its address. */
export function shortAccount(name: string): string {
  return name.split('@')[0] as string
}

/** A user name is cut at 17 characters with an ellipsis (SHELL-09). Counts characters, not code units. */
const USERNAME_MOST = 17

export function cutUsername(name: string): string {
  const letters = [...name]
  return letters.length > USERNAME_MOST ? `${letters.slice(0, USERNAME_MOST).join('')}…` : name
}
