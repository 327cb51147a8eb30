import { Download, Plus, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  CUSTOMER_TYPES,
  type CustomerType,
  exportUsers,
  USER_SORTS,
  USER_STATES,
  users,
} from '#contracts/http/users.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ListPage } from '#src/shared/table/list-page.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableTools } from '#src/shared/table/table-tools.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { userColumns } from './user-columns.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { UserVerbs } from './user-verbs.tsx'
import { usersTexts } from './users-texts.ts'

const PAGE_SIZE = 20
const FIND_ID = 'user-find'
/** Sorts of the list, the default first. A name sorts upwards, a time downwards. */
const SORTS = ['created_at', ...USER_SORTS.filter((one) => one !== 'created_at')]
const ALL = 'all'

/** /platform/usermanage: who may sign in, as what, until when, with how many applications. */
export default function UsersPage() {
  return (
    <PermittedPage page="users" permission="user.manage">
      <Users />
    </PermittedPage>
  )
}

function Users() {
  const t = useTexts(usersTexts)
  const language = useLanguage()
  const address = useAddress()
  const { params, setParams } = address
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [importing, setImporting] = useState(false)
  const [creating, setCreating] = useState(false)
  const columns = useMemo(
    () =>
      userColumns({
        t,
        language,
        selected,
        onSelect: (id, on) =>
          setSelected((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id))),
      }),
    [t, language, selected],
  )
  const [table, setTable] = useTableState(address, { sorts: SORTS, columns: columns.map((one) => one.id) })
  const filters = {
    search: (params.get('find') ?? '').slice(0, 100),
    role: params.get('role') ?? '',
    customer_type:
      (Object.keys(CUSTOMER_TYPES) as CustomerType[]).find((one) => one === params.get('type')) ?? ('' as const),
    state: USER_STATES.find((one) => one === params.get('state')) ?? ('' as const),
  }
  const sort = USER_SORTS.find((one) => one === table.sort) ?? 'created_at'
  const answer = useEndpoint(
    users,
    {
      query: {
        ...filters,
        sort,
        descending: sort === 'username' || sort === 'role' || sort === 'expires_at' ? 'false' : 'true',
        offset: (table.page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
      },
    },
    { placeholderData: (before) => before },
  )
  const { data } = answer
  const rows = data?.data ?? []
  const roles = data?.roles ?? []
  const chosen = rows.filter(({ id, manageable }) => manageable && selected.has(id))
  const open = rows.find(({ id }) => String(id) === params.get('user')) ?? null
  const isFiltered = ['find', 'role', 'type', 'state'].some((name) => params.has(name))
  const clear = () => setParams({ find: null, role: null, type: null, state: null, page: null })
  const close = () => {
    setCreating(false)
    setParams({ user: null }, true)
  }
  useActions([
    {
      id: 'users.find',
      label: t('find'),
      group: t('list'),
      keys: '/',
      run: () => document.getElementById(FIND_ID)?.focus(),
    },
    { id: 'users.create', label: t('create'), group: t('list'), keys: 'c', run: () => setCreating(true) },
  ])
  const choice = (name: string, label: string, value: string, items: readonly { id: string; label: string }[]) => (
    <Select
      prefix
      size="small"
      label={label}
      value={value || ALL}
      onChange={(id) => setParams({ [name]: id === ALL ? null : id, page: null })}
      items={[{ id: ALL, label: t('all') }, ...items]}
      className="w-44"
    />
  )
  return (
    <ListPage
      title={PAGES.users[language]}
      note={data && <span data-testid="user-total">{t('note', { total: data.total })}</span>}
      actions={
        <>
          <Button icon={Upload} onPress={() => setImporting(true)}>
            {t('import')}
          </Button>
          <Button icon={Download} onPress={() => location.assign(downloadHref(exportUsers, filters))}>
            {t('export')}
          </Button>
          <Button variant="primary" icon={Plus} onPress={() => setCreating(true)}>
            {t('create')}
          </Button>
        </>
      }
      filters={
        <>
          <SearchBox
            id={FIND_ID}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => setParams({ find: words || null, page: null }, true)}
          />
          {choice(
            'role',
            t('role'),
            filters.role,
            roles.map((one) => ({ id: one.key, label: one[language] })),
          )}
          {choice(
            'type',
            t('type'),
            filters.customer_type,
            (Object.keys(CUSTOMER_TYPES) as CustomerType[]).map((id) => ({ id, label: CUSTOMER_TYPES[id][language] })),
          )}
          {choice(
            'state',
            t('state'),
            filters.state,
            USER_STATES.map((id) => ({ id, label: t(id) })),
          )}
        </>
      }
      clear={isFiltered && { label: t('clear'), onPress: clear }}
      tools={<TableTools columns={columns} state={table} onChange={setTable} />}
    >
      {chosen.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 border-y bg-selected px-5 py-1.5">
          <span className="mr-2 font-semibold">{t('selected', { count: chosen.length })}</span>
          <UserVerbs chosen={chosen} onDone={() => setSelected(new Set())} />
          <Button variant="quiet" onPress={() => setSelected(new Set())}>
            {t('cancel')}
          </Button>
        </div>
      )}
      <PagedTable
        label={PAGES.users[language]}
        answer={answer}
        columns={columns}
        rowKey={(user) => String(user.id)}
        hidden={table.hidden}
        density={table.density}
        sort={table.sort}
        onSort={(key) => setTable({ sort: key })}
        current={params.get('user')}
        onOpen={(user) => setParams({ user: String(user.id) }, true)}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: t('noMatch'), clear: t('clear'), onClear: clear }}
      />
      {creating && <UserDrawer key="new" user={null} roles={roles} onClose={close} />}
      {!creating && open && <UserDrawer key={open.id} user={open} roles={roles} onClose={close} />}
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </ListPage>
  )
}
