import { ChevronDown, ChevronRight, Circle, Lock, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '#contracts/http/roles.ts'
import { SESSION_ROLE_NAMES } from '#contracts/permission-tree.ts'
import { type Authority, PERMISSION_ITEMS, SESSION_ROLES } from '#contracts/permissions.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Tooltip } from '#src/shared/ui/tooltip.tsx'
import { type PermissionRow, type PermissionRowGroup, permissionRows, type TreeFilter } from './role-draft.ts'
import { rolesTexts } from './roles-texts.ts'

export const FIND_ID = 'role-find'
const FILTERS: readonly TreeFilter[] = ['all', 'granted', 'different']
/** Widths of name, code, this role, compared role, difference. */
const GRID =
  'grid grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_64px_80px_44px] items-center gap-x-2 max-[1400px]:grid-cols-[minmax(0,1fr)_64px_80px_44px]'

export function permissionName(code: Authority): { zh: string; en: string } {
  const role = SESSION_ROLES.find((one) => one === code)
  return role ? SESSION_ROLE_NAMES[role] : PERMISSION_ITEMS[code as keyof typeof PERMISSION_ITEMS]
}

/** Permissions by group: granted here, granted to the compared role, and the difference. Search, filter and comparison are in the address. */
export function PermissionTree({
  auth,
  held,
  roles,
  role,
  isReadOnly,
  onChange,
}: {
  auth: ReadonlySet<string>
  /** Permissions of the signed-in account. */
  held: readonly string[]
  roles: readonly Role[]
  /** Key of the open role; undefined for a new one. */
  role: string | undefined
  isReadOnly: boolean
  onChange: (codes: readonly string[], granted: boolean) => void
}) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const find = (params.get('find') ?? '').slice(0, 100)
  const show = FILTERS.find((one) => one === params.get('show')) ?? 'all'
  const others = roles.filter(({ key }) => key !== role)
  const other =
    others.find(({ key }) => key === params.get('with')) ?? others.find(({ key }) => key === 'operator') ?? others[0]
  const compared = new Set(other?.auth)
  const rowsOf = (filter: TreeFilter, words: string) =>
    permissionRows(auth, compared, held, { find: words, show: filter, nameOf: permissionName })
  const groups = rowsOf(show, find)
  const count = (filter: TreeFilter) => rowsOf(filter, '').reduce((sum, { rows }) => sum + rows.length, 0)
  const isFiltered = find !== '' || show !== 'all'
  const clear = () => setParams({ find: null, show: null }, true)
  return (
    <section aria-label={t('permission')} className="flex min-h-0 min-w-0 flex-col">
      <div className="flex flex-none flex-wrap items-center gap-2 border-b px-5 py-2 max-lg:px-4">
        <SearchBox
          id={FIND_ID}
          label={t('find')}
          value={find}
          onSearch={(words) => setParams({ find: words || null }, true)}
          className="min-w-32 flex-1 max-w-56"
        />
        <SegmentedControl
          size="small"
          label={t('show')}
          value={show}
          onChange={(next) => setParams({ show: next === 'all' ? null : next }, true)}
          items={FILTERS.map((id) => ({ id, label: t(id), note: count(id) }))}
        />
        {other && (
          <Select
            prefix
            size="small"
            label={t('compare')}
            value={other.key}
            onChange={(key) => setParams({ with: key }, true)}
            items={others.map(({ key, name }) => ({ id: key, label: name[language] }))}
            className="ml-auto w-40"
          />
        )}
      </div>
      <div className={`${GRID} h-8 flex-none border-b bg-canvas px-5 text-12 text-muted max-lg:px-4`}>
        <span>{t('permission')}</span>
        <span className="max-[1400px]:hidden">{t('code')}</span>
        <span className="text-center">{t('thisRole')}</span>
        <span className="text-clip-line text-center">{other?.name[language]}</span>
        <span className="text-center">{t('difference')}</span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {groups.length === 0 && (
          <EmptyState kind="filtered" title={t('noMatch')} action={<Button onPress={clear}>{t('clear')}</Button>} />
        )}
        {groups.map((group) => (
          <Group
            key={group.key}
            group={group}
            isOpen={isFiltered || !closed.has(group.key)}
            isReadOnly={isReadOnly}
            onToggle={() =>
              setClosed((before) =>
                before.has(group.key)
                  ? new Set([...before].filter((key) => key !== group.key))
                  : new Set([...before, group.key]),
              )
            }
            onChange={onChange}
          />
        ))}
      </div>
    </section>
  )
}

function Group({
  group,
  isOpen,
  isReadOnly,
  onToggle,
  onChange,
}: {
  group: PermissionRowGroup
  isOpen: boolean
  isReadOnly: boolean
  onToggle: () => void
  onChange: (codes: readonly string[], granted: boolean) => void
}) {
  const language = useLanguage()
  const name = group.name[language]
  const grantable = group.rows.filter(({ reason }) => reason === null)
  return (
    <section aria-label={name}>
      <header className={`${GRID} h-8 border-b bg-canvas px-5 max-lg:px-4`}>
        <span className="flex min-w-0 items-center gap-2">
          <Checkbox
            label={name}
            isSelected={group.granted === group.total}
            isIndeterminate={group.granted > 0 && group.granted < group.total}
            isDisabled={isReadOnly || grantable.length === 0}
            onChange={(on) =>
              onChange(
                grantable.map(({ code }) => code),
                on,
              )
            }
          />
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex h-8 min-w-0 flex-1 items-center gap-1.5 text-left font-semibold"
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} className="text-muted" />
            <span className="text-clip-line">{name}</span>
          </button>
        </span>
        <span className="max-[1400px]:hidden" />
        <span className="text-center text-12 text-muted tabular-nums">
          {group.granted} / {group.total}
        </span>
        <span className="text-center text-12 text-muted tabular-nums">
          {group.compared} / {group.total}
        </span>
        <span />
      </header>
      {isOpen && (
        <ul>
          {group.rows.map((row) => (
            <Row key={row.code} row={row} isReadOnly={isReadOnly} onChange={(on) => onChange([row.code], on)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({
  row: { code, granted, compared, reason },
  isReadOnly,
  onChange,
}: {
  row: PermissionRow
  isReadOnly: boolean
  onChange: (granted: boolean) => void
}) {
  const t = useTexts(rolesTexts)
  const language = useLanguage()
  const differs = granted !== compared
  return (
    <li
      className={`${GRID} h-7 border-b px-5 max-lg:h-auto max-lg:min-h-10 max-lg:px-4 ${differs ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      <span className="flex min-w-0 items-center gap-1.5 pl-6 max-lg:pl-0">
        <Checkbox isSelected={granted} isDisabled={isReadOnly || reason !== null} onChange={onChange}>
          <span className="text-clip-line min-w-0">{permissionName(code)[language]}</span>
        </Checkbox>
        {reason !== null && !isReadOnly && (
          <Tooltip focusable text={t(`reason_${reason}`)}>
            <span role="img" aria-label={t(`reason_${reason}`)} className="flex text-muted">
              <Icon of={Lock} size={14} />
            </span>
          </Tooltip>
        )}
      </span>
      <code className="text-clip-line text-12 text-muted max-[1400px]:hidden">{code}</code>
      <Dot on={granted} />
      <Dot on={compared} />
      <span className="flex justify-center">
        {differs && (
          <span role="img" aria-label={t(granted ? 'more' : 'less')} className="flex">
            <Icon of={granted ? Plus : Minus} size={14} />
          </span>
        )}
      </span>
    </li>
  )
}

function Dot({ on }: { on: boolean }) {
  const t = useTexts(rolesTexts)
  return (
    <span className="flex justify-center" role="img" aria-label={t(on ? 'yes' : 'no')}>
      <Circle size={10} className={on ? 'fill-current text-muted' : 'text-line-strong'} />
    </span>
  )
}
