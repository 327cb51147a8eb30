import { useParams } from 'react-router-dom'
import { exceptionGroup } from '#contracts/http/exceptions.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { exceptionTexts } from './exception-texts.ts'
import { GroupBody } from './group-body.tsx'
import { useKind } from './kinds.ts'

/** /exceptions/<kind>/<group>/: one group of failures. A fingerprint that a mapping joined to a group opens that group. */
export default function GroupPage() {
  const t = useTexts(exceptionTexts)
  const kind = useKind()
  const { id = '' } = useParams()
  const state = useQueryState({ range: '-14d' })
  const isGroup = /^[0-9a-f]{16}$/.test(id)
  const facts = useEndpoint(
    exceptionGroup,
    { query: { kind, group: id } },
    { enabled: isGroup, refetchInterval: state.paused ? false : 60_000 },
  )
  if (facts.data) return <GroupBody kind={kind} facts={facts.data.data} state={state} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={t(`${kind}Group`)} />
      {!isGroup ? (
        <EmptyState kind="missing" title={t('none')} code={id.slice(0, 64)} />
      ) : facts.error ? (
        <ErrorState error={facts.error} onRetry={() => void facts.refetch()} />
      ) : (
        <Skeleton lines={12} height="24px" className="p-5" />
      )}
    </div>
  )
}
