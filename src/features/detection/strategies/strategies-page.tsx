import { useSearchParams } from 'react-router-dom'
import { strategies } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { StrategyEditor } from './strategy-editor.tsx'
import { StrategyList } from './strategy-list.tsx'

/** /detection/strategies: the list; `strategy` in the address opens one, `from` begins a new one with the rules of another. */
export default function StrategiesPage() {
  const language = useLanguage()
  const [params] = useSearchParams()
  const answer = useEndpoint(strategies)
  const list = answer.data?.data
  const open = list?.find((one) => one.id === params.get('strategy'))
  const from = list?.find((one) => one.id === params.get('from'))
  if (open) return <StrategyEditor key={open.id} strategy={open} isNew={false} />
  if (from) return <StrategyEditor key={`from ${from.id}`} strategy={from} isNew />
  if (list) return <StrategyList list={list} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.strategies[language]} />
      {answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={8} height="28px" className="px-5 py-3" />
      )}
    </div>
  )
}
