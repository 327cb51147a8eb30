import { Plus } from 'lucide-react'
import { useState } from 'react'
import { createDisplayToken, displayTokens, revokeDisplayToken } from '#contracts/http/accounts.ts'
import { savedViews } from '#contracts/http/statistics.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { wallLink } from '#src/shared/session/display-token.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FIELD_LABEL, FIELD_NOTE } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'
import { TokenState } from './token-state.tsx'
import { ToldOnce } from './told-once.tsx'

export function DisplayTokensTab() {
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(displayTokens)
  const revoke = useAction(revokeDisplayToken, { refreshes: [displayTokens] })
  const [making, setMaking] = useState(false)
  const [told, setTold] = useState<{ name: string; token: string } | null>(null)
  const list = answer.data?.data
  return (
    <>
      <Section
        plain
        title={t('walls')}
        note={t('wallsNote')}
        state={answer.isPending ? 'loading' : 'ready'}
        actions={
          <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
            {t('create')}
          </Button>
        }
        className="pt-2"
      >
        {answer.error && !list ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : list?.length === 0 ? (
          <EmptyState kind="none" title={t('none')} hint={t('wallsNote')} />
        ) : (
          <SettingsTable
            label={t('walls')}
            rows={list ?? []}
            columns={[
              { id: 'name', title: t('name'), cell: (one) => one.name },
              { id: 'hint', title: t('hint'), cell: (one) => <code className="text-12">{one.hint}…</code> },
              { id: 'views', title: t('wallViews'), cell: (one) => one.views.length || '–', end: true },
              { id: 'created', title: t('created'), cell: (one) => <RelativeTime at={one.created_at} /> },
              {
                id: 'used',
                title: t('used'),
                cell: (one) => (one.last_used_at === null ? t('never') : <RelativeTime at={one.last_used_at} />),
              },
              { id: 'state', title: t('state'), cell: (one) => <TokenState revokedAt={one.revoked_at} /> },
              {
                id: 'actions',
                title: '',
                end: true,
                cell: (one) =>
                  one.revoked_at === null && (
                    <Button
                      size="small"
                      variant="quiet"
                      onPress={async () => {
                        const text = t('revokeText', { name: one.name })
                        if (await confirm({ title: t('revoke'), text, action: t('revoke'), danger: true }))
                          revoke.mutate({ body: { id: one.id } })
                      }}
                    >
                      {t('revoke')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Section>
      {making && (
        <NewWall
          onClose={() => setMaking(false)}
          onMade={(name, token) => {
            setMaking(false)
            setTold({ name, token })
          }}
        />
      )}
      {told && (
        <ToldOnce
          title={`${told.name} · ${t('wallLink')}`}
          secret={wallLink(told.token)}
          onClose={() => setTold(null)}
        />
      )}
    </>
  )
}

function NewWall({ onClose, onMade }: { onClose: () => void; onMade: (name: string, token: string) => void }) {
  const t = useTexts(settingsTexts)
  const [name, setName] = useState('')
  const [picked, setPicked] = useState<readonly string[]>([])
  const [seconds, setSeconds] = useState('30')
  const [tried, setTried] = useState(false)
  const views = useEndpoint(savedViews, { query: { page: 'maps' } })
  const make = useAction(createDisplayToken, {
    refreshes: [displayTokens],
    onSuccess: ({ data, token }) => onMade(data.name, token),
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
      <TextField
        label={t('name')}
        value={name}
        onChange={setName}
        maxLength={64}
        error={tried && !name.trim() ? t('nameEmpty') : undefined}
        isRequired
        autoFocus
      />
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
