import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { setCurrentApplication, useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
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
  return (
    <EmptyState
      kind="missing"
      title={t('chooseApp')}
      hint={t('chooseAppHint')}
      action={
        <Select
          label={t('app')}
          hideLabel
          placeholder={t('chooseApp')}
          className="w-60"
          value={null}
          items={(list ?? []).map((one) => ({ id: one.id, label: one.name }))}
          onChange={(id) => setCurrentApplication(id)}
        />
      }
    />
  )
}
