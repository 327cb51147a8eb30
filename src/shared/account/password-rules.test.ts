import { expect, test } from 'vitest'
import { checkPasswords } from './password-rules.ts'

test('[PASS-01] each field shows its own message', () => {
  expect(checkPasswords({ old: '', next: '', confirm: '' })).toEqual({
    old: 'password.old_empty',
    next: 'password.new_empty',
    confirm: 'password.confirm_empty',
  })
  expect(checkPasswords({ old: 'Old-pass1', next: 'New%pass1', confirm: 'New*pass1' })).toEqual({
    next: 'password.characters',
    confirm: 'password.characters',
  })
  expect(checkPasswords({ old: 'Old-pass1', next: 'Old-pass1', confirm: 'Other-pass1' })).toEqual({
    next: 'password.same',
    confirm: 'password.confirm',
  })
  expect(checkPasswords({ old: 'Old-pass1', next: 'New-pass1', confirm: 'New-pass1' })).toEqual({})
})
