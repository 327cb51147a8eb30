import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PartInput, Query } from '#contracts/query.ts'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useExport } from '#src/shared/table/use-export.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { EntityList, entityPart } from './entity-list.tsx'
import { FACET_ROWS, type FACETS, FacetDrawer, FacetSection } from './facet-section.tsx'
import { Fold } from './fold.tsx'
import { KpiRow } from './kpi-row.tsx'
import { KPI_MEASURES, type Kpi, kpiOf, narrowed, pinned, SPARK_MEASURES } from './kpis.ts'
import { OriginSection } from './origin-section.tsx'
import { TrendSection } from './trend-section.tsx'

const DEFAULTS = { range: '-24h', compare: 'previous' } as const

/** Six figures, one of them in detail: its course, where it came from, what it ran on, and who it was. All against one `now`. */
export default function UserAnalysisPage() {
  const t = useTexts(analysisTexts)
  const state = useQueryState(DEFAULTS)
  const open = useOpenEvents(state)
  const kpi = kpiOf(state.params)
  const { chart, rows } = useHeights()
  const top = (by: 'province' | 'country' | (typeof FACETS)[number], limit: number) =>
    ({ kind: 'top', by, measures: [kpi.key], limit }) as const satisfies PartInput
  const result = useStatistics(
    state.query,
    {
      totals: { kind: 'total', measures: KPI_MEASURES },
      sparks: { kind: 'series', measures: SPARK_MEASURES },
      levels: {
        kind: 'series',
        measures: ['attacks'],
        by: 'level',
        and: [{ field: 'type', op: 'is', values: ['risk'] }],
      },
      provinces: top('province', 40),
      countries: top('country', 200),
      abroad: { kind: 'total', measures: [kpi.key], and: [{ field: 'country', op: 'not', values: ['CN', ''] }] },
      version: top('version', FACET_ROWS),
      channel: top('channel', FACET_ROWS),
      os: top('os', FACET_ROWS),
      model: top('model', FACET_ROWS),
    },
    { paused: state.paused },
  )
  const totals = result.part('totals')
  const total = totals.kind === 'ready' ? (totals.answer.row[kpi.key] ?? 0) : 0
  const entity = state.params.get('list') === 'device' ? 'device' : 'user'
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t('title')}
        note={<BasisSelect state={state} />}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page="user_analyzer" />
            <ExportButton kpi={kpi} query={pinned(state.query, result.span)} total={total} />
          </>
        }
      />
      <QueryBar state={state} dataAt={result.dataAt} span={result.span} stale={result.state === 'stale'} />
      <KpiRow
        totals={totals}
        sparks={result.part('sparks')}
        span={result.span}
        previous={result.previous}
        selected={kpi.key}
        onSelect={(key) => state.setParams({ kpi: key === 'attacks' ? null : key })}
        stale={result.state === 'stale'}
      />
      <div className="grid flex-1 grid-cols-[minmax(0,2fr)_minmax(0,1fr)] max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col border-r max-lg:border-r-0">
          <TrendSection
            state={state}
            kpi={kpi}
            part={kpi.key === 'attacks' ? result.part('levels') : result.part('sparks')}
            span={result.span}
            previous={result.previous}
            sectionState={result.state}
            height={chart}
            onRows={open.openRows}
          />
          <Fold
            title={t(entity === 'user' ? 'attackedUsers' : 'activeDevices')}
            className="mt-2 flex flex-1 flex-col border-t"
          >
            <EntityList
              state={state}
              entity={entity}
              open={open}
              now={result.now}
              pageSize={rows}
              heading={
                <SegmentedControl
                  size="small"
                  label={t('table')}
                  value={entity}
                  onChange={(next) =>
                    state.setParams({ list: next === 'device' ? 'device' : null, page: null, sort: null })
                  }
                  items={[
                    { id: 'user', label: t('attackedUsers') },
                    { id: 'device', label: t('activeDevices') },
                  ]}
                />
              }
            />
          </Fold>
        </div>
        <div className="flex min-w-0 flex-col max-lg:border-t">
          <Fold title={t('origins', { title: t(kpi.key) })}>
            <OriginSection
              state={state}
              measure={kpi.key}
              title={t(kpi.key)}
              provinces={result.part('provinces')}
              countries={result.part('countries')}
              abroad={result.part('abroad')}
              additive={kpi.unit === 'events'}
              sectionState={result.state}
            />
          </Fold>
          <Fold title={t('facets')} className="flex flex-1 flex-col">
            <FacetSection
              state={state}
              measure={kpi.key}
              total={total}
              additive={kpi.unit === 'events'}
              parts={(facet) => result.part(facet)}
            />
          </Fold>
        </div>
      </div>
      <FacetDrawer state={state} query={state.query} measure={kpi.key} total={total} now={result.now} />
      <EventDrawers state={state} now={result.now} />
    </div>
  )
}

/** Exports what the selected figure counts: as many lines as it says. */
function ExportButton({ kpi, query, total }: { kpi: Kpi; query: Query; total: number }) {
  const t = useTexts(analysisTexts)
  const mayExport = useMay('events.export')
  const startExport = useExport()
  const part: PartInput =
    kpi.unit === 'events' ? { kind: 'rows' } : { ...entityPart(kpi.unit, 'attacks', 200, 0), and: [...kpi.and] }
  return (
    <Button
      variant="primary"
      icon={Download}
      isDisabled={!mayExport || total === 0}
      title={mayExport ? formatExact(total) : t('exportMissing')}
      onPress={() =>
        startExport(narrowed(query, kpi.unit === 'events' ? kpi.and : []), part, `${t('title')} ${t(kpi.key)}`)
      }
    >
      {t('export')}
    </Button>
  )
}

/** Chart and table take what a tall window has to spare. */
function useHeights(): { chart: number; rows: number } {
  const [height, setHeight] = useState(window.innerHeight)
  useEffect(() => {
    const onResize = () => setHeight(window.innerHeight)
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [])
  return height >= 1000 ? { chart: 264, rows: 10 } : height >= 860 ? { chart: 200, rows: 7 } : { chart: 196, rows: 6 }
}
