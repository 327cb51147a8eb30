import { revealEventAddress } from '#contracts/http/statistics.ts'
import type { EventRow } from '#domain/query.ts'
import { useAction } from '../api/use-action.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { CopyText } from '../ui/copy-text.tsx'
import { eventTexts } from './event-texts.ts'

/**
 * The network that an event came from. Users with permission for personal data request the whole address, which the audit log keeps; the event
 * itself never holds it, so it is gone with the next one.
 */
export function AddressLine({ row, onSame }: { row: EventRow; onSame: (address: string) => void }) {
  const t = useTexts(eventTexts)
  const mayReveal = useMay('personal.reveal')
  const reveal = useAction(revealEventAddress)
  const address = reveal.data?.address
  if (address === undefined)
    return (
      <p className="break-all">
        {t('address', { value: row.address })}{' '}
        <button
          type="button"
          className="text-brand-text hover:underline disabled:text-muted disabled:no-underline"
          disabled={!mayReveal || reveal.isPending}
          title={t(mayReveal ? 'revealText' : 'revealMissing')}
          onClick={() => reveal.mutate({ body: { appid: row.app, id: row.id } })}
        >
          {t('reveal')}
        </button>
      </p>
    )
  return (
    <div className="break-all" aria-live="polite">
      <span className="mr-1">{t('addressWord')}</span>
      <CopyText value={address} />
      {address.includes('/') ? (
        <p>{t('addressCut')}</p>
      ) : (
        <p>
          {t('revealed')}{' '}
          <button type="button" className="text-brand-text hover:underline" onClick={() => onSame(address)}>
            {t('sameAddress')}
          </button>
        </p>
      )}
    </div>
  )
}
