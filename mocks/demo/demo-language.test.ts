import { expect, test } from 'vitest'
import { demoLanguage } from './demo-language.ts'

test('English where LANG says so, Chinese where it is unset, Chinese or anything else', () => {
  for (const lang of ['en_US.UTF-8', 'en', 'en_GB', 'EN.UTF-8']) expect(demoLanguage(lang), lang).toBe('en')
  for (const lang of [undefined, '', 'C', 'C.UTF-8', 'POSIX', 'zh_CN.UTF-8', 'de_DE', 'enm'])
    expect(demoLanguage(lang), lang).toBe('zh')
})
