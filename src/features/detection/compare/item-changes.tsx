import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { compareTasks } from '#contracts/http/detection/result.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { LocationView } from '#src/features/detection/parts/location-view.tsx'
import { VerdictMark } from '#src/features/detection/parts/verdict-mark.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Address } from '#src/shared/table/use-address.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { compareTexts } from './compare-texts.ts'

type Compared = ResponseOf<typeof compareTasks>
type Item = Compared['items'][number]
const CHANGES = ['new', 'fixed', 'changed', 'verdict', 'unchanged'] as const
const TONES = { new: 'bad', fixed: 'good', changed: 'warn', verdict: 'neutral', unchanged: 'neutral' } as const

/** Items that differ, worst first; one opens the findings that came and went. `change` in the address narrows them. */
export function ItemChanges({ compared, address }: { compared: Compared; address: Address }) {
  const t = useTexts(compareTexts)
  const asked = CHANGES.find((one) => one === address.params.get('change'))
  const count = (change: string) => compared.items.filter((one) => one.change === change).length
  const shown = compared.items.filter((one) => (asked ? one.change === asked : one.change !== 'unchanged'))
  return (
    <section aria-label={t('items')} className="pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
        <h2 className="text-14 font-semibold">{t('items')}</h2>
        <span className="max-w-full overflow-x-auto print:hidden">
          <SegmentedControl
            size="small"
            label={t('change')}
            value={asked ?? 'all'}
            onChange={(next) => address.setParams({ change: next === 'all' ? null : next }, true)}
            items={[
              { id: 'all' as const, label: t('all'), note: compared.items.length - count('unchanged') },
              ...CHANGES.map((id) => ({ id, label: t(id), note: count(id) })),
            ]}
          />
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="border-t py-3 text-muted">{t('none')}</p>
      ) : (
        <ul className="border-t">
          {shown.map((item) => (
            <Line key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ item }: { item: Item }) {
  const t = useTexts(compareTexts)
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const findings = [
    ...item.new_findings.map((one) => ({ ...one, is: 'new' as const })),
    ...item.fixed_findings.map((one) => ({ ...one, is: 'fixed' as const })),
  ]
  return (
    <li className="break-inside-avoid-page border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        disabled={findings.length === 0}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-10 w-full items-center gap-x-3 gap-y-0.5 py-1 text-left enabled:hover:bg-hover max-sm:flex-wrap"
      >
        <Icon
          of={isOpen ? ChevronDown : ChevronRight}
          size={14}
          className={findings.length > 0 ? 'text-muted' : 'invisible'}
        />
        <span className="w-16 flex-none">
          <FindingLevelMark level={item.level} />
        </span>
        <span className="w-32 flex-none">
          <Chip tone={TONES[item.change]}>{t(item.change)}</Chip>
        </span>
        <span className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full max-sm:pl-[26px]">
          {item.name[language]}
        </span>
        <span className="flex flex-none items-center gap-2 text-12 max-sm:hidden">
          {item.before ? <VerdictMark verdict={item.before} /> : <span className="text-muted">{t('notAsked')}</span>}
          <span aria-hidden>→</span>
          {item.after ? <VerdictMark verdict={item.after} /> : <span className="text-muted">{t('notAsked')}</span>}
        </span>
        <span className="ml-auto flex w-20 flex-none justify-end gap-2 text-12 tabular-nums">
          {item.new_findings.length > 0 && (
            <span className="text-bad-text">{t('newPlaces', { count: item.new_findings.length })}</span>
          )}
          {item.fixed_findings.length > 0 && (
            <span className="text-good-text">{t('fixedPlaces', { count: item.fixed_findings.length })}</span>
          )}
        </span>
      </button>
      {isOpen && (
        <ul className="flex flex-col gap-3 pb-3 pl-[34px]">
          {findings.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: findings of one fingerprint differ by their location alone
            <li key={`${one.fingerprint} ${index}`}>
              <span className="flex items-center gap-2 pb-0.5">
                <Chip tone={TONES[one.is]}>{t(one.is)}</Chip> {one.detail[language]}
              </span>
              <LocationView location={one.evidence} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
