import { expect, test } from 'vitest'
import { updateLogLine } from './update-log-line.ts'

test('a line of the update log names step, state and problem in both languages, and keeps what follows', () => {
  expect(updateLogLine('backup', 'zh')).toBe('备份')
  expect(updateLogLine('verify: SM2, 812 files, 95 MB', 'zh')).toBe('校验清单与签名、检查空间：SM2, 812 files, 95 MB')
  expect(updateLogLine('failed: disk 12 MB', 'zh')).toBe('更新失败：磁盘空间不足 12 MB')
  expect(updateLogLine('failed: disk ', 'en')).toBe('Update failed: Not enough disk space')
  expect(updateLogLine('health: connect ECONNREFUSED: 127.0.0.1', 'en')).toBe(
    'Health check: connect ECONNREFUSED: 127.0.0.1',
  )
  expect(updateLogLine('updated', 'zh')).toBe('更新成功')
})

test('a line that begins with another word stays as it is', () => {
  for (const line of ['start 2 of 1.6.0', 'constructor: x', '', 'Backup']) expect(updateLogLine(line, 'zh')).toBe(line)
})
