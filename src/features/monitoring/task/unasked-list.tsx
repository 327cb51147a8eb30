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

/** No run asks them, and nothing is wrong with them. */
const IS_NO_FAULT: ReadonlySet<MarketProblemKey> = new Set(['platform', 'manual'])

/** Markets that could not be asked, by reason, those that no run asks last. */
export function UnaskedList({ unasked }: { unasked: Unasked }) {
  const t = useTexts(monitorTexts)
  if (unasked.length === 0) return <p className="px-5 pb-4 text-muted">{t('unaskedNone')}</p>
  const reasons = [...new Set(unasked.map(({ problem }) => problem))].sort(
    (a, b) => Number(IS_NO_FAULT.has(a)) - Number(IS_NO_FAULT.has(b)),
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
  const leads = shown.flatMap(({ id, name: market, leads: found }) => found.map((one) => ({ id, market, ...one })))
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-start gap-2 font-semibold">
        <Icon
          of={TriangleAlert}
          size={14}
          className={`mt-1 flex-none ${IS_NO_FAULT.has(problem) ? 'text-muted' : 'text-warn-text'}`}
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
      {leads.length > 0 && (
        <ul className="flex flex-col gap-0.5 pl-6 text-12">
          {leads.map(({ id, market, name, page }) => (
            <li key={`${id} ${page} ${name}`} className="flex min-w-0 gap-2">
              <span className="flex-none text-muted">{market}</span>
              <a
                href={page}
                target="_blank"
                rel="noreferrer"
                title={page}
                className="text-clip-line text-brand-text hover:underline"
              >
                {name || page}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
