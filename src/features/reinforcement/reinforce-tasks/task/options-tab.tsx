import { ChevronRight, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  exportReinforceLines,
  OPTION_STATES,
  type OptionResult,
  type OptionState,
  type ReinforceReport,
} from '#contracts/http/reinforce-tasks.ts'
import { REINFORCE_OPTION_KEYS, REINFORCE_OPTIONS } from '#domain/reinforce-options.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CountedChoice } from '#src/shared/table/searchable-list-page.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { GradeMark } from '../../parts/grade-mark.tsx'
import { OptionStateMark } from '../task-state.tsx'
import { OptionLines } from './option-lines.tsx'
import { countStates, inOrder, sumsOf } from './option-sums.ts'
import { resultTexts } from './result-texts.ts'
import type { TaskDetail } from './stage-rows.ts'

const STATES = Object.keys(OPTION_STATES) as OptionState[]
const GRID =
  'grid grid-cols-[20px_minmax(0,1.1fr)_44px_148px_minmax(0,1.3fr)_minmax(0,1.3fr)] items-center gap-x-3 px-5 max-md:grid-cols-[20px_minmax(0,1fr)_44px_140px] max-lg:px-4'

/** Each option that was on: what it did, what it left alone and why; one at a time is open, with its lines. */
export function OptionsTab({ detail, report }: { detail: TaskDetail; report: ReinforceReport }) {
  const t = useTexts(resultTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const show = STATES.find((state) => state === params.get('show')) ?? ''
  const open = params.get('option')
  const shown = inOrder(report.options).filter(({ state }) => show === '' || state === show)
  const off = REINFORCE_OPTION_KEYS.filter((option) => !detail.options[option].on)
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center gap-2 px-5 py-2 max-lg:px-4">
        <CountedChoice
          label={t('show')}
          all={t('all')}
          value={show}
          onChange={(next) => setParams({ show: next || null, option: null, find: null, page: null }, true)}
          items={STATES.map((id) => ({ id, label: OPTION_STATES[id][language] }))}
          counts={countStates(report.options)}
        />
        <a
          className={`${buttonClass('plain', 'small')} ml-auto`}
          href={downloadHref(exportReinforceLines, { id: detail.data.id })}
          download
        >
          <Icon of={Download} size={14} />
          <span>{t('export')}</span>
        </a>
      </div>
      <div aria-hidden className={`${GRID} h-8 border-y text-12 text-muted`}>
        <span />
        <span>{t('option')}</span>
        <span>{t('gradeHead')}</span>
        <span>{t('stateHead')}</span>
        <span className="max-md:hidden">{t('appliedHead')}</span>
        <span className="max-md:hidden">{t('skippedHead')}</span>
      </div>
      {shown.length === 0 && <EmptyState kind="filtered" title={t('noOption')} />}
      <ul aria-label={t('applied')}>
        {shown.map((one) => (
          <OptionRow
            key={one.option}
            result={one}
            isOpen={open === one.option}
            onToggle={() =>
              setParams({ option: open === one.option ? null : one.option, find: null, page: null }, true)
            }
          >
            <OptionLines task={detail.data.id} result={one} />
          </OptionRow>
        ))}
      </ul>
      {off.length > 0 && (
        <p className="px-5 py-3 text-12 text-muted max-lg:px-4">
          {t('off', {
            list: off.map((option) => REINFORCE_OPTIONS[option][language]).join(language === 'zh' ? '、' : ', '),
          })}
        </p>
      )}
    </div>
  )
}

function OptionRow({
  result,
  isOpen,
  onToggle,
  children,
}: {
  result: OptionResult
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}) {
  const t = useTexts(resultTexts)
  const language = useLanguage()
  const name = REINFORCE_OPTIONS[result.option][language]
  return (
    <li className="border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={t('expand', { name })}
        onClick={onToggle}
        className={`${GRID} min-h-9 w-full py-1 text-left hover:bg-hover ${isOpen ? 'bg-selected shadow-[inset_2px_0_var(--brand)]' : ''}`}
      >
        <Icon of={ChevronRight} size={14} className={`size-3.5 text-muted ${isOpen ? 'rotate-90' : ''}`} />
        <span className="min-w-0">{name}</span>
        <GradeMark grade={REINFORCE_OPTIONS[result.option].grade} />
        <OptionStateMark state={result.state} />
        {result.state === 'not_built' ? (
          <span aria-hidden className="text-muted max-md:hidden">
            —
          </span>
        ) : (
          <>
            <Summary count={result.applied} sums={sumsOf(result, 'applied')} />
            <Summary count={result.skipped} sums={[...sumsOf(result, 'skipped'), ...sumsOf(result, 'absent')]} />
          </>
        )}
      </button>
      {isOpen && children}
    </li>
  )
}

/** The number and its largest part; how many other kinds there are. */
function Summary({ count, sums }: { count: number; sums: OptionResult['sums'] }) {
  const t = useTexts(resultTexts)
  const [first, ...others] = sums
  const text = first && (others.length > 0 ? t('andMore', { text: first.text, count: others.length }) : first.text)
  if (!text && count === 0) return <span className="text-muted max-md:hidden">{t('nothing')}</span>
  return (
    <span className="flex min-w-0 items-baseline gap-2 max-md:hidden" title={text}>
      {count > 0 && <span className="tabular-nums">{formatExact(count)}</span>}
      <span className="text-clip-line text-12 text-muted">{text}</span>
    </span>
  )
}
