import { Ban, ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { categoryName, FINDING_LEVELS, type FindingLevel } from '#contracts/detection/kinds.ts'
import type { DetectionItem } from '#contracts/http/detection/tasks.ts'
import { FINDING_LEVEL_ORDER, FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { strategiesTexts } from './strategies-texts.ts'
import { itemGroups, type StrategyDraft } from './strategy-draft.ts'

type Props = {
  draft: StrategyDraft
  items: readonly DetectionItem[]
  isReadOnly: boolean
  onChange: (change: Partial<StrategyDraft>) => void
}

/** Items by category: which are examined, at which level, and which may not fail. Search, platform and open categories stand in the address. */
export function ItemTree({ draft, items, isReadOnly, onChange }: Props) {
  const t = useTexts(strategiesTexts)
  const { params, setParams } = useAddress()
  const find = params.get('find') ?? ''
  const platform = params.get('platform') === 'ios' ? 'ios' : 'android'
  const opened = (params.get('open') ?? '').split(',')
  const groups = useMemo(() => itemGroups(items, { platform, find }), [items, platform, find])
  const chosen = draft.items
  const set = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen ?? items.map((one) => one.id))
    for (const id of ids) {
      if (on) next.add(id)
      else next.delete(id)
    }
    onChange({ items: next })
  }
  return (
    <Section
      plain
      title={t('items')}
      note={
        chosen === null
          ? isReadOnly && t('allFuture')
          : chosen.size === 0
            ? t('none')
            : t('chosenOf', { count: chosen.size, total: items.length })
      }
      actions={
        <>
          {!isReadOnly && (
            <SegmentedControl
              size="small"
              label={t('mode')}
              value={chosen === null ? 'all' : 'pick'}
              onChange={(mode) => onChange({ items: mode === 'all' ? null : new Set(items.map((one) => one.id)) })}
              items={[
                { id: 'all', label: t('useAll') },
                { id: 'pick', label: t('usePick') },
              ]}
            />
          )}
          <SegmentedControl
            size="small"
            label={t('platform')}
            value={platform}
            onChange={(next) => setParams({ platform: next === 'ios' ? 'ios' : null }, true)}
            items={[
              { id: 'android', label: 'Android' },
              { id: 'ios', label: 'iOS' },
            ]}
          />
          <SearchBox
            label={t('find')}
            value={find}
            onSearch={(words) => setParams({ find: words || null }, true)}
            className="mr-2 w-44"
          />
        </>
      }
    >
      {groups.length === 0 && <EmptyState kind="filtered" title={t('noMatch')} />}
      {groups.map(({ category, items: list }) => {
        const isOpen = find !== '' || opened.includes(category)
        const on = list.filter((one) => chosen === null || chosen.has(one.id))
        const toggle = () => {
          const next = isOpen ? opened.filter((one) => one !== category) : [...opened, category]
          setParams({ open: next.filter(Boolean).join(',') || null }, true)
        }
        return (
          <Group
            key={category}
            category={category}
            isOpen={isOpen}
            onToggle={toggle}
            count={on.length}
            total={list.length}
            isReadOnly={isReadOnly || chosen === null}
            onAll={(all) =>
              set(
                list.map((one) => one.id),
                all,
              )
            }
          >
            {list.map((item) => (
              <ItemRow
                key={item.id}
                item={item}
                draft={draft}
                isReadOnly={isReadOnly}
                onChange={onChange}
                onExamine={(examined) => set([item.id], examined)}
              />
            ))}
          </Group>
        )
      })}
    </Section>
  )
}

function Group({
  category,
  isOpen,
  onToggle,
  count,
  total,
  isReadOnly,
  onAll,
  children,
}: {
  category: string
  isOpen: boolean
  onToggle: () => void
  count: number
  total: number
  isReadOnly: boolean
  onAll: (all: boolean) => void
  children: React.ReactNode
}) {
  const t = useTexts(strategiesTexts)
  const language = useLanguage()
  const name = categoryName(category, language)
  return (
    <section aria-label={name}>
      <header className="flex h-9 items-center gap-2 border-b bg-canvas px-5">
        <Checkbox
          label={name}
          isSelected={count === total}
          isIndeterminate={count > 0 && count < total}
          isDisabled={isReadOnly}
          onChange={onAll}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex h-full min-w-0 flex-1 items-center gap-1.5 text-left font-semibold"
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} className="text-muted" />
          {name}
          <span className="ml-auto text-12 font-normal text-muted tabular-nums">{t('chosenOf', { count, total })}</span>
        </button>
      </header>
      {isOpen && <ul>{children}</ul>}
    </section>
  )
}

function ItemRow({
  item,
  draft,
  isReadOnly,
  onChange,
  onExamine,
}: Omit<Props, 'items'> & { item: DetectionItem; onExamine: (examined: boolean) => void }) {
  const t = useTexts(strategiesTexts)
  const language = useLanguage()
  const name = item.name[language]
  const examined = draft.items === null || draft.items.has(item.id)
  const level = draft.levels[item.id] ?? item.level
  const setLevel = (next: FindingLevel) => {
    const { [item.id]: _, ...others } = draft.levels
    onChange({ levels: next === item.level ? others : { ...others, [item.id]: next } })
  }
  const isForbidden = draft.forbidden.has(item.id)
  const forbid = () =>
    onChange({
      forbidden: isForbidden
        ? new Set([...draft.forbidden].filter((id) => id !== item.id))
        : new Set([...draft.forbidden, item.id]),
    })
  return (
    <li className="flex min-h-10 items-center gap-3 border-b py-1 pr-5 pl-10 hover:bg-hover">
      <span className="min-w-0 flex-1">
        <Checkbox isSelected={examined} isDisabled={isReadOnly || draft.items === null} onChange={onExamine}>
          <span className="min-w-0">
            <span className={`block ${examined ? 'text-text' : 'text-muted'}`}>{name}</span>
            <span className="block font-mono text-12/4 text-muted">{item.id}</span>
          </span>
        </Checkbox>
      </span>
      <FindingLevelMark level={level} word={isReadOnly} />
      {!isReadOnly && (
        <>
          <select
            aria-label={t('level', { name })}
            value={level}
            disabled={!examined}
            onChange={({ target }) => setLevel(target.value as FindingLevel)}
            className={`h-6 rounded-small border border-line-strong bg-surface px-1 text-12 ${level === item.level ? 'text-muted' : 'font-semibold text-text'}`}
          >
            {FINDING_LEVEL_ORDER.map((one) => (
              <option key={one} value={one}>
                {FINDING_LEVELS[one][language]}
                {one === item.level ? t('asPack') : ''}
              </option>
            ))}
          </select>
          <IconButton
            size="small"
            icon={Ban}
            label={t('forbid', { name })}
            isSelected={isForbidden}
            isDisabled={!examined}
            onPress={forbid}
          />
        </>
      )}
      {isReadOnly && isForbidden && <Icon of={Ban} size={14} className="text-bad-text" />}
    </li>
  )
}
