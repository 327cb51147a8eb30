import { Check, CircleCheck, CircleMinus, OctagonX, X } from 'lucide-react'
import { FINDING_LEVELS } from '#contracts/detection/kinds.ts'
import type { GateCondition } from '#contracts/http/detection/result.ts'
import { detectionItems } from '#contracts/http/detection/tasks.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { NO_ITEM_FILTERS } from './item-filters.tsx'
import { sortedItems } from './report-items.ts'
import type { PartProps } from './report-part.ts'
import { useReportItems } from './use-report-items.ts'

const texts = defineTexts('detection-gate', {
  strategy: { zh: '策略：{{name}}', en: 'Strategy: {{name}}' },
  unmet: { zh: '{{count}} 项条件未满足', en: '{{count}} conditions not met', one: '{{count}} condition not met' },
  met: { zh: '{{count}} 项条件全部满足', en: 'All {{count}} conditions met', one: '{{count}} condition met' },
  noGate: {
    zh: '此策略没有设置发布条件，评分与问题照常给出。',
    en: 'This strategy sets no conditions; score and findings are given all the same.',
  },
  condition: { zh: '条件', en: 'Condition' },
  now: { zh: '当前', en: 'Now' },
  required: { zh: '要求', en: 'Required' },
  score: { zh: '评分', en: 'Score' },
  items: { zh: '{{level}}问题', en: '{{level}} items' },
  assessed: { zh: '未评估的检测项', en: 'Items not assessed' },
  signature: { zh: '签名问题', en: 'Signature problems' },
  fails: { zh: '不通过', en: 'Fails' },
  passes: { zh: '未触发', en: 'Does not fail' },
  atLeast: { zh: '至少 {{count}}', en: 'at least {{count}}' },
  atMost: { zh: '至多 {{count}}', en: 'at most {{count}}' },
  none: { zh: '等于 0', en: 'none' },
  mustPass: { zh: '不得触发', en: 'must not fail' },
  see: { zh: '查看 {{count}} 项', en: 'See {{count}}' },
  first: { zh: '先修这些，扣分最多', en: 'Fix these first: they cost most' },
  seeOne: { zh: '查看', en: 'See' },
})

/** Conditions and first fixes together, so that the card is as high as its neighbours. */
const SHOWN_LINES = 4

/** May it be released, by the gate of the strategy: every condition with the items that violate it. */
export function GateCard(props: PartProps) {
  const { answer, summary, address } = props
  const t = useTexts(texts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const { gate } = summary
  const items = useEndpoint(
    detectionItems,
    {},
    { enabled: gate.conditions.some((one) => one.item !== null), staleTime: Number.POSITIVE_INFINITY },
  )
  const { items: all } = useReportItems(props)
  const first = sortedItems(all.filter((one) => one.points > 0 && one.item.owner !== 'sdk'))
    .sort((a, b) => b.points - a.points)
    .slice(0, Math.max(0, SHOWN_LINES - gate.conditions.length))
  const unmet = gate.conditions.filter((one) => !one.met)
  const look =
    gate.conditions.length === 0
      ? { icon: CircleMinus, color: 'text-muted', title: d('gateNone') }
      : gate.verdict === 'fail'
        ? { icon: OctagonX, color: 'text-bad-text', title: d('gateFail') }
        : { icon: CircleCheck, color: 'text-good-text', title: d('gatePass') }
  const nameOf = (one: GateCondition) =>
    one.item !== null
      ? (items.data?.data.find((item) => item.id === one.item)?.name[language] ?? one.item)
      : one.key === 'min_score'
        ? t('score')
        : one.key === 'assessed'
          ? t('assessed')
          : one.key === 'signature'
            ? t('signature')
            : one.key === 'forbidden'
              ? ''
              : t('items', { level: FINDING_LEVELS[one.key][language] })
  const requiredOf = (one: GateCondition) =>
    one.key === 'min_score'
      ? t('atLeast', { count: one.required })
      : one.item !== null
        ? t('mustPass')
        : one.required === 0
          ? t('none')
          : t('atMost', { count: one.required })
  const open = (one: GateCondition) => {
    const filters = { ...NO_ITEM_FILTERS, tab: null }
    if (one.item !== null) address.setParams({ ...filters, verdict: 'all', item: one.item })
    else if (one.key === 'signature') address.setParams({ ...filters, verdict: 'all', category: 'signature' })
    else if (one.key === 'assessed') address.setParams({ ...filters, verdict: 'not_assessed' })
    else address.setParams({ ...filters, verdict: null, level: one.key })
  }
  return (
    <section aria-label={look.title} className="py-3 pr-6 max-lg:pr-0">
      <div className="flex flex-wrap items-center gap-x-3 pb-1">
        <Icon of={look.icon} size={24} className={look.color} />
        <strong className="text-28/9 font-semibold" data-testid="gate" data-value={gate.verdict}>
          {look.title}
        </strong>
        {gate.conditions.length > 0 && (
          <span className="text-muted">
            {unmet.length > 0 ? t('unmet', { count: unmet.length }) : t('met', { count: gate.conditions.length })}
          </span>
        )}
        <span className="text-12 text-muted">{t('strategy', { name: answer.data.strategy.name[language] })}</span>
      </div>
      {gate.conditions.length === 0 && <p className="pb-2 text-12 text-muted">{t('noGate')}</p>}
      {gate.conditions.length > 0 && (
        <table className="w-full">
          <thead>
            <tr className="h-6 text-left text-12 text-muted">
              <th className="w-7" />
              <th className="font-normal">{t('condition')}</th>
              <th className="w-16 text-right font-normal">{t('now')}</th>
              <th className="w-28 pl-3 font-normal">{t('required')}</th>
              <th className="w-20" />
            </tr>
          </thead>
          <tbody>
            {gate.conditions.map((one) => (
              <tr key={`${one.key} ${one.item ?? ''}`} className="h-6">
                <td>
                  <Icon of={one.met ? Check : X} size={14} className={one.met ? 'text-good-text' : 'text-bad-text'} />
                </td>
                <td className={one.met ? '' : 'font-semibold'}>{nameOf(one)}</td>
                <td className={`text-right tabular-nums ${one.met ? '' : 'font-semibold text-bad-text'}`}>
                  {one.item !== null ? t(one.met ? 'passes' : 'fails') : one.now}
                </td>
                <td className="pl-3 text-muted">{requiredOf(one)}</td>
                <td className="text-right">
                  {one.key !== 'min_score' && one.now > 0 && (
                    <button type="button" className="text-brand-text hover:underline" onClick={() => open(one)}>
                      {one.item !== null ? t('seeOne') : t('see', { count: one.now })}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {first.length > 0 && (
        <div className="mt-2 border-t pt-2">
          <h3 className="text-12 text-muted">{t('first')}</h3>
          <ul>
            {first.map(({ item, points }) => (
              <li key={item.id} className="flex h-6 items-center gap-2">
                <FindingLevelMark level={item.level} word={false} />
                <button
                  type="button"
                  className="text-clip-line min-w-0 text-left hover:text-brand-text hover:underline"
                  onClick={() => address.setParams({ ...NO_ITEM_FILTERS, tab: null, item: item.id })}
                >
                  {item.name[language]}
                </button>
                <span className="ml-auto flex-none text-12 text-muted tabular-nums">−{points}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
