import { useState } from 'react'
import { checkCertificate } from '#contracts/http/training.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { trainingTexts } from './training-texts.ts'

/** Whose certificate a number is. `number`: of the address, asked for at once. */
export function CheckDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const [text, setText] = useState(number)
  const [asked, setAsked] = useState(number)
  const answer = useEndpoint(
    checkCertificate,
    { query: { language, number: asked } },
    { enabled: asked !== '', retry: false },
  )
  const { data } = answer.data ?? {}
  const day = (at: number) => formatDateTime(at, zone, 'day')
  const isUnknown = answer.error?.key === 'data.missing' || answer.error?.key === 'input.invalid'
  return (
    <FormDialog
      title={t('check')}
      submitLabel={t('checkDo')}
      isDisabled={text.trim() === ''}
      onSubmit={() => (asked === text.trim() ? void answer.refetch() : setAsked(text.trim()))}
      onClose={onClose}
    >
      <TextField
        label={t('checkLabel')}
        value={text}
        onChange={setText}
        note={t('checkNote')}
        error={isUnknown && asked === text.trim() ? t('checkNone') : undefined}
        maxLength={40}
        autoFocus
        mono
      />
      <div aria-live="polite">
        {asked === '' || isUnknown ? null : answer.error ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !data ? (
          <Skeleton lines={4} />
        ) : (
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5 rounded border px-4 py-3 [overflow-wrap:anywhere]">
            <dt className="text-muted">{t('checkLabel')}</dt>
            <dd className="flex flex-wrap items-center gap-2">
              <code className="text-12">{data.number}</code>
              <Chip tone={data.valid ? 'good' : 'neutral'}>{t(data.valid ? 'valid' : 'expired')}</Chip>
            </dd>
            <dt className="text-muted">{t('holder')}</dt>
            <dd>{data.holder}</dd>
            <dt className="text-muted">{t('courseName')}</dt>
            <dd>{t('holderLine', { title: data.title, minutes: data.minutes })}</dd>
            <dt className="text-muted">{t('score')}</dt>
            <dd>{t('points', { score: data.score })}</dd>
            <dt className="text-muted">{t('issued')}</dt>
            <dd>{day(data.issued_at)}</dd>
            <dt className="text-muted">{t('untilLabel')}</dt>
            <dd>{day(data.expires_at)}</dd>
          </dl>
        )}
      </div>
    </FormDialog>
  )
}
