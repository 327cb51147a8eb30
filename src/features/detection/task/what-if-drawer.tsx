import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { FINDING_LEVELS, OWNER_KINDS } from '#contracts/detection/kinds.ts'
import { whatIfFixed } from '#contracts/http/detection/result.ts'
import { FINDING_LEVEL_ORDER, FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { GateMark } from '#src/features/detection/parts/gate-mark.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import type { ReportItem } from './report-items.ts'
import { sortedItems } from './report-items.ts'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

/** The formula, every deduction, and the score as it would be with the ticked items fixed. */
export function WhatIfDrawer({
  answer,
  summary,
  items,
  isOpen,
  onClose,
}: PartProps & { items: readonly ReportItem[]; isOpen: boolean; onClose: () => void }) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const [fixed, setFixed] = useState<ReadonlySet<string>>(new Set())
  const failed = sortedItems(items.filter((one) => one.verdict === 'fail')).sort((a, b) => b.points - a.points)
  const asked = useEndpoint(
    whatIfFixed,
    { body: { id: answer.data.id, fixed: [...fixed].sort() } },
    { enabled: isOpen && fixed.size > 0, placeholderData: (before) => before },
  )
  const would = fixed.size > 0 ? asked.data?.data : undefined
  const others = summary.score.deductions.filter(({ item }) => !items.some((one) => one.item.id === item))
  const capped = (line: string) => {
    const level = FINDING_LEVEL_ORDER.find((one) => line === `cap-${one}`)
    return t('cap', { level: level ? FINDING_LEVELS[level][language] : '' })
  }
  const toggle = (id: string, on: boolean) =>
    setFixed((before) => {
      const next = new Set(before)
      if (on) next.add(id)
      else next.delete(id)
      return next
    })
  return (
    <Drawer isOpen={isOpen} onClose={onClose} title={t('whatIf')} takeFocus>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-5 py-3" aria-live="polite">
        <span className="text-28">{summary.score.value}</span>
        {would && (
          <>
            <Icon of={ArrowRight} size={20} className="text-muted" />
            <span className="text-28 font-semibold" data-testid="what-if" data-value={would.score.value}>
              {would.score.value}
            </span>
            {would.gate.conditions.length > 0 && <GateMark gate={would.gate.verdict} />}
          </>
        )}
        <span className="text-12 text-muted">
          {asked.error && fixed.size > 0
            ? errorMessage(asked.error)
            : fixed.size > 0
              ? t('whatIfResult', { count: fixed.size })
              : t('whatIfHint')}
        </span>
        {fixed.size > 0 && (
          <span className="ml-auto">
            <Button size="small" variant="quiet" onPress={() => setFixed(new Set())}>
              {t('reset')}
            </Button>
          </span>
        )}
      </div>
      <ul className="py-1">
        {failed.map(({ item, points }) => (
          <li key={item.id} className="flex min-h-9 items-center gap-3 border-b px-5 py-1 hover:bg-hover">
            <Checkbox isSelected={fixed.has(item.id)} onChange={(on) => toggle(item.id, on)}>
              <FindingLevelMark level={item.level} word={false} />
              <span>{item.name[language]}</span>
            </Checkbox>
            <span className="ml-auto flex-none text-12 text-muted">
              {item.owner && item.owner !== 'own' && OWNER_KINDS[item.owner][language]}
            </span>
            <span className="w-12 flex-none text-right tabular-nums">{points > 0 ? `−${points}` : 0}</span>
          </li>
        ))}
        {failed.length === 0 && <li className="px-5 py-3 text-muted">{t('noDeductions')}</li>}
        {others.map(({ item, points }) => (
          <li key={item} className="flex min-h-9 items-center border-b px-5 text-muted">
            <span className="flex-1">{capped(item)}</span>
            <span className="tabular-nums">{points < 0 ? `+${-points}` : `−${points}`}</span>
          </li>
        ))}
      </ul>
      <section className="px-5 py-3">
        <h3 className="pb-1 text-12 font-semibold">{t('rule')}</h3>
        <p className="text-12/5 text-muted">{summary.score.formula[language]}</p>
      </section>
    </Drawer>
  )
}
