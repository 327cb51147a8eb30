import { expect, test } from 'vitest'
import { errorText } from '#contracts/errors.ts'
import { checkLogin } from './login-rules.ts'

const good = { username: ' admin@example.com ', password: 'x', code: '1234' }

test('[LOGIN-01] the username is judged trimmed: not empty, an e-mail address', () => {
  expect(checkLogin(good)).toEqual({})
  expect(checkLogin({ ...good, username: '   ' })).toEqual({ username: 'login.username_empty' })
  for (const username of ['admin', 'a@b', '@b.c', 'a b@c.d', 'a@b@c.d'])
    expect(checkLogin({ ...good, username })).toEqual({ username: 'login.email' })
  expect(errorText('login.username_empty', 'en')).toBe('The user name cannot be empty')
  expect(errorText('login.email', 'en')).toBe('Please enter the correct email address')
})

test('[LOGIN-02] password and verification code must not be empty', () => {
  expect(checkLogin({ username: 'a@b.c', password: '', code: ' ' })).toEqual({
    password: 'login.password_empty',
    code: 'login.code_empty',
  })
})
