export type DemoLanguage = 'zh' | 'en'
export type DemoName = Readonly<Record<DemoLanguage, string>>

/** What applications, rules and keys of the demo are called in: the language of LANG when it was started, Chinese where that is neither. */
export function demoLanguage(lang: string | undefined): DemoLanguage {
  return /^en([_.@-]|$)/i.test(lang ?? '') ? 'en' : 'zh'
}
