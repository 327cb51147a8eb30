import { PERSONAL_INFO, scanWord } from '#contracts/detection/scan-words.ts'

/** Kinds of personal data as words, in one line. */
export function personalInfo(keys: readonly string[], language: 'zh' | 'en'): string {
  return keys.map((key) => scanWord(PERSONAL_INFO, key, language)).join(language === 'zh' ? '、' : ', ')
}
