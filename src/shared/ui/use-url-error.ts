import { isUrl } from '#domain/url-check.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'

const texts = defineTexts('ui-url-error', {
  bad: {
    zh: '请输入完整的网址，例如 https://example.com/hook',
    en: 'Please enter a complete URL, such as https://example.com/hook',
  },
})

/** The message of an address field by the URL check (REQ-05); undefined while the field is empty or right. */
export function useUrlError(address: string): string | undefined {
  const t = useTexts(texts)
  return address.trim() === '' || isUrl(address.trim()) ? undefined : t('bad')
}
