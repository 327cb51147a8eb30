import { isRangeText, resolveRange } from '#domain/time-range.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { rangeLabel } from '#src/shared/query/range-text.ts'
import { TimeRangeControl } from '#src/shared/query/time-range-control.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Select } from '#src/shared/ui/select.tsx'

const texts = defineTexts('detection-time', {
  label: { zh: '创建时间', en: 'Created' },
  any: { zh: '不限时间', en: 'Any time' },
  custom: { zh: '自选时间', en: 'Other time' },
})
const CHOICES = ['today', '-7d', '-30d', '-90d'] as const

/** The span that the address asks for; empty without one. */
export function spanOfFilter(range: string | null, now: number, zone: string): { from?: number; to?: number } {
  if (range === null || !isRangeText(range)) return {}
  const { from, to } = resolveRange(range, now, zone)
  // What is created while one looks belongs to a range that reaches now.
  return to >= now ? { from } : { from, to }
}

/** When something was created: any time, the last days, or a span of one's own. */
export function TimeFilter({ range, onChange }: { range: string | null; onChange: (range: string | null) => void }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const known = range === null ? 'any' : (CHOICES.find((one) => one === range) ?? 'custom')
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Select
        size="small"
        label={t('label')}
        hideLabel
        value={known}
        onChange={(next) => onChange(next === 'any' ? null : next === 'custom' ? '-14d' : next)}
        items={[
          { id: 'any' as const, label: t('any') },
          ...CHOICES.map((id) => ({ id, label: rangeLabel(id, language, zone) })),
          { id: 'custom' as const, label: t('custom') },
        ]}
        className="w-28"
      />
      {known === 'custom' && range !== null && isRangeText(range) && (
        <TimeRangeControl range={range} onChange={onChange} />
      )}
    </span>
  )
}
