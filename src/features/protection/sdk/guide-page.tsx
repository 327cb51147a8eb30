import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { accessGuide, sdkFiles } from '#contracts/http/sdk.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CentredPage } from '#src/shared/ui/centred-page.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { ChooseApplication } from './choose-application.tsx'
import { AndroidSteps, ServerSteps, WebSteps } from './guide-steps.tsx'
import { guideTexts } from './guide-texts.ts'
import { LiveCheck } from './live-check.tsx'
import { sdkTexts } from './sdk-texts.ts'

const TABS = ['web', 'android', 'server'] as const
const CHECK_MS = 3000

/** Access guide: code with the application's own public key, and a check that turns green with its first event. */
export default function GuidePage() {
  const t = useTexts(sdkTexts)
  const language = useLanguage()
  const application = useCurrentApplication()
  return (
    <CentredPage>
      <PageTitle title={PAGES.guide[language]} note={application && `${t('app')}: ${application.name}`} />
      {application ? (
        <Guide key={application.id} appid={application.id} manageable={application.manageable} />
      ) : (
        <ChooseApplication />
      )}
    </CentredPage>
  )
}

function Guide({ appid, manageable }: { appid: string; manageable: boolean }) {
  const t = useTexts(guideTexts)
  const [params, setParams] = useSearchParams()
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'web'
  const files = useEndpoint(sdkFiles)
  const answer = useEndpoint(accessGuide, { query: { appid } }, { refetchInterval: CHECK_MS })
  const [chosen, setChosen] = useState<string>()
  const [eventId] = useState(() => crypto.randomUUID())
  const guide = answer.data?.data
  if (!guide)
    return answer.error ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton lines={8} height="24px" className="p-5" />
    )
  const key = guide.keys.find(({ id }) => id === chosen) ?? guide.keys[0]
  const endpoint = location.origin
  const facts = { endpoint, code: key?.text ?? 'aw_ek_…', manifest: files.data?.data ?? null }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_320px] items-start gap-6 px-5 pb-10 max-lg:grid-cols-1 max-lg:px-4">
      <div className="order-1 min-w-0 max-lg:order-2">
        <KeyLine
          appid={appid}
          keys={guide.keys}
          value={key}
          manageable={manageable}
          onChoose={setChosen}
          hidden={tab === 'server'}
        />
        <Tabs
          label={t('tabs')}
          value={tab}
          onChange={(to) => {
            const next = new URLSearchParams(params)
            next.set('tab', to)
            setParams(next, { replace: true })
          }}
          items={[
            { id: 'web', label: t('web'), content: <WebSteps {...facts} /> },
            { id: 'android', label: t('android'), content: <AndroidSteps {...facts} /> },
            { id: 'server', label: t('server'), content: <ServerSteps endpoint={endpoint} eventId={eventId} /> },
          ]}
        />
      </div>
      <div className="sticky top-4 order-2 max-lg:static max-lg:order-1">
        <LiveCheck appid={appid} guide={guide} endpoint={endpoint} />
      </div>
    </div>
  )
}

type Key = { id: string; name: string; text: string }

/** The public key that the snippets contain; without one, a button that makes it. */
function KeyLine({
  appid,
  keys,
  value,
  manageable,
  onChoose,
  hidden,
}: {
  appid: string
  keys: readonly Key[]
  value: Key | undefined
  manageable: boolean
  onChoose: (id: string) => void
  hidden: boolean
}) {
  const t = useTexts(sdkTexts)
  const mayCreate = useMay('ingest.keys') && manageable
  const create = useAction(createIngestKey, { refreshes: [accessGuide] })
  if (hidden) return null
  if (!value)
    return (
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded border bg-surface px-4 py-3">
        <div className="min-w-0 flex-1">
          <div className="font-semibold">{t('noKey')}</div>
          <div className="text-12 text-muted">{t('noKeyHint')}</div>
        </div>
        {mayCreate && (
          <Button
            variant="primary"
            isDisabled={create.isPending}
            onPress={() => create.mutate({ body: { appid, kind: 'enrolment', name: t('keyName') } })}
          >
            {t('createKey')}
          </Button>
        )}
      </div>
    )
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded border bg-surface px-4 py-2">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{t('keyLabel')}</span>
          <CopyText value={value.text} short />
        </div>
        <div className="text-12 text-muted">{t('keyNote')}</div>
      </div>
      {keys.length > 1 && (
        <Select
          label={t('keyLabel')}
          hideLabel
          className="w-44"
          value={value.id}
          items={keys.map(({ id, name }) => ({ id, label: name }))}
          onChange={onChoose}
        />
      )}
    </div>
  )
}
