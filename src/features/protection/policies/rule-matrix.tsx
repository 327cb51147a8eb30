import { MessageSquareText } from 'lucide-react'
import { Fragment } from 'react'
import type { PolicyRules, RuleChange } from '#domain/policy-rules.ts'
import { actionOfRisk, textOfRisk } from '#domain/policy-rules.ts'
import {
  ACTIONS,
  type Action,
  LEVELS,
  LEVELS_BY_SEVERITY,
  type Level,
  RISK_TYPES,
  type RiskType,
} from '#domain/vocabulary.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { MatrixCells as Cells } from './matrix-cells.tsx'
import { policyTexts } from './policy-texts.ts'

const COLUMNS = Object.keys(ACTIONS) as Action[]
const GRID =
  'grid-cols-[minmax(116px,240px)_calc(5*var(--cell))_minmax(92px,1fr)_72px_72px] ' +
  'max-sm:grid-cols-[minmax(88px,1fr)_calc(5*var(--cell))_28px_52px]'

/**
 * Risk by action. A disc is what the draft says, a ring what the compared version said, with a line between; the small disc of a level
 * is what its risks do that are not set on their own. Each line is a group of radio buttons: arrow keys move.
 */
export function RuleMatrix({
  rules,
  before,
  changes,
  onlyChanged,
  counts,
  isDisabled,
  onLevel,
  onRisk,
  onWords,
  onRows,
}: {
  rules: PolicyRules
  /** The version compared with; undefined: none yet. */
  before: PolicyRules | undefined
  changes: readonly RuleChange[]
  onlyChanged: boolean
  /** Attacks of the last days by risk; undefined while loading or not allowed. */
  counts: ReadonlyMap<string, number> | undefined
  /** May be read only. */
  isDisabled: boolean
  onLevel: (level: Level, action: Action) => void
  onRisk: (risk: RiskType, action: Action) => void
  onWords: (risk: RiskType) => void
  onRows: (risk: RiskType) => void
}) {
  const t = useTexts(policyTexts)
  const language = useLanguage()
  const changed = new Map(changes.map((one) => [one.risk, one]))
  return (
    <div className="min-w-0 overflow-x-auto [--cell:62px] max-xl:[--cell:52px] max-sm:[--cell:36px]">
      <div className="min-w-[calc(5*var(--cell)+388px)] max-sm:min-w-0">
        <div className={`grid ${GRID} h-8 items-center border-b pr-3 pl-5 max-sm:pl-3 text-12 text-muted`}>
          <span>{t('risk')}</span>
          <span aria-hidden className="flex">
            {COLUMNS.map((action) => (
              <span key={action} className="w-(--cell) text-center">
                {ACTIONS[action][language]}
              </span>
            ))}
          </span>
          <span className="max-sm:hidden" />
          <span className="overflow-hidden max-sm:invisible">{t('words')}</span>
          <span className="text-right">{t('week')}</span>
        </div>
        {LEVELS_BY_SEVERITY.map((level) => {
          const risks = (Object.keys(RISK_TYPES) as RiskType[]).filter(
            (risk) => RISK_TYPES[risk].level === level && (!onlyChanged || changed.has(risk)),
          )
          if (risks.length === 0) return null
          return (
            <Fragment key={level}>
              <div className={`grid ${GRID} h-8 items-center border-b bg-canvas pr-3 pl-5 max-sm:pl-3`}>
                <span className="font-semibold">
                  <LevelMark level={level} />
                </span>
                <Cells
                  name={`level-${level}`}
                  label={`${LEVELS[level][language]} ${t('levelDefault')}`}
                  value={rules.levels[level]}
                  isDisabled={isDisabled}
                  quiet
                  onChange={(action) => onLevel(level, action)}
                />
                <span className="text-12 text-muted max-sm:hidden">{t('levelDefault')}</span>
              </div>
              {risks.map((risk) => {
                const change = changed.get(risk)
                const action = actionOfRisk(rules, risk)
                const count = counts?.get(risk)
                const name = RISK_TYPES[risk][language]
                return (
                  <div
                    key={risk}
                    data-risk={risk}
                    data-changed={change ? '' : undefined}
                    className={`grid ${GRID} h-8 items-center border-b pr-3 pl-5 max-sm:pl-3 ${change ? 'bg-selected' : 'hover:bg-hover'}`}
                  >
                    <span className="text-clip-line pl-4 max-sm:pl-2" title={name}>
                      {name}
                    </span>
                    <Cells
                      name={`risk-${risk}`}
                      label={name}
                      value={action}
                      former={before && change && change.from !== change.to ? change.from : undefined}
                      isDisabled={isDisabled}
                      onChange={(next) => onRisk(risk, next)}
                    />
                    <span className="text-clip-line text-12 max-sm:hidden">
                      {change && change.from !== change.to ? (
                        <span className="font-semibold">
                          <span className="font-normal text-muted">{ACTIONS[change.from][language]} → </span>
                          {ACTIONS[change.to][language]}
                        </span>
                      ) : change ? (
                        <span className="font-semibold">{t('wordsChanged')}</span>
                      ) : (
                        <span className="text-muted">
                          {t(rules.risks[risk]?.action === undefined ? 'inherits' : 'own')}
                        </span>
                      )}
                    </span>
                    <button
                      type="button"
                      aria-label={t('wordsOf', { risk: name })}
                      title={textOfRisk(rules, risk)?.[language] || t('wordsOf', { risk: name })}
                      onClick={() => onWords(risk)}
                      className={`flex size-6 items-center justify-center rounded-small hover:bg-hover ${textOfRisk(rules, risk) ? 'text-brand-text' : 'text-faint'}`}
                    >
                      <Icon of={MessageSquareText} size={14} />
                    </button>
                    <span className="text-right text-12">
                      {count === undefined ? (
                        <span className="text-muted">{counts ? '0' : '–'}</span>
                      ) : (
                        <button
                          type="button"
                          className="hover:text-brand-text hover:underline"
                          aria-label={t('rowsOf', { count, name })}
                          onClick={() => onRows(risk)}
                        >
                          {formatExact(count)}
                        </button>
                      )}
                    </span>
                  </div>
                )
              })}
            </Fragment>
          )
        })}
      </div>
    </div>
  )
}
