import { MessageSquareText } from 'lucide-react'
import type { SelfCheckClause } from '#contracts/http/self-check/checks.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { VerdictMark } from '#src/features/detection/parts/verdict-mark.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { AnswerControl } from './answer-control.tsx'
import { ConclusionChip } from './conclusion-chip.tsx'
import { selfCheckTexts } from './self-check-texts.ts'

/** One clause: what is asked, the answer, what the package says, and what comes of both. */
export function ClauseRow({
  appid,
  clause,
  isOpen,
  onOpen,
}: {
  appid: string
  clause: SelfCheckClause
  isOpen: boolean
  onOpen: () => void
}) {
  const t = useTexts(selfCheckTexts)
  const language = useLanguage()
  const { answer, machine } = clause
  return (
    <li
      data-testid={`clause-${clause.id}`}
      className={`grid grid-cols-[84px_minmax(0,1fr)_220px_150px_150px_36px] items-center gap-x-3 border-t px-5 py-2.5 first:border-t-0 max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-y-2 max-lg:px-4 ${isOpen ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      <span className="flex items-center gap-2 max-lg:col-span-2">
        <FindingLevelMark level={clause.level} word={false} />
        <span className="text-12 break-words text-muted">{clause.clause}</span>
      </span>
      <span className="min-w-0 max-lg:col-span-2">
        <span className="block">{clause.question[language]}</span>
        <span className="block text-12 text-muted">
          {clause.name[language]}
          {answer?.note && <span className="pl-2 text-text">“{answer.note}”</span>}
        </span>
      </span>
      <span>
        <AnswerControl appid={appid} clause={clause} />
        {answer && (
          <span className="mt-1 block text-clip-line text-12 text-muted">
            <RelativeTime at={answer.at} /> {answer.by}
          </span>
        )}
      </span>
      <span title={machine?.reason[language]}>
        {machine ? <VerdictMark verdict={machine.verdict} /> : <span className="text-muted">—</span>}
      </span>
      <ConclusionChip conclusion={clause.conclusion} />
      <IconButton icon={MessageSquareText} label={t('open', { clause: clause.clause })} onPress={onOpen} />
    </li>
  )
}
