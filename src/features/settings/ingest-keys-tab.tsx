import { Plus } from 'lucide-react'
import { useState } from 'react'
import { createIngestKey, ingestKeys, revokeIngestKey } from '#contracts/http/applications.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { curlSnippet } from '#src/shared/protection/curl-snippet.ts'
import { setCurrentApplication, useApplications, useCurrentApplication } from '#src/shared/session/application-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'
import { TokenState } from './token-state.tsx'
import { Snippet, ToldOnce } from './told-once.tsx'

/** Keys of the current application. */
export function IngestKeysTab() {
  const t = useTexts(settingsTexts)
  const application = useCurrentApplication()
  const list = useApplications((state) => state.list)
  if (application) return <Keys appid={application.id} name={application.name} />
  return (
    <EmptyState
      kind="missing"
      title={t('chooseApp')}
      hint={t('chooseAppHint')}
      action={
        <Select
          label={t('app')}
          hideLabel
          placeholder={t('chooseApp')}
          className="w-60"
          value={null}
          items={(list ?? []).map((one) => ({ id: one.id, label: one.name }))}
          onChange={(id) => setCurrentApplication(id)}
        />
      }
    />
  )
}

function Keys({ appid, name }: { appid: string; name: string }) {
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(ingestKeys, { query: { appid } })
  const revoke = useAction(revokeIngestKey, { refreshes: [ingestKeys] })
  const create = useAction(createIngestKey, { refreshes: [ingestKeys] })
  const [making, setMaking] = useState(false)
  const told = create.data
  const keys = answer.data?.data
  return (
    <>
      <Section
        plain
        title={t('keys')}
        note={t('keysNote', { name })}
        state={answer.isPending ? 'loading' : 'ready'}
        actions={
          <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
            {t('create')}
          </Button>
        }
        className="pt-2"
      >
        {answer.error && !keys ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : keys?.length === 0 ? (
          <EmptyState kind="none" title={t('none')} hint={t('serverNote')} />
        ) : (
          <SettingsTable
            label={t('keys')}
            rows={keys ?? []}
            columns={[
              { id: 'name', title: t('name'), cell: (one) => one.name },
              {
                id: 'kind',
                title: t('kind'),
                cell: (one) => (
                  <span className="flex items-center gap-1.5">
                    {t(one.kind)}
                    {one.scopes.includes('import') && <Chip tone="neutral">import</Chip>}
                  </span>
                ),
              },
              {
                id: 'hint',
                title: t('hint'),
                cell: (one) =>
                  one.text ? <CopyText value={one.text} short /> : <code className="text-12">{one.hint}…</code>,
              },
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
        <NewKeyDialog
          isBusy={create.isPending}
          onClose={() => setMaking(false)}
          onCreate={(key) => create.mutate({ body: { appid, ...key } }, { onSuccess: () => setMaking(false) })}
        />
      )}
      {told && !making && (
        <ToldOnce
          title={told.data.name}
          secret={told.key}
          isSecret={told.data.kind === 'server'}
          onClose={() => create.reset()}
        >
          {told.data.kind === 'server' && <Snippet title={t('curl')} text={curlSnippet(told.key)} />}
        </ToldOnce>
      )}
    </>
  )
}
