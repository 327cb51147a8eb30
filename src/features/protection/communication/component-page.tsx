import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { communicationOverview, OWN_GATEWAY } from '#contracts/http/communication.ts'
import { PAGES } from '#contracts/pages.ts'
import { keyName } from '#domain/communication.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { ComponentDownloads } from './component-downloads.tsx'
import { componentTexts } from './component-texts.ts'
import type { Overview } from './figures.tsx'
import { IntegrationCode } from './integration-code.tsx'
import { isAccepted } from './key-table.tsx'
import { LiveTest } from './live-test/live-test.tsx'
import type { LiveTestState } from './live-test/live-test-state.ts'
import { PlainView, WireView } from './live-test/wire-view.tsx'

const REFRESH_MS = 15_000
const PATH = /^\/[\w.~!$&'()*+,;=:@%/-]{0,1000}$/
const EXAMPLE = '{ "from": "6222…0417", "amount": 52000.00, "currency": "CNY" }'

/** /protect/component: what the security component offers, its downloads, and a live test through a gateway (COMM-01). */
export default function ComponentPage() {
  const t = useTexts(componentTexts)
  const language = useLanguage()
  // Who may only download the SDKs sees them; keys and the test need the permission of their own.
  if (useMay('communication.protect')) return <Component />
  return (
    <PermittedPage page="security_component" permission="sdk.download">
      <div className="flex min-h-full flex-col bg-surface">
        <PageTitle title={PAGES.security_component[language]} note={t('note')} />
        <p className="max-w-[90ch] px-5 pb-4 text-muted max-lg:px-4">{t('offerText')}</p>
        <ComponentDownloads />
      </div>
    </PermittedPage>
  )
}

function Component() {
  const t = useTexts(componentTexts)
  const language = useLanguage()
  const application = useCurrentApplication()
  const answer = useEndpoint(
    communicationOverview,
    { query: application ? { appid: application.id } : {} },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const data = answer.data?.data
  if (data?.keys.some(isAccepted)) return <Bench data={data} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.security_component[language]} note={t('note')} />
      {answer.error && !data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : data ? (
        <>
          <p className="max-w-[90ch] px-5 pb-2 text-muted max-lg:px-4">{t('offerText')}</p>
          <EmptyState
            kind="none"
            title={t('noKeys')}
            hint={t('noKeysHint')}
            action={
              <Link to={PAGES.communication_protection.path} className={buttonClass('plain')}>
                {t('toKeys')}
              </Link>
            }
          />
          <ComponentDownloads />
        </>
      ) : (
        <Skeleton lines={10} height="24px" className="p-5" />
      )}
    </div>
  )
}

type Run = { state: LiveTestState | null; error: Error | null; isRunning: boolean }

function Bench({ data }: { data: Overview }) {
  const t = useTexts(componentTexts)
  const language = useLanguage()
  const keys = data.keys.filter(isAccepted)
  const [kidText, setKidText] = useState<string | null>(null)
  const [gatewayId, setGatewayId] = useState<string | null>(null)
  const [path, setPath] = useState('/api/transfer/quote')
  const [tab, setTab] = useState<'wire' | 'plain' | 'code'>('wire')
  const [run, setRun] = useState<Run>({ state: null, error: null, isRunning: false })
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const key = keys.find(({ kid }) => String(kid) === kidText) ?? keys.find(({ state }) => state === 'active') ?? keys[0]
  if (!key) return null
  const gateway = data.gateways.find(({ id }) => id === gatewayId)
  // The one that runs is what people want to test; without one, the console's own.
  const chosen = gatewayId === OWN_GATEWAY ? OWN_GATEWAY : (gateway?.id ?? data.gateways[0]?.id ?? OWN_GATEWAY)
  const isPath = PATH.test(path)

  async function start(): Promise<void> {
    if (!key || !isPath) return
    stop.current?.abort()
    const abort = new AbortController()
    stop.current = abort
    setRun({ state: null, error: null, isRunning: true })
    try {
      const { runLiveTest } = await import('./live-test/run-live-test.ts')
      const ended = data.keys.find((one) => one.appid === key.appid && !isAccepted(one))
      await runLiveTest(
        {
          ...{ gateway: chosen, path, query: '', text: EXAMPLE, signal: abort.signal },
          key: { kid: key.kid, publicKey: key.public_key },
          endedKid: ended?.kid,
        },
        (state) => !abort.signal.aborted && setRun((before) => ({ ...before, state })),
      )
      if (!abort.signal.aborted) setRun((before) => ({ ...before, isRunning: false }))
    } catch (error) {
      if (!abort.signal.aborted) setRun((before) => ({ ...before, error: error as Error, isRunning: false }))
    }
  }

  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.security_component[language]}
        note={t('note')}
        actions={
          <>
            <Link to={PAGES.communication_protection.path} className={buttonClass('quiet')}>
              {t('protection')}
            </Link>
            <Button variant="primary" icon={Play} isDisabled={run.isRunning || !isPath} onPress={() => void start()}>
              {t(run.isRunning ? 'running' : run.state ? 'again' : 'run')}
            </Button>
          </>
        }
      />
      <div className="flex flex-none flex-wrap items-start gap-2 border-b px-5 pb-3 max-lg:px-4">
        <Select
          prefix
          label={t('key')}
          value={String(key.kid)}
          onChange={setKidText}
          items={keys.map((one) => ({ id: String(one.kid), label: `${keyName(one.kid)} ${one.application}` }))}
          className="w-60 max-sm:w-full"
        />
        <Select
          prefix
          label={t('gateway')}
          value={chosen}
          onChange={setGatewayId}
          items={[
            ...data.gateways.map((one) => ({ id: one.id, label: one.name, note: one.address })),
            { id: OWN_GATEWAY, label: t('own') },
          ]}
          className="w-60 max-sm:w-full"
        />
        <TextField
          hideLabel
          mono
          label={t('path')}
          value={path}
          onChange={setPath}
          maxLength={1000}
          autoComplete="off"
          error={isPath ? undefined : t('pathWrong')}
          className="w-72 max-sm:w-full"
        />
      </div>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_minmax(0,480px)] max-xl:grid-cols-1">
        <div className="min-w-0 border-r max-xl:border-r-0">
          <LiveTest
            state={run.state}
            error={run.error}
            keyText={keyName(key.kid)}
            isOwn={chosen === OWN_GATEWAY}
            onRetry={() => void start()}
          />
        </div>
        <div className="min-w-0 max-xl:border-t">
          <Tabs
            label={t('wire')}
            value={tab}
            onChange={setTab}
            items={[
              { id: 'wire', label: t('wire'), content: <WireView state={run.state} /> },
              { id: 'plain', label: t('plainTab'), content: <PlainView state={run.state} /> },
              {
                id: 'code',
                label: t('code'),
                content: <IntegrationCode item={key} origin={gateway?.address ?? data.gateways[0]?.address} />,
              },
            ]}
          />
          <ComponentDownloads />
          <section className="border-t px-5 py-3">
            <h2 className="text-14 font-semibold">{t('offer')}</h2>
            <p className="pt-1 text-12 text-muted">{t('offerText')}</p>
          </section>
        </div>
      </div>
    </div>
  )
}
