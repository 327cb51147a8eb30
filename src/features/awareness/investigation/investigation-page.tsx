import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { CaseDrawer } from './case-drawer.tsx'
import { SubjectSearch } from './subject-search.tsx'
import { caseTexts, traceTexts } from './trace-texts.ts'
import { TraceView } from './trace-view.tsx'
import { useCase, useCaseTitle } from './use-case.ts'
import { subjectOf, TRACE_DEFAULTS } from './use-trace.ts'

/** The story of one device, user or address; without one, where to find it. */
export default function AttackTracePage() {
  const t = useTexts(traceTexts)
  const c = useTexts(caseTexts)
  const state = useQueryState(TRACE_DEFAULTS)
  const subject = subjectOf(state)
  const inUse = useCase(state, useCaseTitle(subject))
  usePageSubject(subject ? (subject.kind === 'address' ? subject.key : shortHash(subject.kind, subject.key)) : '')
  const caseId = state.params.get('case')
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface max-lg:h-auto">
      <PageTitle
        title={t('title')}
        note={subject && t('note')}
        actions={
          <>
            <CopyLink state={state} />
            <SavedViews state={state} page="investigation" />
            {subject && (
              <ReportMenu
                of="case"
                look="primary"
                subject={caseId === null ? null : { of: 'case', case: caseId }}
                why={c('reportNoCase')}
              />
            )}
          </>
        }
      />
      {subject ? (
        <TraceView key={`${subject.kind}:${subject.key}`} state={state} subject={subject} inUse={inUse} />
      ) : (
        <>
          <SubjectSearch state={state} />
          {caseId && <CaseDrawer state={state} inUse={inUse} />}
          <EventDrawers state={state} />
        </>
      )}
    </div>
  )
}
