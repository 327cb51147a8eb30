import { expect, test } from 'vitest'
import { failureText } from './failure-text.ts'

test('[DET-05] what failed is said in the language of who reads it', () => {
  const reader = 'zip no-end (0): zip: no end of central directory at 0x0'
  expect(failureText('asset.unreadable', reader)).toEqual({
    zh: 'ZIP 结构：找不到目录结尾，文件可能不完整（zip: no end of central directory at 0x0）',
    en: 'zip: no end of central directory at 0x0',
  })
  expect(failureText('asset.unreadable', 'new odd (-1): new: odd').zh).toBe('new：无法读取（new: odd）')
  expect(failureText('detection.limit', 'memory (4096 MB)')).toEqual({ zh: '内存 4096 MB', en: 'memory (4096 MB)' })
  expect(failureText('detection.limit', 'output (size of the result)').zh).toBe('结果大小')
  expect(failureText('data.missing', 'the package a is no longer stored').zh).toBe('安装包已不在文件库中')
  expect(failureText('detection.failed', '1: boom').zh).toBe('检测进程异常：1: boom')
  expect(failureText('detection.no_phone', 'gone')).toEqual({ zh: 'gone', en: 'gone' })
})
