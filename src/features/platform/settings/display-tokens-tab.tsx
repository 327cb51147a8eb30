import { useState } from 'react'
import { savedViews } from '#contracts/http/saved-views.ts'
import { createDisplayToken, displayTokens, revokeDisplayToken } from '#contracts/http/tokens.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { wallLink } from '#src/shared/session/display-token.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { noticeDays } from './notice-days.ts'
import { SecretNameField } from './secret-name-field.tsx'
import { SecretReveal } from './secret-reveal.tsx'
import { Hint } from './secrets-section.tsx'
import { type MadeToken, SecretsTab } from './secrets-tab.tsx'
import { settingsTexts } from './settings-texts.ts'

export function DisplayTokensTab() {
  const t = useTexts(settingsTexts)
  const revoke = useAction(revokeDisplayToken, { refreshes: [displayTokens] })
  return (
    <SecretsTab
      title={t('walls')}
      note={t('wallsNote')}
      emptyHint={t('wallsNote')}
      answer={useEndpoint(displayTokens)}
      columns={[
        { id: 'hint', title: t('hint'), cell: (one) => <Hint text={one.hint} /> },
        { id: 'views', title: t('wallViews'), cell: (one) => one.views.length || '–', end: true },
      ]}
      laterColumns={[{ id: 'expires', title: t('expires'), cell: (one) => <Expiry at={one.expires_at} /> }]}
      onRevoke={(id) => revoke.mutate({ body: { id } })}
      form={(close, onMade: (made: MadeToken) => void) => <NewWall onClose={close} onMade={onMade} />}
      reveal={({ name, token }, close) => (
        <SecretReveal title={`${name} · ${t('wallLink')}`} secret={wallLink(token)} onClose={close} />
      )}
    />
  )
}

/** The day a token expires, with a notice in the 30 days before. */
function Expiry({ at }: { at: number }) {
  const t = useTexts(settingsTexts)
  const zone = usePlatform((state) => state.zone)
  const days = noticeDays(at, Date.now())
  return (
    <>
      {formatDateTime(at, zone, 'day')}
      {days !== undefined && <Chip tone="warn">{t('expiresSoon', { days })}</Chip>}
    </>
  )
}

function NewWall({ onClose, onMade }: { onClose: () => void; onMade: (made: MadeToken) => void }) {
  const t = useTexts(settingsTexts)
  const [name, setName] = useState('')
  const [picked, setPicked] = useState<readonly string[]>([])
  const [seconds, setSeconds] = useState('30')
  const [tried, setTried] = useState(false)
  const views = useEndpoint(savedViews, { query: { page: 'observatory' } })
  const make = useAction(createDisplayToken, {
    refreshes: [displayTokens],
    onSuccess: ({ data, token }) => onMade({ name: data.name, token }),
  })
  const each = Number(seconds)
  const badSeconds = picked.length > 0 && !(Number.isInteger(each) && each >= 5 && each <= 3600)
  function submit(): void {
    setTried(true)
    if (!name.trim() || badSeconds) return
    make.mutate({ body: { name, views: picked.map((view) => ({ view, seconds: each })) } })
  }
  return (
    <FormDialog
      title={t('newWall')}
      submitLabel={t('create')}
      isDisabled={make.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <SecretNameField value={name} onChange={setName} tried={tried} />
      <fieldset>
        <legend className={FIELD_LABEL}>{t('wallViews')}</legend>
        <div className="flex flex-col items-start gap-2">
          {views.data?.data.slice(0, 20).map((view) => (
            <Checkbox
              key={view.id}
              isSelected={picked.includes(view.id)}
              onChange={(on) => setPicked(on ? [...picked, view.id] : picked.filter((one) => one !== view.id))}
            >
              {view.name}
            </Checkbox>
          ))}
        </div>
        <span className={FIELD_NOTE}>{t('wallViewsNote')}</span>
      </fieldset>
      {picked.length > 0 && (
        <TextField
          label={t('seconds')}
          value={seconds}
          onChange={setSeconds}
          error={badSeconds ? t('between', { min: 5, max: 3600 }) : undefined}
        />
      )}
    </FormDialog>
  )
}
