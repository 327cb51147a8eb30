import { expect, test } from 'vitest'
import { changeLines, fieldName } from './field-words.ts'

const words = { language: 'zh' as const, zone: 'Asia/Shanghai', nothing: '空', yes: '是', no: '否' }
const lines = (field: string, before: unknown, after: unknown) =>
  changeLines({ field, before, after }, words).map(({ sign, text }) => `${sign} ${text}`)

test('[LOG-01] values before and after are shown in the words of the product', () => {
  expect(lines('application_quota', 3, 5)).toEqual(['- 3', '+ 5'])
  expect(lines('role', 'operator', 'auditor')).toEqual(['- 操作员', '+ 审计员'])
  expect(lines('role', 'operator', 'custom_1')).toEqual(['- 操作员', '+ custom_1'])
  expect(lines('disabled', false, true)).toEqual(['- 否', '+ 是'])
  expect(lines('remarks', '', '零售')).toEqual(['- 空', '+ 零售'])
  expect(lines('expires_at', null, Date.parse('2026-12-31T15:59:59Z'))).toEqual(['- 空', '+ 2026-12-31 23:59:59'])
  expect(lines('other', { a: 1 }, null)).toEqual(['- {"a":1}', '+ 空'])
})

test('[LOG-01] of a list the removed and the added elements are shown, not the others', () => {
  expect(lines('auth', ['log.view', 'asset.read'], ['asset.read', 'log.download'])).toEqual([
    '- 查看日志详情',
    '+ 下载日志',
  ])
  expect(lines('auth', null, ['log.view', 'asset.read'])).toEqual(['- 空', '+ 查看日志详情、查看资产'])
  expect(lines('tags', ['a', 'b'], ['b', 'a'])).toEqual(['- a、b', '+ b、a'])
})

test('[LOG-01] no value of a secret is shown, and a field without a name is called by its key', () => {
  expect(changeLines({ field: 'password', before: 'x', after: 'y', secret: true }, words)).toEqual([])
  expect([fieldName('password', 'zh'), fieldName('toString', 'en')]).toEqual(['密码', 'toString'])
})
