import { Link } from 'react-router-dom'
import { LICENCE_STATUS, licenseRemind, showLicence } from '#contracts/http/licence.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { homeTexts } from './home-texts.ts'

/** State of the platform licence; with customer and figures for those who manage it. */
export function LicenceSection() {
  const t = useTexts(homeTexts)
  const mayManage = useMay('license.manage')
  const remind = useEndpoint(licenseRemind).data
  const licence = useEndpoint(showLicence, {}, { enabled: mayManage }).data?.data
  if (!remind) return null
  const isOver = remind.status === LICENCE_STATUS.expired
  const isTrial = licence?.kind === 'trial'
  return (
    <Section plain title={t('licence')} className="border-t">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 pb-4 text-muted">
        <span className={isOver || remind.message ? 'text-warn-text' : 'text-text'}>
          {isOver ? remind.message : t(isTrial ? 'licenceTrial' : 'licenceValid', { days: remind.days })}
        </span>
        {licence && (
          <>
            {licence.terms && <span>{t('licenceFor', { customer: licence.terms.customer })}</span>}
            <span>{t('licenceApps', { used: licence.apps_used, quota: licence.apps_licensed ?? t('unlimited') })}</span>
            <Link to={PAGES.licence.path} className="text-brand-text hover:underline">
              {t('licenceOpen')}
            </Link>
          </>
        )}
      </p>
    </Section>
  )
}
