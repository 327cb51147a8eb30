import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { createIngestKey, ingestKeys, revokeIngestKey } from '#contracts/http/ingest.ts'
import { ChooseApplicationState } from '#src/shared/account/choose-application-state.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { curlSnippet } from '#src/shared/protection/curl-snippet.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Snippet } from '#src/shared/ui/snippet.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { SecretReveal } from './secret-reveal.tsx'
import { Hint } from './secrets-section.tsx'
import { SecretsTab } from './secrets-tab.tsx'
import { settingsTexts } from './settings-texts.ts'

type MadeKey = ResponseOf<typeof createIngestKey>

/** Keys of the current application. */
export function IngestKeysTab() {
  const t = useTexts(settingsTexts)
  const application = useCurrentApplication()
  if (application) return <Keys appid={application.id} name={application.name} />
  return <ChooseApplicationState title={t('chooseApp')} hint={t('chooseAppHint')} label={t('app')} />
}

function Keys({ appid, name }: { appid: string; name: string }) {
  const t = useTexts(settingsTexts)
  const revoke = useAction(revokeIngestKey, { refreshes: [ingestKeys] })
  const create = useAction(createIngestKey, { refreshes: [ingestKeys] })
  return (
    <SecretsTab
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
      onRevoke={(id) => revoke.mutate({ body: { id } })}
      form={(close, onMade: (made: MadeKey) => void) => (
        <NewKeyDialog
          isBusy={create.isPending}
          onClose={close}
          onCreate={(key) => create.mutate({ body: { appid, ...key } }, { onSuccess: onMade })}
        />
      )}
      reveal={({ key, data }, close) => (
        <SecretReveal title={data.name} secret={key} isSecret={data.kind === 'server'} onClose={close}>
          {data.kind === 'server' && <Snippet title={t('curl')} text={curlSnippet(key)} />}
        </SecretReveal>
      )}
    />
  )
}
