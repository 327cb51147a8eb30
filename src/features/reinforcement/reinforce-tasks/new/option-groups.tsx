import type { ReactNode } from 'react'
import type { ReinforceKind } from '#domain/reinforce-kinds.ts'
import { isCarriedOut, REINFORCE_GROUPS, REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import { chosenOptions, type ReinforceOptions } from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { GradeMark } from '../../parts/grade-mark.tsx'
import { newTexts } from './new-texts.ts'
import { groupsOf, idleOptions, notCarriedOut } from './policy-outline.ts'

/** Options that are on: those that act on packages of `kinds` by group, the others by name below. `wide` puts the groups side by side. */
export function OptionGroups({
  options,
  kinds,
  wide = false,
  className = '',
}: {
  options: ReinforceOptions
  kinds: readonly ReinforceKind[]
  wide?: boolean
  className?: string
}) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  const idle = idleOptions(options, kinds)
  const others = [
    { key: 'noEffect', list: idle },
    { key: 'notYet', list: notCarriedOut(options) },
  ] as const
  return (
    <div className={`px-5 pb-3 ${wide ? 'columns-[240px] gap-x-10' : ''} ${className}`}>
      {groupsOf(chosenOptions(options).filter((one) => isCarriedOut(one) && !idle.includes(one))).map(
        ({ group, options: list }) => (
          <Group key={group} title={REINFORCE_GROUPS[group][language]}>
            <ul>
              {list.map((option) => (
                <li key={option} className="flex min-h-7 items-center gap-2">
                  <span className="min-w-0 flex-1">{REINFORCE_OPTIONS[option][language]}</span>
                  <GradeMark grade={REINFORCE_OPTIONS[option].grade} />
                </li>
              ))}
            </ul>
          </Group>
        ),
      )}
      {others.map(
        ({ key, list }) =>
          list.length > 0 && (
            <Group key={key} title={t(key, { count: list.length })}>
              <p className="py-1 text-muted">
                {list.map((option) => REINFORCE_OPTIONS[option][language]).join(language === 'zh' ? '、' : ', ')}
              </p>
            </Group>
          ),
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="break-inside-avoid pb-2">
      <h3 className="border-b pt-1 pb-0.5 text-12/5 text-muted">{title}</h3>
      {children}
    </section>
  )
}
