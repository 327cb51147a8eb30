import { CircleCheck, CircleX } from 'lucide-react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  MARKET_PROBLEMS,
  type MarketConnector,
  type suggestMarket,
  type tryMarket,
} from '#contracts/http/monitoring/markets.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import type { MarketText } from './markets-texts.ts'

export type Trial = ResponseOf<typeof tryMarket>
export type Suggested = ResponseOf<typeof suggestMarket>

/** Entries that were found on the page, each with the rules that read it: the user presses the right one. */
export function Suggestions({
  found,
  error,
  isPending,
  onChoose,
  t,
}: {
  found: Suggested | null
  error: string
  isPending: boolean
  onChoose: (connector: MarketConnector) => void
  t: MarketText
}) {
  const language = useLanguage()
  if (isPending) return <p className="text-muted">{t('trying')}</p>
  if (!found && !error) return null
  const problem = found?.problem ? `${MARKET_PROBLEMS[found.problem][language]} ${found.detail}` : ''
  const list = found?.suggestions ?? []
  return (
    <div aria-live="polite" className="flex flex-col gap-2 rounded border bg-canvas p-3">
      <p className={error || problem ? 'text-bad-text' : 'text-muted'}>
        {error || problem || t(list.length ? 'suggestTitle' : 'suggestNone')}
      </p>
      {list.map(({ connector, items, sample }) => (
        <button
          key={JSON.stringify(connector)}
          type="button"
          onClick={() => onChoose(connector)}
          className="flex flex-col gap-0.5 rounded border bg-surface px-3 py-2 text-left hover:border-brand"
        >
          <span className="flex items-baseline gap-2">
            <b className="text-clip-line font-semibold">{sample.name || sample.package}</b>
            <span className="text-12 text-muted">{sample.version || t('noVersion')}</span>
            <span className="ml-auto flex-none text-12 text-muted">{t('suggestItems', { count: items })}</span>
          </span>
          <span className="text-clip-line font-mono text-12 text-muted" title={sample.download}>
            {sample.download}
          </span>
        </button>
      ))}
    </div>
  )
}

/** What a trial found, or why there was none. @param error why there was no trial; '' otherwise */
export function TrialResult({
  trial,
  error,
  isPending,
  t,
}: {
  trial: Trial | null
  error: string
  isPending: boolean
  t: MarketText
}) {
  const language = useLanguage()
  if (isPending) return <p className="text-muted">{t('trying')}</p>
  if (!trial && !error) return null
  const textOf = ({ problem, detail, trial: key, pages, items, candidates }: Trial) =>
    problem
      ? `${MARKET_PROBLEMS[problem][language]}${detail ? ` (${detail})` : ''}`
      : t(key === '' ? 'triedNothing' : 'tried', { pages, items, candidates: candidates.length })
  const isGood = !error && trial?.trial !== ''
  const text = error || (trial && textOf(trial))
  return (
    <div aria-live="polite" className="flex flex-col gap-2 rounded border bg-canvas p-3">
      <p className={`flex items-start gap-2 ${isGood ? 'text-good-text' : 'text-bad-text'}`}>
        <Icon of={isGood ? CircleCheck : CircleX} size={16} className="mt-0.5 flex-none" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      </p>
      {!error && trial !== null && trial.candidates.length > 0 && (
        <ul className="flex flex-col gap-1 text-12">
          {trial.candidates.slice(0, 8).map((one) => (
            <li key={`${one.download} ${one.page}`} className="text-clip-line" title={one.download || one.page}>
              {[one.name, one.package, one.version, one.downloads ?? ''].filter(Boolean).join(' · ')}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
