import { type ReactNode, useEffect, useMemo } from 'react'
import {
  exportTakedowns,
  TAKEDOWN_STATES,
  type Takedown,
  type TakedownState,
  takedowns,
} from '#contracts/http/monitoring/takedowns.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { PAGE_SIZE } from '#src/shared/table/use-list-state.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { VerdictTag } from '../parts/verdict-tag.tsx'
import { TakedownStateMark, TakedownStepText } from './takedown-state.tsx'
import { takedownTexts } from './takedown-texts.ts'

const ALL = 'all'
const STATES = Object.keys(TAKEDOWN_STATES) as TakedownState[]

/** What became of the takedown requests of a task; one opens its copy. `choice`: between this list and that of copies. */
export function TakedownList({ task, isRunning, choice }: { task: string; isRunning: boolean; choice: ReactNode }) {
  const t = useTexts(takedownTexts)
  const language = useLanguage()
  const mayExport = useMay('monitor.report')
  const address = useAddress()
  const { params, setParams } = address
  const [table, setTable] = useTableState(address, { sorts: [], columns: [] })
  const state = STATES.find((one) => one === params.get('state')) ?? ''
  const columns = useMemo<Column<Takedown>[]>(
    () => [
      {
        id: 'state',
        header: t('status'),
        width: '104px',
        fixed: true,
        cell: (one) => <TakedownStateMark state={one.state} />,
      },
      {
        id: 'copy',
        header: t('copy'),
        fixed: true,
        cell: ({ label, package: id, version, verdict }) => (
          <span className="flex min-w-0 items-center gap-2">
            <VerdictTag verdict={verdict} />
            <span className="text-clip-line min-w-0">
              {label || id} {version}
            </span>
          </span>
        ),
      },
      {
        id: 'market',
        header: t('market'),
        width: '168px',
        cell: ({ market_name }) => (
          <span className="text-clip-line block" title={market_name}>
            {market_name}
          </span>
        ),
      },
      {
        id: 'last',
        header: t('last'),
        wide: true,
        cell: ({ steps }) => {
          const last = steps.at(-1)
          return (
            <span className="text-clip-line block text-12 text-muted">{last && <TakedownStepText step={last} />}</span>
          )
        },
      },
    ],
    [t],
  )
  const answer = useEndpoint(
    takedowns,
    { query: { id: task, state, offset: (table.page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { placeholderData: (before) => before, refetchInterval: isRunning ? 3000 : 20_000 },
  )
  const { data, refetch } = answer
  // What the run found of them came after the last look.
  useEffect(() => {
    if (!isRunning) void refetch()
  }, [isRunning, refetch])
  return (
    <Section
      plain
      className="border-t"
      title={t('requests')}
      note={t('requestsNote')}
      actions={
        <>
          {choice}
          <ExportListMenu
            start={(file) => call(exportTakedowns, { body: { list: { id: task, state }, ...file } }, { quiet: true })}
            mayExport={mayExport}
            missing={t('exportMissing')}
            title={t('export')}
            total={data?.total ?? 0}
          />
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2 px-5 pb-2">
        <Select
          prefix
          size="small"
          label={t('state')}
          value={state || ALL}
          onChange={(id) => setParams({ state: id === ALL ? null : id, page: null })}
          items={[
            { id: ALL, label: t('all') },
            ...STATES.map((id) => ({
              id,
              label: TAKEDOWN_STATES[id][language],
              note: data ? String(data.states[id] ?? 0) : '',
            })),
          ]}
          className="w-44"
        />
      </div>
      <PagedTable
        label={t('requests')}
        answer={answer}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ copy }) => setParams({ copy }, true)}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={
          state !== '' && {
            title: t('noMatch'),
            clear: t('clear'),
            onClear: () => setParams({ state: null, page: null }),
          }
        }
        none={<EmptyState kind="none" title={t('none')} hint={t('noneHint')} />}
      />
    </Section>
  )
}
