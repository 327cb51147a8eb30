import type { EventRow } from '#domain/query.ts'
import { useLanguage } from '../i18n/texts.ts'
import { eventTitle } from './event-words.ts'
import { PinEntryDialog } from './pin-entry-dialog.tsx'

/** Puts one event into an open case, or into a new one. */
export default function PinEventDialog({ row, onClose }: { row: EventRow; onClose: () => void }) {
  const language = useLanguage()
  return (
    <PinEntryDialog
      name={`${eventTitle(row, language)} ${row.device.slice(0, 4)}…${row.device.slice(-4)}`}
      entry={(note) => ({ kind: 'event', appid: row.app, id: row.id, note })}
      onClose={onClose}
    />
  )
}
