import { PAGES } from '#contracts/pages.ts'
import ConstructionSteps from '#src/features/protection/parts/construction-steps.tsx'
import { constructionTexts } from '#src/features/protection/parts/construction-texts.ts'
import { STEPS, useProgress } from '#src/features/protection/parts/use-progress.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { CentredPage } from '#src/shared/ui/centred-page.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'

/** From nothing to the first event: five steps, each judged by what is really there, so that one can leave and come back. */
export default function ConstructionPage() {
  const t = useTexts(constructionTexts)
  const language = useLanguage()
  const application = useCurrentApplication()
  const progress = useProgress(application?.id)
  const doneCount = STEPS.filter((one) => progress.done[one]).length
  return (
    <CentredPage>
      <PageTitle
        title={PAGES.construction[language]}
        note={`${application ? `${t('current', { name: application.name })}　` : ''}${t('note', { done: doneCount, all: STEPS.length })}`}
      />
      <ConstructionSteps progress={progress} />
    </CentredPage>
  )
}
