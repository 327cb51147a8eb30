import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  ENTRY_ORIGINS,
  ENTRY_STATES,
  type EntryOrigin,
  type EntryState,
  type OwnEntry,
  VULNERABILITY_LEVELS,
  VULNERABILITY_SORTS,
  type VulnerabilityLevel,
  vulnerabilities,
} from '#contracts/http/vulnerabilities.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useMay } from '#src/shared/session/session-store.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { CountedChoice, SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { ImportButton } from './import-button.tsx'
import { useReview } from './review-bar.tsx'
import { vulnerabilitiesTexts } from './vulnerabilities-texts.ts'
import { vulnerabilityColumns } from './vulnerability-columns.tsx'
import { VulnerabilityDrawer, type VulnerabilityEntry } from './vulnerability-drawer.tsx'

const LEVELS = Object.keys(VULNERABILITY_LEVELS) as VulnerabilityLevel[]
const FILTERS = ['number', 'find', 'type', 'level', 'platform', 'exploited', 'origin', 'state'] as const
const ORIGINS = Object.keys(ENTRY_ORIGINS) as EntryOrigin[]
const STATES = Object.keys(ENTRY_STATES) as EntryState[]

/** /knowledge/vulnerabilities: the library by number and type; an entry opens beside the list. The whole view is in the address. */
export default function VulnerabilitiesPage() {
  const t = useTexts(vulnerabilitiesTexts)
  const language = useLanguage()
  const mayEdit = useMay('rule.edit')
  const columns = useMemo(() => vulnerabilityColumns(t, language), [t, language])
  const list = useListState({
    name: 'vulnerability',
    filters: FILTERS,
    typed: ['number'],
    sorts: VULNERABILITY_SORTS,
    columns,
    searchLabel: t('find'),
    actionGroup: t('list'),
  })
  const { params, setParams, filter, setTable, table } = list
  const sort = VULNERABILITY_SORTS.find((one) => one === table.sort) ?? 'released'
  const filters = {
    number: (params.get('number') ?? '').slice(0, 60),
    search: (params.get('find') ?? '').slice(0, 100),
    type: (params.get('type') ?? '').slice(0, 40),
    level: LEVELS.find((one) => one === params.get('level')) ?? ('' as const),
    platform: (params.get('platform') ?? '').slice(0, 20),
    exploited: params.get('exploited') === 'yes' ? ('yes' as const) : ('' as const),
    origin: ORIGINS.find((one) => one === params.get('origin')) ?? ('' as const),
    state: STATES.find((one) => one === params.get('state')) ?? ('' as const),
    sort,
    order: sort === 'number' ? ('asc' as const) : ('desc' as const),
  }
  const result = useEndpoint(
    vulnerabilities,
    { query: { ...filters, ...list.paging } },
    { placeholderData: (before) => before },
  )
  const data = result.data
  const open = params.get('open')
  const [edited, setEdited] = useState<VulnerabilityEntry | 'new'>()
  const review = useReview()
  const pending = data?.states.pending ?? 0
  const shown = (data?.data ?? []).filter(({ state }) => state === 'pending').map(({ number }) => number)
  const acceptPage = async () => {
    const title = t('acceptPage', { count: shown.length })
    if (await confirm({ title, text: t('acceptPageText'), action: t('accept') })) review.run(shown, 'accepted')
  }
  return (
    <SearchableListPage
      list={list}
      title={PAGES.vulnerabilities[language]}
      count={
        data && {
          name: 'vulnerability',
          total: data.total,
          text: t('note', { count: data.total, version: data.version }),
        }
      }
      actions={
        <>
          <SavedViews state={list} page="vulnerabilities" />
          {mayEdit && (
            <>
              <ImportButton />
              <Button icon={Plus} variant="primary" onPress={() => setEdited('new')}>
                {t('create')}
              </Button>
            </>
          )}
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
            id={list.searchId}
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
          <CountedChoice
            label={t('level')}
            all={t('all')}
            value={filters.level}
            onChange={(level) => filter('level', level || null)}
            items={LEVELS.map((id) => ({ id, label: VULNERABILITY_LEVELS[id][language] }))}
            counts={data?.levels}
          />
          <Select
            size="small"
            label={t('anyPlatform')}
            hideLabel
            value={filters.platform}
            onChange={(platform) => filter('platform', platform || null)}
            items={[{ id: '', label: t('anyPlatform') }, ...(data?.platforms ?? []).map((id) => ({ id, label: id }))]}
            className="w-32"
          />
          <Select
            size="small"
            label={t('origin')}
            hideLabel
            value={filters.origin}
            onChange={(origin) => filter('origin', origin || null)}
            items={[
              { id: '', label: t('anyOrigin') },
              ...ORIGINS.map((id) => ({ id, label: ENTRY_ORIGINS[id][language] })),
            ]}
            className="w-36"
          />
          <Select
            size="small"
            label={t('state')}
            hideLabel
            value={filters.state}
            onChange={(state) => filter('state', state || null)}
            items={[
              { id: '', label: t('shownStates') },
              ...STATES.map((id) => ({
                id,
                label: `${ENTRY_STATES[id][language]}${data ? ` ${data.states[id] ?? 0}` : ''}`,
              })),
            ]}
            className="w-32"
          />
          <Switch isSelected={filters.exploited === 'yes'} onChange={(on) => filter('exploited', on ? 'yes' : null)}>
            {t('exploitedOnly')}
          </Switch>
        </>
      }
      texts={{ clear: t('clear'), filtered: t('filtered') }}
      above={
        mayEdit &&
        pending > 0 && (
          <div className="mx-5 mb-2 flex flex-wrap items-center gap-2 rounded border bg-warn-soft px-3 py-1.5 text-13 max-lg:mx-4">
            <span className="min-w-0 flex-1 text-warn-text">{t('toReview', { count: pending })}</span>
            {filters.state === 'pending' && shown.length > 0 ? (
              <Button isDisabled={review.isPending} onPress={() => void acceptPage()}>
                {t('acceptPage', { count: shown.length })}
              </Button>
            ) : (
              <Button onPress={() => filter('state', 'pending')}>{t('showPending')}</Button>
            )}
          </div>
        )
      }
      label={t('list')}
      answer={result}
      columns={columns}
      rowKey={(one) => one.number}
      sort={sort}
      onSort={(next) => setTable({ sort: next })}
      onOpen={(one) => setParams({ open: one.number })}
    >
      {open && (
        <VulnerabilityDrawer key={open} number={open} onEdit={setEdited} onClose={() => setParams({ open: null })} />
      )}
      {edited && (
        <EntryDialog
          {...(edited === 'new' ? { changedAt: null } : { entry: ownOf(edited), changedAt: edited.changed_at })}
          types={data?.types ?? []}
          onSaved={(number) => {
            setEdited(undefined)
            setParams({ open: number })
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </SearchableListPage>
  )
}

/** What of an entry its editor changes. */
function ownOf(one: VulnerabilityEntry): OwnEntry {
  const { number, type, level, platform, name, introduction, advice, references, cvss, released, ranges } = one
  return {
    ...{ number, type, level, platform, name, introduction, advice, references, cvss, released, ranges },
    fixed_in: one.fixed_in.zh,
    known_exploited: one.known_exploited,
  }
}
