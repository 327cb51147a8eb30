import { Ban, Check, X } from 'lucide-react'
import {
  ENTRY_STATES,
  type EntryState,
  reviewVulnerabilities,
  vulnerabilities,
  vulnerability,
} from '#contracts/http/vulnerabilities.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { errorMessage } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { vulnerabilitiesTexts } from './vulnerabilities-texts.ts'

/** Says that an entry is not accepted, and offers both decisions. */
export function ReviewBar({ number, state, mayReview }: { number: string; state: EntryState; mayReview: boolean }) {
  const t = useTexts(vulnerabilitiesTexts)
  const language = useLanguage()
  const review = useReview()
  return (
    <div className="flex flex-wrap items-center gap-2 rounded border bg-sunken px-3 py-2 text-13">
      <span className="min-w-0 flex-1">{state === 'pending' ? t('waits') : ENTRY_STATES[state][language]}</span>
      {mayReview && (
        <>
          {state !== 'rejected' && (
            <Button icon={X} isDisabled={review.isPending} onPress={() => review.run([number], 'rejected')}>
              {t('reject')}
            </Button>
          )}
          <Button
            icon={Check}
            variant="primary"
            isDisabled={review.isPending}
            onPress={() => review.run([number], 'accepted')}
          >
            {t('accept')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Takes an accepted entry out of the library again; its packages are no longer compared with it. */
export function RejectButton({ number }: { number: string }) {
  const t = useTexts(vulnerabilitiesTexts)
  const review = useReview()
  return (
    <IconButton
      label={t('reject')}
      icon={Ban}
      isDisabled={review.isPending}
      onPress={() => review.run([number], 'rejected')}
    />
  )
}

/** Accepts or rejects entries, and says how many accounts were notified. */
export function useReview() {
  const t = useTexts(vulnerabilitiesTexts)
  // Of the hook, not of the call: after the refresh the entry may be in another list, and the bar that called is gone.
  const action = useAction(reviewVulnerabilities, {
    refreshes: [vulnerabilities, vulnerability],
    quiet: true,
    onSuccess: (done) => toast.success(t('reviewed', { changed: done.changed, notified: done.notified })),
    onError: (error) => toast.error(errorMessage(error)),
  })
  return {
    isPending: action.isPending,
    run: (numbers: string[], state: 'accepted' | 'rejected') => action.mutate({ body: { numbers, state } }),
  }
}
