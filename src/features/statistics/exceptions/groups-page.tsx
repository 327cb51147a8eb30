import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { narrowed, pinned } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { GroupList } from './group-list.tsx'
import { MEASURE_OF, ofKind, useKind } from './kinds.ts'
import { SymbolsDialog } from './symbols-dialog.tsx'

/** /exceptions/crash, /exceptions/anr, /exceptions/exception: the groups of one kind in the query's range. */
export default function GroupsPage() {
  const t = useTexts(exceptionTexts)
  const kind = useKind()
  const state = useQueryState({ range: '-14d' })
  const open = useOpenEvents(state)
  const [symbols, setSymbols] = useState(false)
  const measure = MEASURE_OF[kind]
  const result = useStatistics(
    { ...state.query, compare: 'none' },
    { totals: { kind: 'total', measures: [measure] }, trend: { kind: 'series', measures: [measure] } },
    { paused: state.paused || state.params.has('rows') },
  )
  const totals = result.part('totals')
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t(kind)}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page={kind} />
            <Button icon={FileCode2} onPress={() => setSymbols(true)}>
              {t('symbols')}
            </Button>
            <ExportMenu
              primary
              query={narrowed(pinned(state.query, result.span), [ofKind(kind)])}
              part={{ kind: 'rows' }}
              title={t(kind)}
              total={totals.kind === 'ready' ? (totals.answer.row[measure] ?? 0) : 0}
            />
          </>
        }
      />
      <QueryBar
        state={state}
        dataAt={result.dataAt}
        span={result.span}
        stale={result.state === 'stale'}
        compare={false}
      />
      <TrendCard
        state={state}
        trend={{ title: t(kind), measure, layers: [{ key: '', label: t(kind), token: 'scale-4' }], additive: true }}
        part={result.part('trend')}
        span={result.span}
        previous={null}
        sectionState={result.state}
        height={148}
        onRows={open.openRows}
      />
      <GroupList state={state} kind={kind} now={result.now} />
      <SymbolsDialog state={state} isOpen={symbols} onOpenChange={setSymbols} />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}
