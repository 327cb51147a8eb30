import type { ErrorKey } from '#contracts/errors.ts'

/** What the login form checks before asking the server (LOGIN-01, LOGIN-02). The username is judged and sent trimmed. */
export type LoginForm = { username: string; password: string; code: string }
export type LoginErrors = Partial<Record<keyof LoginForm, ErrorKey>>

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function checkLogin({ username, password, code }: LoginForm): LoginErrors {
  const name = username.trim()
  return {
    ...(name === '' ? { username: 'login.username_empty' } : !EMAIL.test(name) && { username: 'login.email' }),
    ...(password === '' && { password: 'login.password_empty' }),
    ...(code.trim() === '' && { code: 'login.code_empty' }),
  }
}
