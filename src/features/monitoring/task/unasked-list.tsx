import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { MARKET_PROBLEMS, type MarketProblemKey } from '#contracts/http/monitoring/markets.ts'
import type { monitorDetail } from '#contracts/http/monitoring/tasks.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { monitorTexts } from '../parts/monitor-texts.ts'

type Unasked = ResponseOf<typeof monitorDetail>['unasked']
const FIRST = 6
/** Where people look, the name opens the page to look at. */
const BY_PEOPLE: ReadonlySet<MarketProblemKey> = new Set(['manual', 'nofile', 'untried'])

/** Markets that could not be asked, by reason, those that people look at last. */
export function UnaskedList({ unasked }: { unasked: Unasked }) {
  const t = useTexts(monitorTexts)
  if (unasked.length === 0) return <p className="px-5 pb-4 text-muted">{t('unaskedNone')}</p>
  const reasons = [...new Set(unasked.map(({ problem }) => problem))].sort(
    (a, b) => Number(a === 'manual') - Number(b === 'manual'),
  )
  return (
    <div className="flex flex-col gap-3 px-5 pb-4">
      {reasons.map((problem) => (
        <Reason key={problem} problem={problem} markets={unasked.filter((one) => one.problem === problem)} />
      ))}
    </div>
  )
}

function Reason({ problem, markets }: { problem: MarketProblemKey; markets: Unasked }) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const [isAll, setAll] = useState(false)
  const shown = isAll ? markets : markets.slice(0, FIRST)
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-start gap-2 font-semibold">
        <Icon
          of={TriangleAlert}
          size={14}
          className={`mt-1 flex-none ${problem === 'manual' ? 'text-muted' : 'text-warn-text'}`}
        />
        <span className="min-w-0 flex-1">{MARKET_PROBLEMS[problem][language]}</span>
        <span className="tabular-nums text-muted">{markets.length}</span>
      </p>
      <p className="pl-6 text-12 text-muted [overflow-wrap:anywhere]">
        {shown.map(({ id, name, detail, look }, at) => (
          <span key={id} title={detail}>
            {at > 0 && (language === 'zh' ? '、' : ', ')}
            {look && BY_PEOPLE.has(problem) ? (
              <a href={look} target="_blank" rel="noreferrer" className="hover:underline">
                {name}
              </a>
            ) : (
              name
            )}
          </span>
        ))}{' '}
        {markets.length > shown.length && (
          <button type="button" className="text-brand-text hover:underline" onClick={() => setAll(true)}>
            {t('more', { count: markets.length - shown.length })}
          </button>
        )}
      </p>
    </div>
  )
}
