import type { NewEntry } from '#contracts/http/investigation.ts'
import type { SearchHit } from '#contracts/http/search.ts'
import { PinEntryDialog } from '#src/shared/events/pin-entry-dialog.tsx'
import { useLanguage } from '#src/shared/i18n/texts.ts'

/** Puts a device, a user or an event that was found into a case. */
export default function PinHitDialog({ hit, onClose }: { hit: SearchHit; onClose: () => void }) {
  const language = useLanguage()
  const entry = (note: string): NewEntry =>
    hit.kind === 'event'
      ? { kind: 'event', appid: hit.apps[0] ?? '', id: hit.id, note }
      : {
          kind: 'subject',
          query: { range: '-30d', filters: [] },
          subject: { kind: hit.kind === 'user' ? 'user' : 'device', key: hit.id },
          note,
        }
  return <PinEntryDialog name={hit.title[language]} entry={entry} onClose={onClose} />
}
