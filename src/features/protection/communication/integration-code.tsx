import { useState } from 'react'
import type { CommunicationKey } from '#contracts/http/communication.ts'
import { keyName } from '#domain/communication.ts'
import { fromHex, toBase64url } from '#engines/gm/bytes.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Select } from '#src/shared/ui/select.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { componentTexts } from './component-texts.ts'
import { GATEWAY_COMMAND } from './gateway-list.tsx'
import { INTEGRATIONS, type Integration, integrationCode } from './integration-snippets.ts'

/** Lines to copy into app or server, with the key that was chosen. `origin`: of a running gateway. */
export function IntegrationCode({ item, origin }: { item: CommunicationKey; origin: string | undefined }) {
  const t = useTexts(componentTexts)
  const [shown, setShown] = useState<Integration>('codeBrowser')
  const publicKey = toBase64url(fromHex(item.public_key))
  return (
    <div className="px-5 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Select
          size="small"
          hideLabel
          label={t('code')}
          value={shown}
          onChange={setShown}
          items={INTEGRATIONS.map((id) => ({ id, label: t(id) }))}
          className="w-44"
        />
        <span className="text-12 text-muted">{t('codeNote', { app: item.application, key: keyName(item.kid) })}</span>
      </div>
      <CodeBlock
        title={t(shown)}
        text={integrationCode(shown, { keyId: item.kid, publicKey, origin: origin ?? 'https://gateway.example' })}
      />
      <CodeBlock title={t('codeGateway')} text={GATEWAY_COMMAND} />
    </div>
  )
}
