const KEY = 'nextUsername'

/** After a password change the same person signs in again: the name that the login page fills in, in this tab alone. */
export function rememberUsername(username: string): void {
  sessionStorage.setItem(KEY, username)
}

/** The remembered name, or nothing. It stays until `forgetUsername`, so that a reload of the login page keeps it. */
export function rememberedUsername(): string {
  return sessionStorage.getItem(KEY) ?? ''
}

export function forgetUsername(): void {
  sessionStorage.removeItem(KEY)
}
