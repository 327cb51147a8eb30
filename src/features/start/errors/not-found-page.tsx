import { useNavigate } from 'react-router-dom'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { ErrorScreen } from './error-screen.tsx'
import { errorTexts } from './error-texts.ts'

export default function NotFoundPage() {
  const t = useTexts(errorTexts)
  const navigate = useNavigate()
  return (
    <ErrorScreen code="404" title={t('notFound')} hint={t('notFoundHint')}>
      <button type="button" className={buttonClass('plain')} onClick={() => void navigate(-1)}>
        {t('back')}
      </button>
    </ErrorScreen>
  )
}
