import i18next, { type FormatterModule, type TOptions } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'

/**
 * Texts stand beside the feature that shows them, both languages in one record, so a missing translation or a wrong key is a type
 * error: `const texts = defineTexts('home', { title: { zh: '首页', en: 'Home' } })`, then `const t = useTexts(texts)` and `t('title')`.
 * `{{name}}` is filled in; a number for `{{count}}` shows with its thousands grouped, and 1 takes the English of `one` where there is
 * one. zh is the default.
 */
export type Language = 'zh' | 'en'
type Pair = { readonly zh: string; readonly en: string; readonly one?: string }
export type Texts<K extends string = string> = {
  readonly namespace: string
  readonly entries: Readonly<Record<K, Pair>>
}
export type Translate<K extends string> = (key: K, params?: TOptions) => string

/** Counts in texts: every digit, thousands grouped. format/number.ts uses this module's language, so it cannot be imported here. */
const grouping = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

void i18next
  .use(initReactI18next)
  .use<FormatterModule>({
    type: 'formatter',
    init() {},
    add() {},
    addCached() {},
    format: (value, _format, _language, options) =>
      typeof value === 'number' && options?.interpolationkey === 'count' ? grouping.format(value) : value,
  })
  .init({
    lng: readLanguage(),
    fallbackLng: 'zh',
    resources: {},
    interpolation: { escapeValue: false, alwaysFormat: true },
    react: { useSuspense: false },
  })

export function defineTexts<const E extends Record<string, Pair>>(
  namespace: string,
  entries: E,
): Texts<keyof E & string> {
  for (const language of ['zh', 'en'] as const)
    i18next.addResourceBundle(
      language,
      namespace,
      Object.fromEntries(Object.entries(entries).map(([key, pair]) => [key, pair[language]])),
    )
  i18next.addResources(
    'en',
    namespace,
    Object.fromEntries(Object.entries(entries).flatMap(([key, { one }]) => (one ? [[`${key}_one`, one]] : []))),
  )
  return { namespace, entries } as Texts<keyof E & string>
}

export function useTexts<K extends string>(texts: Texts<K>): Translate<K> {
  const { t } = useTranslation(texts.namespace, { i18n: i18next })
  return t as unknown as Translate<K>
}

/** Outside components. */
export function translate<K extends string>(texts: Texts<K>, key: K, params: TOptions = {}): string {
  return i18next.t(key as string, { ...params, ns: texts.namespace } as Record<string, unknown>)
}

export function useLanguage(): Language {
  const { i18n } = useTranslation(undefined, { i18n: i18next })
  return i18n.language === 'en' ? 'en' : 'zh'
}

export function currentLanguage(): Language {
  return i18next.language === 'en' ? 'en' : 'zh'
}

/** Saves and applies; the caller shows 'Switch Language Success'. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem('language', language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  await i18next.changeLanguage(language)
}

function readLanguage(): Language {
  return typeof localStorage !== 'undefined' && localStorage.getItem('language') === 'en' ? 'en' : 'zh'
}
