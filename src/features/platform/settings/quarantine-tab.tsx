import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { quarantine } from '#contracts/http/ingest.ts'
import { call } from '#src/shared/api/call.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'

/** What came in and does not count: how much of each reason, and the entries themselves. */
export function QuarantineTab() {
  const t = useTexts(settingsTexts)
  const nameOf = useNameOf()
  const [reason, setReason] = useState('')
  const answer = useInfiniteQuery({
    queryKey: [quarantine.path, reason],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        quarantine,
        { query: { limit: 50, ...(reason && { reason }), ...(pageParam && { cursor: pageParam }) }, signal },
        { quiet: true },
      ),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: (before) => before,
  })
  const counts = answer.data?.pages[0]?.counts ?? []
  const rows = answer.data?.pages
    .flatMap((page) => page.data)
    .map((row, index) => ({ ...row, id: `${row.received_at}-${row.event_id}-${index}` }))
  const all = counts.reduce((sum, one) => sum + one.count, 0)
  return (
    <Section
      plain
      title={t('quarantine')}
      note={t('quarantineNote')}
      state={answer.isPending ? 'loading' : 'ready'}
      className="pt-2"
    >
      {answer.error && !rows ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : all === 0 && rows?.length === 0 ? (
        <EmptyState kind="none" title={t('quarantineNone')} />
      ) : (
        <>
          <div className="overflow-x-auto px-5 pb-3">
            <SegmentedControl
              label={t('reason')}
              value={reason}
              onChange={setReason}
              items={[
                { id: '', label: t('all'), note: formatExact(all) },
                ...counts.map((one) => ({ id: one.reason, label: one.reason, note: formatExact(one.count) })),
              ]}
            />
          </div>
          <SettingsTable
            label={t('quarantine')}
            rows={rows ?? []}
            columns={[
              { id: 'at', title: t('at'), cell: (row) => <RelativeTime at={row.received_at} /> },
              { id: 'app', title: t('app'), cell: (row) => nameOf('app', row.app) },
              { id: 'reason', title: t('reason'), cell: (row) => row.reason },
              { id: 'event', title: t('event'), cell: (row) => <Clip text={row.event_id} /> },
              { id: 'device', title: t('device'), cell: (row) => nameOf('device', row.device) },
              { id: 'note', title: t('note'), cell: (row) => <Clip text={row.note} /> },
              { id: 'raw', title: t('raw'), cell: (row) => <Clip text={row.raw} /> },
            ]}
          />
          {answer.hasNextPage && (
            <div className="flex justify-center py-4">
              <Button isDisabled={answer.isFetchingNextPage} onPress={() => void answer.fetchNextPage()}>
                {t('more')}
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  )
}

function Clip({ text }: { text: string }) {
  return (
    <code className="text-clip-line block max-w-56 text-12" title={text}>
      {text}
    </code>
  )
}
