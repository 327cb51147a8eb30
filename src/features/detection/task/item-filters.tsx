import { Link } from 'react-router-dom'
import { categoryName, FINDING_LEVELS, OWNER_KINDS, type OwnerKind, VERDICTS } from '#contracts/detection/kinds.ts'
import { PAGES } from '#contracts/pages.ts'
import { SUPPRESSED_WORD } from '#domain/verdict-words.ts'
import { FINDING_LEVEL_ORDER, FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { countBy, ITEM_CHANGES, type ReportFilter, type ReportItem, SHOWN_VERDICTS } from './report-items.ts'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'

const texts = defineTexts('detection-item-filters', {
  new: { zh: '新增', en: 'New' },
  changed: { zh: '证据有变', en: 'Evidence changed' },
  unchanged: { zh: '未变', en: 'Unchanged' },
  fixed: { zh: '已修复', en: 'Fixed' },
  against: { zh: '与 {{version}} 相比', en: 'Against {{version}}' },
  verdict: { zh: '结论', en: 'Verdict' },
  suppressed: SUPPRESSED_WORD,
  all: { zh: '全部', en: 'All' },
})

/** The parameters of the address that filter items. */
export const NO_ITEM_FILTERS: Readonly<Record<string, null>> = {
  verdict: null,
  level: null,
  category: null,
  owner: null,
  change: null,
  find: null,
  item: null,
}

/** Filters of the item list: each choice says how many items it would show. */
export function ItemFilters({
  items,
  filter,
  comparison,
  address,
  findId,
  isStale,
}: PartProps & { items: readonly ReportItem[]; filter: ReportFilter; findId: string; isStale: boolean }) {
  const t = useTexts(reportTexts)
  const f = useTexts(texts)
  const language = useLanguage()
  const verdicts = countBy(items, filter, 'verdict', (one) => one.verdict)
  const levels = countBy(items, filter, 'level', (one) => one.item.level)
  const categories = countBy(items, filter, 'category', (one) => one.item.category)
  const owners = countBy(items, filter, 'owner', (one) => one.item.owner)
  const changes = countBy(items, filter, 'change', (one) => one.change)
  const total = [...verdicts.values()].reduce((sum, count) => sum + count, 0)
  const anyLevel = [...levels.values()].reduce((sum, count) => sum + count, 0)
  const fixed = comparison?.items.filter((one) => one.change === 'fixed').length ?? 0
  const isFiltered = Object.keys(NO_ITEM_FILTERS).some((name) => name !== 'item' && address.params.has(name))
  const set = (name: keyof ReportFilter, value: string | null) => address.setParams({ [name]: value, item: null }, true)
  return (
    <div className={`flex flex-wrap items-center gap-x-2 gap-y-2 border-b py-2 ${isStale ? 'opacity-60' : ''}`}>
      <fieldset className="-ml-2 flex flex-wrap" aria-label={t('level')}>
        <Toggle isOn={filter.level === null} onPress={() => set('level', null)} count={anyLevel}>
          {t('all')}
        </Toggle>
        {FINDING_LEVEL_ORDER.map((level) => (
          <Toggle
            key={level}
            isOn={filter.level === level}
            onPress={() => set('level', filter.level === level ? null : level)}
            count={levels.get(level) ?? 0}
            label={FINDING_LEVELS[level][language]}
          >
            <FindingLevelMark level={level} />
          </Toggle>
        ))}
      </fieldset>
      <Select
        size="small"
        label={f('verdict')}
        hideLabel
        value={filter.verdict}
        onChange={(verdict) => set('verdict', verdict === 'fail' ? null : verdict)}
        items={[
          ...SHOWN_VERDICTS.map((id) => ({
            id,
            label: id === 'suppressed' ? f('suppressed') : VERDICTS[id][language],
            note: String(verdicts.get(id) ?? 0),
          })),
          { id: 'all' as const, label: f('all'), note: String(total) },
        ]}
        className="w-32"
      />
      <Select
        size="small"
        label={t('category')}
        hideLabel
        value={filter.category ?? ''}
        onChange={(category) => set('category', category || null)}
        items={[
          { id: '', label: t('anyCategory') },
          ...[...categories].map(([id, count]) => ({ id, label: categoryName(id, language), note: String(count) })),
        ]}
        className="w-36"
      />
      <Select
        size="small"
        label={t('owner')}
        hideLabel
        value={filter.owner ?? ''}
        onChange={(owner) => set('owner', owner || null)}
        items={[
          { id: '', label: t('anyOwner') },
          ...Object.entries(OWNER_KINDS).map(([id, name]) => ({
            id,
            label: name[language],
            note: String(owners.get(id as OwnerKind) ?? 0),
          })),
        ]}
        className="w-44"
      />
      {isFiltered && (
        <Button size="small" variant="quiet" onPress={() => address.setParams(NO_ITEM_FILTERS)}>
          {t('clear')}
        </Button>
      )}
      <span className="ml-auto max-sm:ml-0 max-sm:w-full">
        <SearchBox
          id={findId}
          value={filter.find}
          label={t('find')}
          onSearch={(find) => set('find', find || null)}
          className="w-52 max-sm:w-full"
        />
      </span>
      {comparison && (
        <fieldset
          className="-ml-2 flex w-full flex-wrap items-center"
          aria-label={f('against', { version: comparison.before.version })}
        >
          <span className="px-2 text-12 text-muted">{f('against', { version: comparison.before.version })}</span>
          {ITEM_CHANGES.map((change) => (
            <Toggle
              key={change}
              isOn={filter.change === change}
              onPress={() => set('change', filter.change === change ? null : change)}
              count={changes.get(change) ?? 0}
            >
              {f(change)}
            </Toggle>
          ))}
          <Link
            to={`${PAGES.compare.path}?before=${comparison.before.id}&after=${comparison.after.id}&change=fixed`}
            className="inline-flex h-7 items-center gap-1.5 rounded px-2 text-good-text hover:bg-hover"
          >
            {f('fixed')} <b className="font-semibold tabular-nums">{fixed}</b>
          </Link>
        </fieldset>
      )}
    </div>
  )
}

function Toggle({
  isOn,
  onPress,
  count,
  label,
  children,
}: {
  isOn: boolean
  onPress: () => void
  count: number
  label?: string
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      {...(label && { 'aria-label': `${label} ${count}` })}
      onClick={onPress}
      className={`inline-flex h-7 items-center gap-1.5 rounded px-2 whitespace-nowrap hover:bg-hover ${isOn ? 'bg-selected text-brand-text' : ''}`}
    >
      {children} <b className="font-semibold tabular-nums">{count}</b>
    </button>
  )
}
