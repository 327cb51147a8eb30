import { ArrowLeft, Ban, Link } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { categoryName } from '#contracts/detection/kinds.ts'
import { resultItem } from '#contracts/http/detection/result.ts'
import type { DetectionTask } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { VerdictMark } from '#src/features/detection/parts/verdict-mark.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { Address } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { Evidence } from './evidence.tsx'
import { References } from './references.tsx'
import type { ReportItem } from './report-items.ts'
import { reportTexts } from './report-texts.ts'
import { SuppressDialog } from './suppress-dialog.tsx'
import { SuppressionLine } from './suppression-line.tsx'
import { useMaySuppress } from './use-may-suppress.ts'

const FINDINGS = 50

/** One item: the threat, the evidence as found in the package, what to do, and where the rule comes from. */
export function ItemPanel({
  task,
  shown,
  address,
  onBack,
}: {
  task: DetectionTask
  shown: ReportItem
  address: Address
  onBack: () => void
}) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const maySuppress = useMaySuppress()
  /** What is to be suppressed: a finding, or null for the whole item. */
  const [suppressing, setSuppressing] = useState<{ fingerprint: string | null }>()
  const { item, verdict, change, points } = shown
  const failed = verdict === 'fail' || verdict === 'suppressed'
  const answer = useEndpoint(
    resultItem,
    { query: { id: task.id, item: item.id, limit: FINDINGS } },
    { enabled: failed },
  )
  const copy = async () => {
    const params = new URLSearchParams(address.params)
    params.set('item', item.id)
    if (await copyToClipboard(`${location.origin}${location.pathname}?${params}`)) toast.success(t('linkCopied'))
  }
  return (
    <article
      aria-label={item.name[language]}
      className="max-h-[calc(100dvh-180px)] overflow-auto py-3 pl-6 max-lg:max-h-none max-lg:pl-0"
    >
      <header>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
          <span className="lg:hidden">
            <IconButton size="small" icon={ArrowLeft} label={t('back')} onPress={onBack} />
          </span>
          <span className="text-13 text-text">
            <FindingLevelMark level={item.level} />
          </span>
          {change === 'new' && <Chip>{d('added')}</Chip>}
          {verdict === 'suppressed' ? <Chip tone="neutral">{t('suppressed')}</Chip> : <VerdictMark verdict={verdict} />}
          <span>{categoryName(item.category, language)}</span>
          <span className="font-mono">{item.id}</span>
          {points > 0 && <span>{t('points', { count: points })}</span>}
          <span className="ml-auto flex items-center">
            {failed && maySuppress && !item.suppression && (
              <Button size="small" variant="quiet" icon={Ban} onPress={() => setSuppressing({ fingerprint: null })}>
                {t('suppress')}
              </Button>
            )}
            <IconButton size="small" icon={Link} label={t('copyLink')} onPress={() => void copy()} />
          </span>
        </div>
        <h2 className="pt-1.5 pb-2 text-16 font-semibold">{item.name[language]}</h2>
      </header>
      {item.suppression && <SuppressionLine suppression={item.suppression} />}
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-2.5 pt-1">
        <Fact name={t('threat')}>{item.threat[language]}</Fact>
        {item.reason && <Fact name={t('result')}>{item.reason[language]}</Fact>}
        {failed && (
          <Fact name={t('evidence')}>
            {answer.error ? (
              <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
            ) : answer.data ? (
              <Evidence
                task={task.id}
                findings={answer.data.findings}
                hits={item.hits}
                address={address}
                onSuppress={maySuppress ? (fingerprint) => setSuppressing({ fingerprint }) : undefined}
              />
            ) : (
              <Skeleton lines={5} />
            )}
          </Fact>
        )}
        <Fact name={t('advice')}>
          {item.advice[language]}
          {/^(?:android|ios)-/.test(item.id) && (
            <RouterLink
              to={PAGES.article.path.replace(':id', item.id)}
              className="ml-2 whitespace-nowrap text-brand-text underline"
            >
              {t('article')}
            </RouterLink>
          )}
        </Fact>
        <Fact name={t('confidence')}>{d(item.confidence)}</Fact>
        <References references={item.references} />
      </dl>
      {suppressing && (
        <SuppressDialog
          task={task}
          item={item}
          fingerprint={suppressing.fingerprint}
          onClose={() => setSuppressing(undefined)}
        />
      )}
    </article>
  )
}
