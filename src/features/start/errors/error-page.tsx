import { useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { ErrorScreen } from './error-screen.tsx'
import { errorTexts } from './error-texts.ts'

/** Where a request's HTTP 404 leads, and what no route matches. */
export default function ErrorPage() {
  const t = useTexts(errorTexts)
  return (
    <ErrorScreen title={t('error')} hint={t('errorHint')}>
      <button type="button" className={buttonClass('plain')} onClick={() => location.assign('/')}>
        {t('reload')}
      </button>
    </ErrorScreen>
  )
}
