import { useTexts } from '#src/shared/i18n/texts.ts'
import { setCurrentApplication, useApplications } from '#src/shared/session/application-store.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { sdkTexts } from './sdk-texts.ts'

/** What is shown while all applications are chosen. */
export function ChooseApplication() {
  const t = useTexts(sdkTexts)
  const list = useApplications((state) => state.list)
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
