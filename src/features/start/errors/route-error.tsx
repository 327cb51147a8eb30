import { useEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { logError } from '#src/shared/session/error-log.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { ErrorScreen } from './error-screen.tsx'
import { errorTexts } from './error-texts.ts'

/** A page that threw: written into the error log, the rest of the console stays. */
export function RouteError() {
  const t = useTexts(errorTexts)
  const error = useRouteError()
  useEffect(() => logError(error), [error])
  const notLoaded = error instanceof TypeError && /import|fetch|module/i.test(error.message)
  return (
    <ErrorScreen title={notLoaded ? t('chunk') : t('crash')} hint={notLoaded ? t('chunkHint') : t('crashHint')}>
      <button type="button" className={buttonClass('plain')} onClick={() => location.reload()}>
        {t('reload')}
      </button>
    </ErrorScreen>
  )
}
