import { Copy, Download } from 'lucide-react'
import { downloadLicence, type LicenceAnswer, showLicence } from '#contracts/http/licence.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { LicenceBanner } from './licence-banner.tsx'
import { LicenceFacts } from './licence-facts.tsx'
import { LicenceHistory } from './licence-history.tsx'
import { LicenceModules } from './licence-modules.tsx'
import { LicenceQuotas } from './licence-quotas.tsx'
import { LicenceRenewal } from './licence-renewal.tsx'
import { licenceTexts } from './licence-texts.ts'

/** /platform/authorization: what the platform is licensed for, how much of it is used, and its renewal (LIC-01). */
export default function LicencePage() {
  return (
    <PermittedPage page="licence" permission="license.manage">
      <Licence />
    </PermittedPage>
  )
}

function Licence() {
  const language = useLanguage()
  const answer = useEndpoint(showLicence)
  const licence = answer.data?.data
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.licence[language]} actions={licence && <Actions licence={licence} />} />
      {licence ? (
        <>
          <LicenceBanner licence={licence} />
          <div className="grid flex-1 grid-cols-[minmax(0,1fr)_minmax(380px,31%)] border-t max-xl:grid-cols-1">
            <div className="min-w-0">
              <LicenceFacts licence={licence} />
              <LicenceQuotas licence={licence} />
              <LicenceModules licence={licence} />
            </div>
            <div className="flex min-w-0 flex-col border-l max-xl:border-t max-xl:border-l-0">
              <LicenceRenewal licence={licence} />
              <LicenceHistory licence={licence} />
            </div>
          </div>
        </>
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={14} height="24px" className="px-5 py-3" />
      )}
    </div>
  )
}

function Actions({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  return (
    <>
      <Button variant="quiet" icon={Copy} onPress={() => void copyToClipboard(licence.request)}>
        {t('copyRequest')}
      </Button>
      {licence.code !== null && (
        <Button icon={Download} onPress={() => location.assign(downloadHref(downloadLicence))}>
          {t('download')}
        </Button>
      )}
    </>
  )
}
