import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { ChooseApplicationState } from '#src/shared/account/choose-application-state.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { sdkTexts } from './sdk-texts.ts'

/** What is shown while all applications are chosen, or while there is no application. */
export function ChooseApplication() {
  const t = useTexts(sdkTexts)
  const list = useApplications((state) => state.list)
  const mayBuild = useMay('construction')
  if (list?.length === 0)
    return (
      <EmptyState
        kind="none"
        title={t('noApp')}
        hint={t('chooseAppHint')}
        action={
          mayBuild && (
            <Link to={PAGES.construction.path} className={buttonClass('plain')}>
              {t('makeApp')}
            </Link>
          )
        }
      />
    )
  return <ChooseApplicationState title={t('chooseApp')} hint={t('chooseAppHint')} label={t('app')} />
}
