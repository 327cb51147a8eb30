import { ArrowRight, Check } from 'lucide-react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { pageAllowed, useAuthList } from '#src/shared/session/session-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { homeTexts } from './home-texts.ts'

/** What a new installation still lacks, as steps with their pages; gone once everything was done. Only what the account may do. */
export function NextSteps({ done }: { done: { connected: boolean; uploaded: boolean; examined: boolean } }) {
  const t = useTexts(homeTexts)
  const auth = useAuthList()
  const steps = [
    { id: 'connected', page: PAGES.construction, isDone: done.connected },
    { id: 'uploaded', page: PAGES.assets, isDone: done.uploaded },
    { id: 'examined', page: PAGES.detection_new, isDone: done.examined },
  ] as const
  const mine = steps.filter(({ page }) => pageAllowed(page, auth))
  if (mine.every(({ isDone }) => isDone)) return null
  return (
    <Section plain title={t('steps')} note={t('stepsNote')} className="border-b">
      <ol className="grid grid-cols-3 gap-3 px-5 pb-4 max-lg:grid-cols-1 max-lg:px-4">
        {mine.map(({ id, page, isDone }) => (
          <li key={id} className="relative rounded border p-3 hover:bg-hover">
            <span className="flex items-center gap-2">
              <Icon of={isDone ? Check : ArrowRight} className={isDone ? 'text-good-text' : 'text-brand-text'} />
              <Link to={page.path} className="font-semibold after:absolute after:inset-0">
                {t(`step_${id}`)}
              </Link>
              {isDone && <span className="text-12 text-muted">{t('stepDone')}</span>}
            </span>
            <span className="mt-0.5 block pl-6 text-12 text-muted">{t(`step_${id}_hint`)}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
