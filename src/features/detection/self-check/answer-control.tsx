import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { SelfCheckClause } from '#contracts/http/self-check/checks.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { selfCheckTexts } from './self-check-texts.ts'
import { useAnswer } from './use-answer.ts'

const VALUES = ['yes', 'no', 'na'] as const

/** Yes, no, not applicable; none of them until somebody answers, and again once the chosen one is pressed again. */
export function AnswerControl({ appid, clause }: { appid: string; clause: SelfCheckClause }) {
  const t = useTexts(selfCheckTexts)
  const language = useLanguage()
  const { answer, isPending } = useAnswer(appid, clause)
  const value = clause.answer?.value
  return (
    <ToggleButtonGroup
      aria-label={`${t('answer')} ${clause.question[language]}`}
      selectionMode="single"
      isDisabled={isPending}
      selectedKeys={value ? [value] : []}
      onSelectionChange={(keys) => {
        const [key] = keys
        answer(VALUES.find((one) => one === key) ?? null, clause.answer?.note ?? '')
      }}
      className="inline-flex h-7 flex-none rounded border border-line-strong bg-surface text-12"
    >
      {VALUES.map((one) => (
        <ToggleButton
          key={one}
          id={one}
          className={`inline-flex items-center border-r border-line px-3 whitespace-nowrap text-muted first:rounded-l-[inherit] last:rounded-r-[inherit] last:border-r-0 hover:bg-hover hover:text-text disabled:cursor-not-allowed selected:font-semibold ${LOOK[one === 'na' ? 'na' : one === clause.good ? 'good' : 'bad']}`}
        >
          {t(one)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

const LOOK = {
  good: 'selected:bg-good-soft selected:text-good-text',
  bad: 'selected:bg-bad-soft selected:text-bad-text',
  na: 'selected:bg-neutral selected:text-text',
} as const
