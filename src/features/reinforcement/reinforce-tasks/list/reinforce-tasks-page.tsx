import { CircleX, ShieldPlus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { REINFORCE_STATES, type ReinforceState, reinforceTasks } from '#contracts/http/reinforce-tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { NothingOfApplication, useApplicationFilter } from '#src/features/detection/parts/application-filter.tsx'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { CountedChoice, SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { taskPath } from '../task-path.ts'
import { isActive } from '../task-state.tsx'
import { taskTexts } from '../task-texts.ts'
import { useTaskActions } from '../use-task-actions.ts'
import { listTexts } from './list-texts.ts'
import { taskColumns } from './task-columns.tsx'

const STATES = Object.keys(REINFORCE_STATES) as ReinforceState[]
/** Fast while something runs, slow else, so that what others start shows too. */
const [ACTIVE_MS, IDLE_MS] = [2000, 20_000]

/** /reinforce/tasks: all reinforcement records. Filters and page are in the address; running tasks move by themselves. */
export default function ReinforceTasksPage() {
  return (
    <PermittedPage page="reinforce_tasks" permission="harden.view">
      <Tasks />
    </PermittedPage>
  )
}

function Tasks() {
  const t = useTexts(listTexts)
  const s = useTexts(taskTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const actions = useTaskActions()
  const mayReinforce = useMay('asset.harden')
  const appid = useApplicationFilter()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(
    () =>
      taskColumns({
        t,
        s,
        language,
        selected,
        actions,
        onOpen: (id) => void navigate(taskPath(id)),
        onSelect: (id) =>
          setSelected((before) => {
            const next = new Set(before)
            if (!next.delete(id)) next.add(id)
            return next
          }),
      }),
    [t, s, language, selected, actions, navigate],
  )
  const list = useListState({
    name: 'reinforce',
    filters: ['find', 'state'] as const,
    sorts: [],
    columns,
    searchLabel: t('find'),
    actionGroup: t('list'),
  })
  const { params, filter } = list
  const state = STATES.find((one) => one === params.get('state')) ?? ''
  const answer = useEndpoint(
    reinforceTasks,
    { query: { search: (params.get('find') ?? '').slice(0, 100), state, appid, ...list.paging } },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state: { data } }) => (data?.data.some(isActive) ? ACTIVE_MS : IDLE_MS),
    },
  )
  const chosen = (answer.data?.data ?? []).filter(({ id }) => selected.has(id))
  const running = chosen.filter(isActive)
  const create = () => void navigate(PAGES.reinforce_new.path)
  useActions(
    mayReinforce
      ? [{ id: 'reinforce.new', label: t('create'), group: t('list'), keys: 'n', icon: ShieldPlus, run: create }]
      : [],
  )
  return (
    <SearchableListPage
      list={list}
      title={PAGES.reinforce_tasks[language]}
      count={
        answer.data && {
          name: 'reinforce',
          total: answer.data.total,
          text: t('note', { count: answer.data.total }),
        }
      }
      actions={
        mayReinforce && (
          <Button variant="primary" icon={ShieldPlus} onPress={create}>
            {t('create')}
          </Button>
        )
      }
      filters={
        <>
          <SearchBox
            id={list.searchId}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => filter('find', words || null)}
            className="w-52"
          />
          <CountedChoice
            label={t('states')}
            all={t('all')}
            value={state}
            onChange={(next) => filter('state', next || null)}
            items={STATES.map((id) => ({ id, label: REINFORCE_STATES[id][language] }))}
            counts={answer.data?.states}
          />
        </>
      }
      texts={{ clear: t('clearFilters'), filtered: t('filtered') }}
      above={
        chosen.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 border-y bg-selected px-5 py-1.5 max-lg:px-4">
            <span className="mr-2 font-semibold">{t('selected', { count: chosen.length })}</span>
            {running.length > 0 && actions.mayCancel && (
              <Button icon={CircleX} onPress={() => void actions.cancel(running)}>
                {s('cancel')}
              </Button>
            )}
            {actions.mayDelete && (
              <Button
                icon={Trash2}
                onPress={async () => {
                  if (await actions.remove(chosen)) setSelected(new Set())
                }}
              >
                {s('remove')}
              </Button>
            )}
            <Button variant="quiet" onPress={() => setSelected(new Set())}>
              {t('clear')}
            </Button>
          </div>
        )
      }
      label={t('list')}
      answer={answer}
      columns={columns}
      rowKey={({ id }) => id}
      openMark={false}
      onOpen={({ id }) => void navigate(taskPath(id))}
      none={
        appid ? (
          <NothingOfApplication />
        ) : (
          <EmptyState
            kind="none"
            title={t('none')}
            hint={t('noneHint')}
            action={mayReinforce && <Button onPress={create}>{t('create')}</Button>}
          />
        )
      }
    />
  )
}
