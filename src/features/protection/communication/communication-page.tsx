import { ChartColumn, FlaskConical, Plus, ShieldCheck, Table2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link } from 'react-router-dom'
import { type CommunicationKey, communicationOverview } from '#contracts/http/communication.ts'
import { PAGES } from '#contracts/pages.ts'
import { GATEWAY_POLICIES, REFUSAL_REASONS } from '#domain/communication.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { FacetBars } from '#src/shared/charts/facet-bars.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { PlainTable } from '../parts/plain-table.tsx'
import { communicationTexts } from './communication-texts.ts'
import { Figures, type Overview } from './figures.tsx'
import { GatewayList } from './gateway-list.tsx'
import { CreateKeyDialog, PolicyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { isAccepted, KeyTable } from './key-table.tsx'
import { RequestsChart } from './requests-chart.tsx'
import { RotationBar } from './rotation-bar.tsx'

const REFRESH_MS = 10_000

/** /protect/communication: keys of applications, what gateways count, and rotations that run (COMM-02). */
export default function CommunicationPage() {
  return (
    <PermittedPage page="communication_protection" permission="communication.protect">
      <Communication />
    </PermittedPage>
  )
}

type Open = { kind: 'create' } | { kind: 'policy' } | { kind: 'rotate'; item: CommunicationKey }

function Communication() {
  const t = useTexts(communicationTexts)
  const language = useLanguage()
  const application = useCurrentApplication()
  const [open, setOpen] = useState<Open | null>(null)
  const answer = useEndpoint(
    communicationOverview,
    { query: application ? { appid: application.id } : {} },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const onRotate = useCallback((item: CommunicationKey) => setOpen({ kind: 'rotate', item }), [])
  const data = answer.data?.data
  const policyWord = data && GATEWAY_POLICIES[data.policy][language]
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.communication_protection[language]}
        note={
          data &&
          t('note', {
            apps: new Set(data.keys.map(({ appid }) => appid)).size,
            keys: data.keys.filter(isAccepted).length,
          })
        }
        actions={
          data && (
            <>
              <Link to={PAGES.security_component.path} className={buttonClass('quiet')}>
                <Icon of={FlaskConical} />
                {t('component')}
              </Link>
              <Button
                icon={ShieldCheck}
                isDisabled={!data.may_set_policy}
                {...(!data.may_set_policy && { title: t('policyOnlyAdmin') })}
                onPress={() => setOpen({ kind: 'policy' })}
              >
                {t('policy', { policy: policyWord })}
              </Button>
              <Button
                variant="primary"
                icon={Plus}
                isDisabled={data.without_key.length === 0}
                {...(data.without_key.length === 0 && { title: t('createNote') })}
                onPress={() => setOpen({ kind: 'create' })}
              >
                {t('create')}
              </Button>
            </>
          )
        }
      />
      {answer.error && !data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : data ? (
        <Content data={data} onRotate={onRotate} onCreate={() => setOpen({ kind: 'create' })} />
      ) : (
        <Skeleton lines={10} height="24px" className="p-5" />
      )}
      {data && open?.kind === 'create' && (
        <CreateKeyDialog
          applications={data.without_key}
          chosen={application?.id ?? null}
          onClose={() => setOpen(null)}
        />
      )}
      {data && open?.kind === 'policy' && <PolicyDialog policy={data.policy} onClose={() => setOpen(null)} />}
      {open?.kind === 'rotate' && <RotateKeyDialog item={open.item} onClose={() => setOpen(null)} />}
    </div>
  )
}

function Content({
  data,
  onRotate,
  onCreate,
}: {
  data: Overview
  onRotate: (item: CommunicationKey) => void
  onCreate: () => void
}) {
  const t = useTexts(communicationTexts)
  const [shown, setShown] = useState<'valid' | 'all'>('valid')
  const accepted = data.keys.filter(isAccepted)
  const rotations = data.keys.flatMap((old) => {
    const next = old.state === 'retiring' && data.keys.find(({ kid }) => kid === old.replaced_by)
    return next ? [{ old, next }] : []
  })
  const rows = shown === 'valid' ? accepted : data.keys
  return (
    <>
      <Figures data={data} />
      <Traffic data={data} />
      <GatewayList gateways={data.gateways} />
      <Section
        plain
        title={t('keys')}
        note={t('keysNote')}
        className="flex-1 border-t"
        actions={
          data.keys.length > 0 && (
            <SegmentedControl
              size="small"
              label={t('show')}
              value={shown}
              onChange={setShown}
              items={[
                { id: 'valid', label: t('valid', { count: accepted.length }) },
                { id: 'all', label: t('all', { count: data.keys.length }) },
              ]}
            />
          )
        }
      >
        {rows.length === 0 ? (
          <EmptyState
            kind="none"
            title={t('noKeys')}
            hint={t(data.without_key.length > 0 ? 'noKeysHint' : 'noApplications')}
            action={data.without_key.length > 0 && <Button onPress={onCreate}>{t('create')}</Button>}
          />
        ) : (
          <KeyTable keys={rows} now={data.now} onRotate={onRotate} />
        )}
      </Section>
      {rotations.map(({ old, next }) => (
        <RotationBar key={old.kid} old={old} next={next} now={data.now} />
      ))}
    </>
  )
}

/** Requests and refusals over time, and why messages were refused. */
function Traffic({ data }: { data: Overview }) {
  const t = useTexts(communicationTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const [isTable, setIsTable] = useState(false)
  const { figures, reasons, slots } = data
  const isQuiet = figures.requests === 0 && figures.refused === 0
  return (
    <div className="grid flex-none grid-cols-[minmax(0,1fr)_380px] max-lg:grid-cols-1">
      <Section
        plain
        title={t('chart')}
        note={t('chartNote')}
        className="border-r max-lg:border-r-0"
        actions={
          !isQuiet && (
            <IconButton
              size="small"
              label={t(isTable ? 'asChart' : 'asTable')}
              icon={isTable ? ChartColumn : Table2}
              onPress={() => setIsTable(!isTable)}
            />
          )
        }
      >
        {isQuiet ? (
          <EmptyState kind="range" title={t('noTraffic')} hint={t('noTrafficHint')} />
        ) : isTable ? (
          <div className="max-h-56 overflow-y-auto">
            <PlainTable
              label={t('chart')}
              rows={slots}
              rowKey={({ at }) => String(at)}
              columns={[
                { id: 'time', title: t('time'), cell: ({ at }) => formatDateTime(at, zone, 'minute') },
                { id: 'requests', title: t('count'), cell: ({ requests }) => formatExact(requests) },
                { id: 'refused', title: t('refused'), cell: ({ refused }) => formatExact(refused) },
              ]}
            />
          </div>
        ) : (
          <RequestsChart slots={slots} />
        )}
      </Section>
      <Section
        plain
        title={t('reasons')}
        note={t('reasonsNote')}
        className="max-lg:border-t"
        bodyClassName="px-3.5 pb-3"
      >
        {reasons.length === 0 ? (
          <EmptyState kind="none" icon={ShieldCheck} title={t('noRefusals')} />
        ) : (
          <FacetBars
            label={t('reasons')}
            items={reasons.slice(0, 8).map(({ reason, count }) => ({
              key: reason,
              label: REFUSAL_REASONS[reason]?.[language] ?? reason,
              value: count,
              share: figures.refused === 0 ? 0 : count / figures.refused,
            }))}
          />
        )}
        <p className="mt-auto px-1.5 pt-2 text-12 text-muted">{t('uniform')}</p>
      </Section>
    </div>
  )
}
