import type { ComponentProps, ReactNode } from 'react'
import type { PageName } from '#contracts/pages.ts'
import type { PartInput, Query } from '#domain/query.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { pinned } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { Statistics } from '#src/shared/query/use-statistics.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'

/** The fields of a statistics answer that a page frame reads, whatever its parts are. */
export type PageAnswer = Pick<Statistics<Record<never, PartInput>>, 'now' | 'span' | 'previous' | 'state' | 'dataAt'>

export type FrameProps = {
  page: PageName
  title: string
  state: QueryState
  answer: PageAnswer
  /** What the export button writes; the query is pinned to the span of the answer. */
  exported: Pick<ComponentProps<typeof ExportMenu>, 'query' | 'part' | 'title' | 'total' | 'primary'>
  /** Links before the common actions. */
  links?: ReactNode
  /** Shown in the query bar instead of the address's own query. */
  query?: Query
  children: ReactNode
}

/** Title with time basis, link, saved views and export; the query bar; the page's content. */
export function StatisticsFrame({ page, title, state, answer, exported, links, query, children }: FrameProps) {
  const { query: rows, ...exportProps } = exported
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={title}
        note={<BasisSelect state={state} />}
        actions={
          <>
            {links}
            <CopyLink state={state} />
            <SavedViews state={state} page={page} />
            <ReportMenu of="statistics" subject={{ of: 'statistics', query: pinned(state.query, answer.span) }} />
            <ExportMenu query={pinned(rows, answer.span)} {...exportProps} />
          </>
        }
      />
      <QueryBar
        state={query ? { ...state, query } : state}
        dataAt={answer.dataAt}
        span={answer.span}
        stale={answer.state === 'stale'}
      />
      {children}
    </div>
  )
}
