import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { ApplicationStep } from './application-step.tsx'
import { CheckStep } from './check-step.tsx'
import { constructionTexts } from './construction-texts.ts'
import { KeysStep } from './keys-step.tsx'
import { RulesStep } from './rules-step.tsx'
import { SdkStep } from './sdk-step.tsx'
import { type Progress, STEPS, type StepName } from './use-progress.ts'

/**
 * The five steps from nothing to the first event with the content of the one that is open. The open step is in the address; `first`
 * is open until one is chosen, else the first that is not done.
 */
export default function ConstructionSteps({
  progress,
  first,
  after,
}: {
  progress: Progress
  first?: StepName
  /** What leads on once events arrive, in the last step. */
  after?: ReactNode
}) {
  const t = useTexts(constructionTexts)
  const application = useCurrentApplication()
  const [params, setParams] = useSearchParams()
  const asked = params.get('step') as StepName | null
  const open = asked && STEPS.includes(asked) ? asked : first
  const step = open ?? STEPS.find((one) => !progress.done[one]) ?? 'check'
  const set = (values: Record<string, string>) => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(values)) next.set(name, value)
    setParams(next, { replace: true })
  }
  const goOn = () => {
    const following = STEPS[STEPS.indexOf(step) + 1]
    if (following) set({ step: following })
  }
  const needsApp = <p className="px-5 pb-5 text-muted">{t('needsApp')}</p>
  const contents: Record<StepName, ReactNode> = {
    app: <ApplicationStep application={application} onNext={goOn} />,
    keys: application ? <KeysStep application={application} onNext={goOn} /> : needsApp,
    sdk: application ? (
      <SdkStep chosen={progress.sdk} onChoose={(sdk) => set({ sdk, step: 'sdk' })} onNext={goOn} />
    ) : (
      needsApp
    ),
    rules: application ? <RulesStep application={application} onNext={goOn} /> : needsApp,
    check: application ? <CheckStep application={application} progress={progress} after={after} /> : needsApp,
  }
  return (
    <div className="grid flex-1 grid-cols-[minmax(0,1fr)] border-t max-lg:grid-rows-[auto_1fr] lg:grid-cols-[260px_minmax(0,1fr)]">
      <nav aria-label={t('steps')} className="lg:border-r">
        <ol className="flex flex-col py-2 max-lg:flex-row max-lg:overflow-x-auto max-lg:border-b">
          {STEPS.map((one, index) => (
            <li key={one} className="flex-none">
              <button
                type="button"
                aria-current={one === step ? 'step' : undefined}
                onClick={() => set({ step: one })}
                className="flex w-full items-center gap-3 px-5 py-2.5 text-left hover:bg-hover aria-[current=step]:bg-selected"
              >
                <span
                  data-testid={`step-${one}`}
                  data-done={progress.done[one]}
                  className={`flex size-6 flex-none items-center justify-center rounded-full text-12 font-semibold ${progress.done[one] ? 'bg-good text-surface' : one === step ? 'bg-brand-fill text-brand-on' : 'border border-line-strong text-muted'}`}
                >
                  {progress.done[one] ? <Icon of={Check} size={14} /> : index + 1}
                </span>
                <span className="min-w-0">
                  <span className={`block ${one === step ? 'font-semibold text-brand-text' : ''}`}>{t(one)}</span>
                  <span className="block text-12 text-muted max-lg:hidden">
                    {progress.done[one] ? t('done') : t(`${one}Note`)}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ol>
        <p className="px-5 py-2 text-12 text-muted max-lg:hidden">{t('resume')}</p>
      </nav>
      <Section plain title={t(step)} note={t(`${step}Note`)} className="min-w-0">
        {contents[step]}
      </Section>
    </div>
  )
}
