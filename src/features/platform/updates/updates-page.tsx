import { useEffect, useRef } from 'react'
import { showUpdates, type UpdatesAnswer } from '#contracts/http/updates.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { ReturnPoint } from './return-point.tsx'
import { UpdateLog, UpdateStages } from './update-progress.tsx'
import { UpdateRecords } from './update-records.tsx'
import { UpdateSummary } from './update-summary.tsx'
import { UpdateUpload } from './update-upload.tsx'
import { updatesTexts } from './updates-texts.ts'
import { VersionFacts } from './version-facts.tsx'

const RUNNING_MS = 1000
const IDLE_MS = 15_000

/** /platform/systemupdate: update of the packaged product and the way back (UPD-01, UPD-02). */
export default function UpdatesPage() {
  return (
    <PermittedPage page="updates" permission="platform.update">
      <Updates />
    </PermittedPage>
  )
}

function Updates() {
  const language = useLanguage()
  const t = useTexts(updatesTexts)
  // While the service restarts nothing answers: what was known stays, and it is asked again.
  const answer = useEndpoint(
    showUpdates,
    {},
    {
      retry: false,
      refetchInterval: (query) => (query.state.data?.data.active || query.state.error ? RUNNING_MS : IDLE_MS),
    },
  )
  const data = answer.data?.data
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.updates[language]} />
      {!data ? (
        answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton lines={14} height="24px" className="px-5 py-3" />
        )
      ) : data.packaged ? (
        <Packaged data={data} isAway={answer.error !== null} />
      ) : (
        <EmptyState kind="missing" title={t('source')} hint={t('sourceHint')} code={`AppWarden ${data.version}`} />
      )}
    </div>
  )
}

function Packaged({ data, isAway }: { data: UpdatesAnswer; isAway: boolean }) {
  const record = data.active ?? data.records[0]
  return (
    <>
      <UpdateSummary data={data} isAway={isAway} />
      <Reload version={data.version} />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_minmax(320px,27%)] border-t max-xl:grid-cols-1">
        <div className="min-w-0">
          {!data.active && <UpdateUpload data={data} />}
          {record && (
            <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)] max-lg:grid-cols-1">
              <UpdateStages record={record} />
              <UpdateLog record={record} />
            </div>
          )}
          <UpdateRecords records={data.records} />
        </div>
        <div className="min-w-0 border-l max-xl:border-t max-xl:border-l-0">
          <VersionFacts data={data} />
          <ReturnPoint data={data} />
        </div>
      </div>
    </>
  )
}

/** The page was loaded from another version than the one that answers. */
function Reload({ version }: { version: string }) {
  const t = useTexts(updatesTexts)
  const first = useRef<string>(undefined)
  useEffect(() => {
    first.current ??= version
  }, [version])
  if (first.current === undefined || first.current === version) return null
  return (
    <div className="flex flex-wrap items-center gap-3 border-t bg-selected px-5 py-2.5" role="status">
      <span className="min-w-0 flex-1">{t('reloadText', { version })}</span>
      <Button size="small" onPress={() => location.reload()}>
        {t('reload')}
      </Button>
    </div>
  )
}
