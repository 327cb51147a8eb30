import { useState } from 'react'
import {
  moveTakedowns,
  type SaidState,
  TAKEDOWN_MOVES,
  TAKEDOWN_STATES,
  TAKEDOWN_WAYS,
  type Takedown,
  type TakedownWay,
  takedowns,
} from '#contracts/http/monitoring/takedowns.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { startOfDate } from '#src/shared/query/range-text.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { takedownTexts } from './takedown-texts.ts'

const WAYS = Object.keys(TAKEDOWN_WAYS) as TakedownWay[]

/** Records that requests in one state were sent, answered or refused, on which day, and how. */
export function TakedownDialog({ requests, onClose }: { requests: readonly Takedown[]; onClose: () => void }) {
  const t = useTexts(takedownTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const states: readonly SaidState[] = requests[0] ? TAKEDOWN_MOVES[requests[0].state] : []
  // After a letter was sent, its answer is what is recorded most.
  const [state, setState] = useState<SaidState>(states.find((one) => one !== 'sent') ?? 'sent')
  const [way, setWay] = useState<TakedownWay>('mail')
  const today = formatDateTime(Date.now(), zone, 'day')
  const [day, setDay] = useState(today)
  const [note, setNote] = useState('')
  const at = startOfDate(day, zone)
  const problem = at === null ? t('dayEmpty') : day > today ? t('dayLate') : undefined
  const move = useAction(moveTakedowns, {
    refreshes: [takedowns],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('title')}
      submitLabel={t('save')}
      isDisabled={move.isPending || problem !== undefined}
      onSubmit={() =>
        at !== null &&
        move.mutate({
          body: {
            ids: requests.map(({ id }) => id),
            ...{ state, at, way: state === 'sent' ? way : null, note: note.trim() },
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-muted">
        {requests.length === 1 ? requests[0]?.market_name : t('titleNote', { count: requests.length })}
      </p>
      <Select
        label={t('newState')}
        value={state}
        onChange={setState}
        items={states.map((id) => ({ id, label: TAKEDOWN_STATES[id][language] }))}
      />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField label={t('day')} value={day} onChange={setDay} type="date" error={problem} isRequired />
        {state === 'sent' && (
          <Select
            label={t('way')}
            value={way}
            onChange={setWay}
            items={WAYS.map((id) => ({ id, label: TAKEDOWN_WAYS[id][language] }))}
          />
        )}
      </div>
      <TextField label={t('note')} value={note} onChange={setNote} rows={3} maxLength={500} autoComplete="off" />
      <p className="text-12 text-muted">{t('removedNote')}</p>
    </FormDialog>
  )
}
