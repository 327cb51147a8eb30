import type { ErrorKey } from '#contracts/errors.ts'
import { followsRule } from '#domain/password-rule.ts'

/** The password rules (PASS-01) as the form checks them before asking the server, in the order in which they are shown. */
export type PasswordForm = { old: string; next: string; confirm: string }
export type PasswordErrors = Partial<Record<keyof PasswordForm, ErrorKey>>

const EMPTY = { old: 'password.old_empty', next: 'password.new_empty', confirm: 'password.confirm_empty' } as const

export function checkPasswords(form: PasswordForm): PasswordErrors {
  const errors: PasswordErrors = {}
  for (const field of ['old', 'next', 'confirm'] as const) {
    const key = !form[field] ? EMPTY[field] : /[%*]/.test(form[field]) ? 'password.characters' : ruleOf(field, form)
    if (key) errors[field] = key
  }
  return errors
}

function ruleOf(field: keyof PasswordForm, form: PasswordForm): ErrorKey | undefined {
  const value = form[field]
  if (!followsRule(value)) return 'password.rule'
  if (field === 'next' && value === form.old) return 'password.same'
  if (field === 'confirm' && value !== form.next) return 'password.confirm'
  return undefined
}
