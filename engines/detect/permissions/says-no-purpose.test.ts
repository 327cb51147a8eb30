import { expect, test } from 'vitest'
import { saysNoPurpose } from './says-no-purpose.ts'

test.each([
  '用于扫描二维码',
  '用于拍摄和上传头像。',
  '我们需要访问您的位置，以便推荐附近的门店',
  '需要使用相机拍照',
  '需要訪問您的相簿以選擇頭像',
  'Scan QR codes',
  'Your location is used to show nearby stores.',
  'カメラでQRコードを読み取ります',
])('[DET-06] a purpose is read in any language: %s', (text) => {
  expect(saysNoPurpose(text)).toBe(false)
})

test.each([
  '',
  '   ',
  '……！！',
  '需要访问',
  '请允许访问。',
  '应用需要获取您的权限',
  '用途说明',
  '测试测试测试',
  'test',
  'Testing.',
  'Need permission!',
  'permission required',
  'xxxxxxxxxxxx',
  'TODO',
  'camera',
])('[DET-06] what names no purpose is vague: %j', (text) => {
  expect(saysNoPurpose(text)).toBe(true)
})

test('a hostile description costs time in proportion to its length', { timeout: 60_000 }, () => {
  const began = performance.now()
  for (const piece of ['需要', 'x', '!', ' ', '权限', '需要允许访问'])
    expect(saysNoPurpose(`${piece.repeat(200_000)}用于拍照和扫码？`)).toBe(false)
  // Quadratic time would take many minutes; a busy machine takes a few seconds.
  expect(performance.now() - began).toBeLessThan(20_000)
})
