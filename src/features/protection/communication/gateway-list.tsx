import type { CommunicationGateway } from '#contracts/http/communication.ts'
import { GATEWAY_POLICIES } from '#domain/communication.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { communicationTexts } from './communication-texts.ts'

export const GATEWAY_COMMAND = 'npx appwarden gateway --upstream http://127.0.0.1:3000 --listen 127.0.0.1:8090'

/** Gateways that run now; without one, how to start it. */
export function GatewayList({ gateways }: { gateways: readonly CommunicationGateway[] }) {
  const t = useTexts(communicationTexts)
  const language = useLanguage()
  return (
    <Section
      plain
      title={t('gateways')}
      note={gateways.length > 0 ? t('gatewaysNote') : t('noGateway')}
      className="border-t"
      bodyClassName="px-5 pb-3"
    >
      {gateways.length === 0 ? (
        <>
          <p className="text-12 text-muted">{t('noGatewayHint')}</p>
          <CodeBlock title={t('command')} text={GATEWAY_COMMAND} />
        </>
      ) : (
        <ul className="divide-y">
          {gateways.map((one) => (
            <li key={one.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-1.5">
              <strong className="font-semibold">{one.name}</strong>
              <code className="text-12">{one.address}</code>
              <span className="text-12 text-muted">{t('upstream', { upstream: one.upstream })}</span>
              {one.policy !== null && (
                <span className="text-12 text-muted">
                  {t('ownPolicy', { policy: GATEWAY_POLICIES[one.policy][language] })}
                </span>
              )}
              <span className="ml-auto text-12 text-muted">
                {one.version} · {t('since')} <RelativeTime at={one.started_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
