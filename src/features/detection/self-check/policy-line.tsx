import { FileText } from 'lucide-react'
import { useState } from 'react'
import { privacyPolicy } from '#contracts/http/self-check/privacy-policy.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { PolicyDialog } from './policy-dialog.tsx'
import { policyTexts } from './policy-texts.ts'

/** The privacy policy that detections of an application compare its code with, and the way to give one. */
export function PolicyLine({ appid }: { appid: string }) {
  const t = useTexts(policyTexts)
  const [open, setOpen] = useState(false)
  const answer = useEndpoint(privacyPolicy, { query: { appid } })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={1} height="32px" className="px-5 pb-3" />
  const policy = answer.data.data
  return (
    <section
      aria-label={t('policy')}
      data-testid="policy"
      className="mx-5 mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded border px-3 py-2 max-lg:mx-4"
    >
      <Icon of={FileText} size={16} />
      <strong className="font-semibold max-sm:flex-1">{t('policy')}</strong>
      {policy ? (
        <span className="min-w-0 flex-1 text-muted max-sm:order-last max-sm:basis-full">
          <span className="text-text">{policy.name || t('pasted')}</span>
          {` · ${t('given', { count: policy.content.length })} · ${t('by', { by: policy.by })} · `}
          <RelativeTime at={policy.updated_at} />
        </span>
      ) : (
        <span className="min-w-0 flex-1 text-muted max-sm:order-last max-sm:basis-full">{t('none')}</span>
      )}
      <Button size="small" onPress={() => setOpen(true)}>
        {policy ? t('change') : t('add')}
      </Button>
      {open && <PolicyDialog appid={appid} policy={policy} onClose={() => setOpen(false)} />}
    </section>
  )
}
