import type { LicenceAnswer, LicenceRefusal, LicenceTermsAnswer } from '#contracts/http/licence.ts'
import { LICENCE_MODULES, MODULE_NAMES } from '#domain/licence.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { Mark } from './licence-facts.tsx'
import { licenceTexts, REFUSAL_TEXTS } from './licence-texts.ts'

const DAY_MS = 86_400_000

/** What a code would change, or why it is refused. */
export function LicencePreview({
  licence,
  terms,
  refusal,
}: {
  licence: LicenceAnswer
  terms: LicenceTermsAnswer | null
  refusal: LicenceRefusal | null
}) {
  const t = useTexts(licenceTexts)
  const language = useLanguage()
  return (
    <Section
      plain
      title={t('brings')}
      className="border-t"
      actions={
        <Mark isGood={refusal === null}>{refusal === null ? t('canSubmit') : REFUSAL_TEXTS[refusal][language]}</Mark>
      }
    >
      {terms && <Changes licence={licence} terms={terms} />}
    </Section>
  )
}

function Changes({ licence, terms }: { licence: LicenceAnswer; terms: LicenceTermsAnswer }) {
  const t = useTexts(licenceTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const day = (at: number) => formatDateTime(at, zone, 'day')
  const before = licence.terms
  const limit = (value: number | null | undefined) =>
    value === null || value === undefined ? t('unlimited') : formatExact(value)
  const signed = (difference: number, unit = '') =>
    difference === 0 ? t('same') : `${difference > 0 ? '+' : '−'}${formatExact(Math.abs(difference))}${unit}`
  const number = (name: string, old: number | null, next: number | null) => ({
    name,
    old: limit(old),
    next: limit(next),
    difference: old === null || next === null ? (old === next ? t('same') : '') : signed(next - old),
  })
  const has = (modules: readonly string[] | null | undefined, name: string) => !modules || modules.includes(name)
  const rows = [
    {
      name: t('customer'),
      old: before ? before.customer : t('trial'),
      next: terms.customer,
      difference: before?.customer === terms.customer ? t('same') : '',
    },
    {
      name: t('deadline'),
      old: day(licence.deadline),
      next: day(terms.not_after),
      difference: signed(Math.round((terms.not_after - licence.deadline) / DAY_MS), ` ${t('days')}`),
    },
    number(t('applications'), licence.apps_licensed, terms.applications),
    number(t('users'), licence.users_licensed, terms.users),
    number(t('devices'), licence.devices_licensed, terms.devices),
    number(t('eventsPerDay'), licence.events_licensed, terms.events_per_day),
    ...MODULE_NAMES.filter((name) => has(before?.modules, name) !== has(terms.modules, name)).map((name) => ({
      name: LICENCE_MODULES[name][language],
      old: t(has(before?.modules, name) ? 'yes' : 'no'),
      next: t(has(terms.modules, name) ? 'yes' : 'no'),
      difference: t(has(terms.modules, name) ? 'added' : 'removed'),
    })),
  ]
  return (
    <table className="mx-5 mb-3 tabular-nums">
      <thead>
        <tr className="h-8 border-b text-12 text-muted">
          <th className="text-left font-normal">{t('item')}</th>
          <th className="text-right font-normal">{t('now')}</th>
          <th className="text-right font-normal">{t('after')}</th>
          <th className="text-right font-normal">{t('difference')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, old, next, difference }) => (
          <tr key={name} className="h-8 border-b last:border-b-0">
            <th className="pr-3 text-left font-normal whitespace-nowrap">{name}</th>
            <td className="pr-3 text-right text-muted [overflow-wrap:anywhere]">{old}</td>
            <td className="pr-3 text-right font-semibold [overflow-wrap:anywhere]">{next}</td>
            <td className="text-right whitespace-nowrap text-muted">{difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
