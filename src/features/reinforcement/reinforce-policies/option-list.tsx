import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import {
  isCarriedOut,
  REINFORCE_GROUPS,
  REINFORCE_OPTIONS,
  type ReinforceGroup,
  type ReinforceOption,
} from '#domain/reinforce-options.ts'
import { type MissingSetting, type ReinforceOptions, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { GradeMark } from '../parts/grade-mark.tsx'
import { hasSettings, OptionSettings } from './option-settings.tsx'
import { reinforceTexts } from './reinforce-texts.ts'
import type { PolicyDraft } from './use-policy-draft.ts'

export const optionAnchor = (option: ReinforceOption) => `option-${option}`
export const groupAnchor = (group: ReinforceGroup) => `options-${group}`
const USUAL: ReinforceOptions = ReinforceOptionsSchema.parse({})

/** Options by group; an open one shows its settings and what it cannot do. */
export function OptionList({
  options,
  draft,
  missing,
  isDisabled,
}: {
  options: readonly ReinforceOption[]
  draft: PolicyDraft
  missing: readonly MissingSetting[]
  isDisabled: boolean
}) {
  const language = useLanguage()
  const groups = Object.keys(REINFORCE_GROUPS) as ReinforceGroup[]
  return groups
    .map((group) => ({ group, shown: options.filter((option) => REINFORCE_OPTIONS[option].group === group) }))
    .filter(({ shown }) => shown.length > 0)
    .map(({ group, shown }) => (
      <section
        key={group}
        id={groupAnchor(group)}
        aria-label={REINFORCE_GROUPS[group][language]}
        className="scroll-mt-2"
      >
        <h3 className="border-b bg-canvas px-5 py-1.5 font-semibold">{REINFORCE_GROUPS[group][language]}</h3>
        {shown.map((option) => (
          <OptionRow
            key={option}
            option={option}
            draft={draft}
            missing={missing.find((one) => one.option === option)}
            isDisabled={isDisabled}
          />
        ))}
      </section>
    ))
}

function OptionRow({
  option,
  draft,
  missing,
  isDisabled,
}: {
  option: ReinforceOption
  draft: PolicyDraft
  missing: MissingSetting | undefined
  isDisabled: boolean
}) {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  const { grade, does, limit, ...name } = REINFORCE_OPTIONS[option]
  const [isOpen, setOpen] = useState(false)
  const { on } = draft.content.options[option]
  // What is missing cannot be folded away.
  const isShown = isOpen || missing !== undefined
  return (
    <div id={optionAnchor(option)} className={`scroll-mt-16 border-b ${isShown ? 'bg-selected' : ''}`}>
      <div className="flex min-h-11 items-center gap-3 px-5 py-1.5">
        <Switch
          label={name[language]}
          isSelected={on}
          isDisabled={isDisabled}
          onChange={(isOn) => {
            draft.setOption(option, { on: isOn } as Partial<ReinforceOptions[typeof option]>)
            if (isOn && hasSettings(USUAL, option)) setOpen(true)
          }}
        />
        <button
          type="button"
          aria-expanded={isShown}
          aria-label={t('settings', { name: name[language] })}
          onClick={() => setOpen(!isShown)}
          className="flex min-w-0 flex-1 items-center gap-3 text-left"
        >
          <span className="min-w-0 flex-1">
            <span className="block">{name[language]}</span>
            <span className="block text-12 text-muted">{does[language]}</span>
          </span>
          {!isCarriedOut(option) && (
            <span className="max-sm:hidden">
              <Chip tone="neutral">{t('notYet')}</Chip>
            </span>
          )}
          <GradeMark grade={grade} />
          <Icon of={ChevronDown} size={14} className={`flex-none text-muted ${isShown ? 'rotate-180' : ''}`} />
        </button>
      </div>
      {isShown && (
        <div className="space-y-3 px-5 pb-3 pl-[76px] max-sm:pl-5">
          <OptionSettings option={option} draft={draft} missing={missing} isDisabled={isDisabled} />
          {!isCarriedOut(option) && <p className="text-12 text-muted sm:hidden">{t('notYet')}</p>}
          <p className="text-12 text-muted">{t('limit', { limit: limit[language] })}</p>
        </div>
      )}
    </div>
  )
}
