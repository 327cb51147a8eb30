import { isCarriedOut, REINFORCE_GROUPS, REINFORCE_OPTIONS, type ReinforceOption } from '#domain/reinforce-options.ts'
import type { ReinforceOptions } from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { GradeMark } from '../parts/grade-mark.tsx'
import { newTexts } from './new-texts.ts'
import { groupsOf } from './policy-outline.ts'

/** Options that are on, by group; those that are not in this version are marked. `wide` puts the groups into columns side by side. */
export function OptionGroups({
  options,
  wide = false,
  className = '',
}: {
  options: ReinforceOptions
  wide?: boolean
  className?: string
}) {
  const language = useLanguage()
  return (
    <div className={`px-5 pb-3 ${wide ? 'columns-[260px] gap-x-10' : ''} ${className}`}>
      {groupsOf(options).map(({ group, options: list }) => (
        <section key={group} aria-label={REINFORCE_GROUPS[group][language]} className="break-inside-avoid pb-2">
          <h3 className="border-b pt-1 pb-0.5 text-12/5 text-muted">{REINFORCE_GROUPS[group][language]}</h3>
          <ul>
            {list.map((option) => (
              <OptionLine key={option} option={option} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function OptionLine({ option }: { option: ReinforceOption }) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  return (
    <li className="flex min-h-7 items-center gap-2">
      <span className={`min-w-0 flex-1 ${isCarriedOut(option) ? '' : 'text-muted'}`}>
        {REINFORCE_OPTIONS[option][language]}
      </span>
      {!isCarriedOut(option) && <span className="flex-none text-12 text-muted">{t('notYet')}</span>}
      <GradeMark grade={REINFORCE_OPTIONS[option].grade} />
    </li>
  )
}
