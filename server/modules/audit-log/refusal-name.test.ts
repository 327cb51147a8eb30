import { expect, test } from 'vitest'
import { ERRORS, type ErrorKey } from '#contracts/errors.ts'
import { refusalName } from './refusal-name.ts'

test('[LOG-01] a refusal is named without the parameters that its entry does not keep', () => {
  expect(refusalName('permission.missing')).toEqual({ zh: '没有权限', en: 'Permission missing' })
  expect(refusalName('login.locked')).toEqual({ zh: '登录失败次数过多', en: 'Too many failures' })
  expect(refusalName('input.empty')).toEqual({ zh: '请输入…', en: 'Please enter …' })
  expect(refusalName('data.missing')?.zh).toBe('数据不存在')
})

test('[LOG-01] success and unknown keys have no words of refusal', () => {
  expect([refusalName('ok'), refusalName('toString'), refusalName('gone.key')]).toEqual([null, null, null])
})

test('[LOG-01] the name of no refusal is empty or has a parameter left', () => {
  for (const key of Object.keys(ERRORS) as ErrorKey[]) {
    const { zh, en } = refusalName(key) ?? { zh: '', en: '' }
    expect(zh.length * en.length, key).toBeGreaterThan(0)
    expect(zh + en, key).not.toMatch(/[{}]/)
  }
})
