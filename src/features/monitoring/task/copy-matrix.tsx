import { MARKET_KIND_NAMES, MARKET_KINDS, type MarketKind } from '#contracts/http/monitoring/markets.ts'
import { COPY_VERDICTS, PIRATED_VERDICTS, type Verdict } from '#contracts/http/monitoring/tasks.ts'
import { shadeBreaks, shadeOf } from '#src/shared/charts/shade.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { monitorTexts } from '../parts/monitor-texts.ts'

const VERDICTS = Object.keys(COPY_VERDICTS) as Verdict[]
export interface MatrixCell {
  readonly kind: MarketKind
  readonly verdict: Verdict
  readonly copies: number
}

/** Copies by kind of channel and verdict; pirated columns have a scale of their own. A cell filters the list below. */
export function CopyMatrix({
  cells,
  asked,
  kind,
  verdict,
  onChoose,
}: {
  cells: readonly MatrixCell[]
  /** Markets of the newest run by kind. */
  asked: readonly { readonly kind: MarketKind; readonly markets: number; readonly asked: number }[]
  kind: MarketKind | ''
  verdict: string
  onChoose: (kind: MarketKind, verdict: Verdict) => void
}) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const countOf = (one: MarketKind, of: Verdict) =>
    cells.find((cell) => cell.kind === one && cell.verdict === of)?.copies ?? 0
  const isPirated = (of: Verdict) => PIRATED_VERDICTS.includes(of)
  const breaksOf = (pirated: boolean) =>
    shadeBreaks(cells.filter((cell) => isPirated(cell.verdict) === pirated).map(({ copies }) => copies))
  const breaks = { pirated: breaksOf(true), other: breaksOf(false) }
  const askedOf = (one: MarketKind) => asked.find((each) => each.kind === one) ?? { markets: 0, asked: 0 }
  const kinds = MARKET_KIND_NAMES.filter((one) => askedOf(one).markets > 0 || cells.some((cell) => cell.kind === one))
  return (
    <div className="overflow-x-auto px-5 pb-4">
      <table className="w-full min-w-[680px] table-fixed border-separate border-spacing-0.5">
        <thead>
          <tr className="text-12 text-muted">
            <th className="w-28 text-left font-normal">{t('kind')}</th>
            <th className="w-20 text-right font-normal">{t('askedMarkets')}</th>
            {VERDICTS.map((one) => (
              <th key={one} className={`h-7 text-center ${isPirated(one) ? 'font-semibold text-text' : 'font-normal'}`}>
                {COPY_VERDICTS[one][language]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((one) => (
            <tr key={one}>
              <th className="h-8 text-left font-normal">{MARKET_KINDS[one][language]}</th>
              <td className="pr-2 text-right text-12 text-muted tabular-nums">
                {askedOf(one).asked} / {askedOf(one).markets}
              </td>
              {VERDICTS.map((of) => {
                const count = countOf(one, of)
                const shade = shadeOf(count, isPirated(of) ? breaks.pirated : breaks.other)
                const isOn = kind === one && verdict === of
                if (count === 0)
                  return (
                    <td key={of} className="text-center text-muted tabular-nums">
                      {askedOf(one).asked > 0 ? 0 : <span title={t('unknown')}>—</span>}
                    </td>
                  )
                return (
                  <td key={of} className="p-0">
                    <button
                      type="button"
                      aria-pressed={isOn}
                      aria-label={`${MARKET_KINDS[one][language]} ${COPY_VERDICTS[of][language]} ${count}`}
                      onClick={() => onChoose(one, of)}
                      className={`block h-8 w-full rounded-small tabular-nums ${isPirated(of) ? 'font-semibold' : ''} ${isOn ? 'outline-2 outline-brand' : ''}`}
                      style={{
                        backgroundColor: `var(--scale-${shade})`,
                        color: shade >= 4 ? 'var(--surface)' : 'var(--text)',
                      }}
                    >
                      {count}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
