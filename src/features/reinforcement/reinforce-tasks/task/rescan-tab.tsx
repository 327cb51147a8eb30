import { CircleAlert, CircleCheck, Minus } from 'lucide-react'
import type { ReinforceReport, ReinforceRescan } from '#contracts/http/reinforce-tasks.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { CountedChoice } from '#src/shared/table/searchable-list-page.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { resultTexts } from './result-texts.ts'

type Item = ReinforceRescan['items'][number]
const CHANGES = ['closed', 'added', 'unchanged'] as const
type Show = (typeof CHANGES)[number] | 'hidden'

/** The same rules on both packages: what was closed, what is new, what stays. */
export function RescanTab({ report: { rescan, rescan_note } }: { report: ReinforceReport }) {
  const t = useTexts(resultTexts)
  if (rescan) return <Rescan rescan={rescan} />
  return <EmptyState kind="missing" title={t('noRescan')} hint={rescan_note || t('noRescanHint')} />
}

function Rescan({ rescan }: { rescan: ReinforceRescan }) {
  const t = useTexts(resultTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const { items, score_before, score_after } = rescan
  const shows: readonly Show[] = rescan.hidden > 0 ? [...CHANGES, 'hidden'] : CHANGES
  const show = shows.find((one) => one === params.get('show')) ?? ''
  const shown = items.filter((item) => show === '' || item[show] > 0)
  const columns: Column<Item>[] = [
    { id: 'mark', header: '', width: '40px', cell: (item) => <Mark item={item} /> },
    { id: 'level', header: t('level'), width: '92px', cell: ({ level }) => <FindingLevelMark level={level} /> },
    {
      id: 'item',
      header: t('item'),
      cell: (item) => (
        <span
          className={`text-clip-line block max-w-52 sm:max-w-96 2xl:max-w-2xl ${stateOf(item) === 'unchanged' ? 'text-muted' : ''}`}
          title={item.name[language]}
        >
          {item.name[language]}
        </span>
      ),
    },
    ...shows.map(
      (id): Column<Item> => ({
        id,
        header: t(id),
        width: '84px',
        numeric: true,
        wide: true,
        cell: (item) => (
          <span className={`tabular-nums ${item[id] === 0 ? 'text-muted' : ''}`}>{formatExact(item[id])}</span>
        ),
      }),
    ),
  ]
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-baseline gap-x-10 gap-y-2 border-b px-5 py-3 max-lg:px-4">
        <dl className="flex flex-wrap items-baseline gap-x-10 gap-y-2">
          {shows.map((id) => (
            <div key={id} className="flex items-baseline gap-2">
              <dd className="text-28/9 tabular-nums" data-testid={`rescan-${id}`}>
                {formatExact(rescan[id])}
              </dd>
              <dt className="text-muted">{t(id)}</dt>
            </div>
          ))}
          <div className="flex items-baseline gap-2">
            <dd className="text-28/9 tabular-nums">
              {score_before} <span className="text-16 text-muted">→</span> {score_after}
            </dd>
            <dt className="text-muted">{t('scoreLabel')}</dt>
          </div>
        </dl>
        <p className="ml-auto text-12 text-muted max-lg:ml-0">{t('scannedAgain')}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2 px-5 py-2 max-lg:px-4">
        <CountedChoice<Show>
          label={t('show')}
          all={t('all')}
          value={show}
          onChange={(next) => setParams({ show: next || null }, true)}
          items={shows.map((id) => ({ id, label: t(id) }))}
          counts={undefined}
        />
      </div>
      <DataTable
        label={t('rescan')}
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            kind={items.length === 0 ? 'none' : 'filtered'}
            title={t(items.length === 0 ? 'noItems' : 'noItemMatches')}
          />
        }
      />
      {rescan.hidden > 0 && <p className="px-5 pt-3 text-12 text-muted max-lg:px-4">{t('hiddenNote')}</p>}
      {rescan.unchanged > 0 && <p className="px-5 py-3 text-12 text-muted max-lg:px-4">{t('stays')}</p>}
    </div>
  )
}

const stateOf = ({ added, closed }: Item): (typeof CHANGES)[number] =>
  added > 0 ? 'added' : closed > 0 ? 'closed' : 'unchanged'
const LOOKS = {
  closed: { icon: CircleCheck, color: 'text-good-text' },
  added: { icon: CircleAlert, color: 'text-bad-text' },
  unchanged: { icon: Minus, color: 'text-muted' },
} as const

function Mark({ item }: { item: Item }) {
  const t = useTexts(resultTexts)
  const state = stateOf(item)
  return (
    <span title={t(state)} className="flex">
      <Icon of={LOOKS[state].icon} size={14} className={LOOKS[state].color} />
      <span className="sr-only">{t(state)}</span>
    </span>
  )
}
