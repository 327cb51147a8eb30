import { useState } from 'react'
import { createIngestKey, ingestKeys, revokeIngestKey } from '#contracts/http/ingest.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { curlSnippet } from '#src/shared/protection/curl-snippet.ts'
import { setCurrentApplication, useApplications, useCurrentApplication } from '#src/shared/session/application-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { SecretReveal, Snippet } from './secret-reveal.tsx'
import { Hint, SecretsSection } from './secrets-section.tsx'
import { settingsTexts } from './settings-texts.ts'

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
  const revoke = useAction(revokeIngestKey, { refreshes: [ingestKeys] })
  const create = useAction(createIngestKey, { refreshes: [ingestKeys] })
  const [making, setMaking] = useState(false)
  const created = create.data
  return (
    <>
      <SecretsSection
        title={t('keys')}
        note={t('keysNote', { name })}
        emptyHint={t('serverNote')}
        answer={useEndpoint(ingestKeys, { query: { appid } })}
        columns={[
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
            cell: (one) => (one.text ? <CopyText value={one.text} short /> : <Hint text={one.hint} />),
          },
        ]}
        onCreate={() => setMaking(true)}
        onRevoke={(id) => revoke.mutate({ body: { id } })}
      />
      {making && (
        <NewKeyDialog
          isBusy={create.isPending}
          onClose={() => setMaking(false)}
          onCreate={(key) => create.mutate({ body: { appid, ...key } }, { onSuccess: () => setMaking(false) })}
        />
      )}
      {created && !making && (
        <SecretReveal
          title={created.data.name}
          secret={created.key}
          isSecret={created.data.kind === 'server'}
          onClose={() => create.reset()}
        >
          {created.data.kind === 'server' && <Snippet title={t('curl')} text={curlSnippet(created.key)} />}
        </SecretReveal>
      )}
    </>
  )
}
