import { useMemo } from 'react'
import {
  VULNERABILITY_LEVELS,
  VULNERABILITY_SORTS,
  type VulnerabilityLevel,
  vulnerabilities,
} from '#contracts/http/vulnerabilities.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useMay } from '#src/shared/session/session-store.ts'
import { ListPage } from '#src/shared/table/list-page.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { ImportButton } from './import-button.tsx'
import { vulnerabilitiesTexts } from './vulnerabilities-texts.ts'
import { vulnerabilityColumns } from './vulnerability-columns.tsx'
import { VulnerabilityDrawer } from './vulnerability-drawer.tsx'

const PAGE_SIZE = 20
const FIND_ID = 'vulnerability-find'
const LEVELS = Object.keys(VULNERABILITY_LEVELS) as VulnerabilityLevel[]
const FILTERS = ['number', 'find', 'type', 'level', 'platform', 'exploited'] as const

/** /knowledge/vulnerabilities: the library by number and type; an entry opens beside the list. The whole view is in the address. */
export default function VulnerabilitiesPage() {
  const t = useTexts(vulnerabilitiesTexts)
  const language = useLanguage()
  const mayEdit = useMay('rule.edit')
  const address = useAddress()
  const { params, setParams } = address
  const columns = useMemo(() => vulnerabilityColumns(t, language), [t, language])
  const [table, setTable] = useTableState(address, {
    sorts: VULNERABILITY_SORTS,
    columns: columns.map((one) => one.id),
  })
  const sort = VULNERABILITY_SORTS.find((one) => one === table.sort) ?? 'released'
  const filters = {
    number: (params.get('number') ?? '').slice(0, 60),
    search: (params.get('find') ?? '').slice(0, 100),
    type: (params.get('type') ?? '').slice(0, 40),
    level: LEVELS.find((one) => one === params.get('level')) ?? ('' as const),
    platform: (params.get('platform') ?? '').slice(0, 20),
    exploited: params.get('exploited') === 'yes' ? ('yes' as const) : ('' as const),
    sort,
    order: sort === 'number' ? ('asc' as const) : ('desc' as const),
  }
  const result = useEndpoint(
    vulnerabilities,
    { query: { ...filters, offset: (table.page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { placeholderData: (before) => before },
  )
  const data = result.data
  const open = params.get('open')
  const filter = (name: (typeof FILTERS)[number], value: string | null) =>
    setParams({ [name]: value, page: null }, name === 'find' || name === 'number')
  const isFiltered = FILTERS.some((name) => params.has(name))
  const clear = () => setParams(Object.fromEntries([...FILTERS, 'page'].map((name) => [name, null])))
  const all = LEVELS.reduce((sum, level) => sum + (data?.levels[level] ?? 0), 0)
  useActions([
    {
      id: 'vulnerability.find',
      label: t('find'),
      group: t('list'),
      keys: '/',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
  ])
  return (
    <ListPage
      title={PAGES.vulnerabilities[language]}
      note={
        data && (
          <span data-testid="vulnerability-total" data-value={data.total}>
            {t('note', { count: data.total, version: data.version })}
          </span>
        )
      }
      actions={
        <>
          <SavedViews state={address} page="vulnerabilities" />
          {mayEdit && <ImportButton />}
        </>
      }
      filters={
        <>
          <SearchBox
            label={t('number')}
            value={filters.number}
            onSearch={(words) => filter('number', words || null)}
            className="w-32"
          />
          <SearchBox
            id={FIND_ID}
            label={t('find')}
            value={filters.search}
            onSearch={(words) => filter('find', words || null)}
            className="w-36"
          />
          <Select
            size="small"
            label={t('type')}
            hideLabel
            value={filters.type}
            onChange={(type) => filter('type', type || null)}
            items={[
              { id: '', label: t('anyType') },
              ...(data?.types ?? []).map(({ id, name }) => ({ id, label: name[language] })),
            ]}
            className="w-32"
          />
          <span className="max-w-full overflow-x-auto">
            <SegmentedControl
              size="small"
              label={t('level')}
              value={filters.level}
              onChange={(level) => filter('level', level || null)}
              items={[
                { id: '' as const, label: t('all'), note: data && formatExact(all) },
                ...LEVELS.map((id) => ({
                  id,
                  label: VULNERABILITY_LEVELS[id][language],
                  note: data && formatExact(data.levels[id] ?? 0),
                })),
              ]}
            />
          </span>
          <Select
            size="small"
            label={t('anyPlatform')}
            hideLabel
            value={filters.platform}
            onChange={(platform) => filter('platform', platform || null)}
            items={[{ id: '', label: t('anyPlatform') }, ...(data?.platforms ?? []).map((id) => ({ id, label: id }))]}
            className="w-32"
          />
          <Switch isSelected={filters.exploited === 'yes'} onChange={(on) => filter('exploited', on ? 'yes' : null)}>
            {t('exploitedOnly')}
          </Switch>
        </>
      }
      clear={isFiltered && { label: t('clear'), onPress: clear }}
      tools={<TableTools columns={columns} state={table} onChange={setTable} />}
    >
      <PagedTable
        label={t('list')}
        answer={result}
        columns={columns}
        rowKey={(one) => one.number}
        hidden={table.hidden}
        density={table.density}
        sort={sort}
        onSort={(next) => setTable({ sort: next })}
        onOpen={(one) => setParams({ open: one.number })}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: t('filtered'), clear: t('clear'), onClear: clear }}
      />
      {open && <VulnerabilityDrawer key={open} number={open} onClose={() => setParams({ open: null })} />}
    </ListPage>
  )
}
