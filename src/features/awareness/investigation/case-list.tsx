import { useState } from 'react'
import { type CaseState, cases } from '#contracts/http/investigation.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { caseTexts } from './trace-texts.ts'

/** Cases that the account may see, last changed first; one opens beside the page. */
export function CaseList({ state }: { state: QueryState }) {
  const t = useTexts(caseTexts)
  const [shown, setShown] = useState<CaseState>('open')
  const own = state.params.get('cases') !== 'all'
  const { data, error, isPending, refetch } = useEndpoint(
    cases,
    { query: { state: shown, ...(own && { own: '1' as const }) } },
    { meta: KEPT },
  )
  const list = data?.data ?? []
  return (
    <Section
      plain
      title={t('cases')}
      state={isPending ? 'loading' : 'ready'}
      actions={
        <>
          <SegmentedControl
            size="small"
            label={t('cases')}
            value={own ? 'own' : 'all'}
            onChange={(next) => state.setParams({ cases: next === 'all' ? 'all' : null }, true)}
            items={[
              { id: 'own', label: t('ownCases') },
              { id: 'all', label: t('allCases') },
            ]}
          />
          <SegmentedControl
            size="small"
            label={t('openCases')}
            value={shown}
            onChange={setShown}
            items={[
              { id: 'open', label: t('openCases') },
              { id: 'closed', label: t('closedCases') },
            ]}
          />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : list.length === 0 ? (
        <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
      ) : (
        <ul className="pb-3" data-testid="cases">
          {list.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                onClick={() => state.setParams({ case: one.id })}
                aria-current={state.params.get('case') === one.id}
                className="flex min-h-9 w-full items-center gap-2 px-5 text-left hover:bg-hover focus-visible:bg-hover aria-[current=true]:bg-selected"
              >
                <span className="text-clip-line min-w-0 flex-1">{one.title}</span>
                {!own && <Chip tone="neutral">{one.owner}</Chip>}
                <span className="flex-none text-12 text-muted">{t('entries', { count: one.entries })}</span>
                <span className="flex-none text-12 text-muted">
                  <RelativeTime at={one.updated_at} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
