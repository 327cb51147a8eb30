import { Link } from 'react-router-dom'
import { collectFields } from '#contracts/http/policies.ts'
import { sdkFiles } from '#contracts/http/sdk.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { consentText } from './consent-text.ts'
import { DownloadsSection } from './downloads-section.tsx'
import { FieldsSection } from './fields-section.tsx'
import { sdkTexts } from './sdk-texts.ts'

/** Security SDK: downloads, exactly what is collected, and the text that informs users of it. */
export default function SdkPage() {
  const t = useTexts(sdkTexts)
  const language = useLanguage()
  const application = useCurrentApplication()
  const product = usePlatform((state) => state.product)
  const files = useEndpoint(sdkFiles)
  const appid = application?.id ?? ''
  const collected = useEndpoint(collectFields, { query: { appid } }, { enabled: appid !== '' })
  const manifest = files.data?.data
  return (
    <>
      <PageTitle
        title={PAGES.sdk[language]}
        note={manifest && t('note', { version: manifest.version })}
        actions={
          <Link to={PAGES.guide.path} className={buttonClass('plain')}>
            {t('guide')}
          </Link>
        }
      />
      <div className="flex flex-col gap-4 px-5 pb-10 max-lg:px-4">
        {files.error && !files.data ? (
          <ErrorState error={files.error} onRetry={() => void files.refetch()} />
        ) : files.data ? (
          <DownloadsSection manifest={files.data.data} />
        ) : (
          <Skeleton lines={6} className="p-5" />
        )}
        {collected.error && <ErrorState error={collected.error} onRetry={() => void collected.refetch()} />}
        <FieldsSection application={application} collected={application ? collected.data?.data : undefined} />
        <Section title={t('consent')} note={t('consentNote')} bodyClassName="px-5 pb-4">
          <CodeBlock
            wrap
            title={t('consent')}
            text={consentText(language, product, application ? (collected.data?.data.off ?? []) : [])}
          />
        </Section>
      </div>
    </>
  )
}
