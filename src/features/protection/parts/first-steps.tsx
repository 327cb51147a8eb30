import { useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CentredPage } from '#src/shared/ui/centred-page.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import ConstructionSteps from './construction-steps.tsx'
import { constructionTexts } from './construction-texts.ts'
import { STEPS, useProgress } from './use-progress.ts'

/** The steps of scene construction in place of a page that has nothing to show yet. */
export default function FirstSteps({ title, appid, leave }: { title: string; appid: string; leave: () => void }) {
  const t = useTexts(constructionTexts)
  const application = useCurrentApplication()
  const progress = useProgress(appid)
  return (
    <CentredPage>
      <PageTitle
        title={title}
        note={`${t('noEventYet', { name: application?.name ?? '' })}　${t('note', {
          done: STEPS.filter((one) => progress.done[one]).length,
          all: STEPS.length,
        })}`}
      />
      <ConstructionSteps
        progress={progress}
        first="keys"
        after={
          <Button variant="primary" onPress={leave}>
            {t('toAnalysis')}
          </Button>
        }
      />
    </CentredPage>
  )
}
