import { Check, Minus } from 'lucide-react'
import type { LicenceAnswer } from '#contracts/http/licence.ts'
import { LICENCE_MODULES, MODULE_NAMES } from '#domain/licence.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { licenceTexts } from './licence-texts.ts'

/** Which functions are licensed; what every licence has is one entry. */
export function LicenceModules({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const language = useLanguage()
  const modules = licence.terms?.modules ?? null
  const entries = [
    { name: 'base', text: t('base'), isLicensed: true },
    ...MODULE_NAMES.map((name) => ({
      name,
      text: LICENCE_MODULES[name][language],
      isLicensed: modules === null || modules.includes(name),
    })),
  ]
  return (
    <Section
      plain
      title={t('modules')}
      note={t('modulesNote', { count: entries.filter((one) => one.isLicensed).length, total: entries.length })}
      className="border-t"
    >
      <ul className="grid grid-cols-3 gap-x-4 gap-y-2 px-5 pb-5 max-sm:grid-cols-1">
        {entries.map(({ name, text, isLicensed }) => (
          <li key={name} className={`flex items-center gap-2 ${isLicensed ? '' : 'text-muted'}`}>
            <Icon of={isLicensed ? Check : Minus} size={14} className={isLicensed ? 'text-good-text' : ''} />
            {text}
            <span className="sr-only">{t(isLicensed ? 'licensed' : 'notLicensed')}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
