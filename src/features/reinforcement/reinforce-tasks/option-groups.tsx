import { isCarriedOut, REINFORCE_GROUPS, REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import type { ReinforceOptions } from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { GradeMark } from '../parts/grade-mark.tsx'
import { newTexts } from './new-texts.ts'
import { groupsOf } from './policy-outline.ts'

/** Options that are on, by group; those that are not in this version are marked. */
export function OptionGroups({ options, className = '' }: { options: ReinforceOptions; className?: string }) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  return (
    <dl className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-5 py-2 max-lg:px-4 ${className}`}>
      {groupsOf(options).map(({ group, options: list }) => (
        <div key={group} className="contents">
          <dt className="pt-1 text-12/5 whitespace-nowrap text-muted">{REINFORCE_GROUPS[group][language]}</dt>
          <dd>
            <ul>
              {list.map((option) => (
                <li key={option} className="flex min-h-7 items-center gap-2">
                  <span className={`min-w-0 flex-1 ${isCarriedOut(option) ? '' : 'text-muted'}`}>
                    {REINFORCE_OPTIONS[option][language]}
                  </span>
                  {!isCarriedOut(option) && <span className="flex-none text-12 text-muted">{t('notYet')}</span>}
                  <GradeMark grade={REINFORCE_OPTIONS[option].grade} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  )
}
