import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { abnormalReturn } from '#contracts/http/abnormal-returns.ts'
import { PAGES } from '#contracts/pages.ts'
import type { Query } from '#domain/query.ts'
import { ALL_TIME } from '#domain/time-range.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { DeviceVerdictChip } from '#src/shared/devices/device-verdict-words.tsx'
import { PiratedCopyLink } from '#src/shared/devices/pirated-copy-link.tsx'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { readEventParam } from '#src/shared/events/event-words.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { phoneName } from '#src/shared/format/phone-name.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { abnormalTexts } from './abnormal-texts.ts'
import { BaselineDialog } from './baseline-dialog.tsx'
import { DifferenceTable, differenceLines } from './difference-table.tsx'

const WORDS = { packageName: '', signer: '', channel: '' }

/** One return in full: reported beside baseline, its device, and what else of its version differs. */
export default function AbnCardPage() {
  const t = useTexts(abnormalTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const state = useQueryState({ range: '-7d' })
  const open = useOpenEvents(state)
  const mayEdit = useMay('investigation.edit')
  const [adding, setAdding] = useState(false)
  const named = readEventParam(useParams()['id'] ?? '')
  const result = useEndpoint(abnormalReturn, { query: named ?? { appid: '0', id: '' } }, { enabled: named !== null })
  const { data } = result
  const isMissing = named === null || result.error?.key === 'data.missing'
  const to = (page: 'device_activity' | 'abnormal_returns', query: Query, id = '') =>
    void navigate(`${PAGES[page].path.replace(':id', id)}?${carryQuery(query)}`)
  const body = () => {
    if (isMissing) return <EmptyState kind="missing" title={t('missing')} hint={t('missingHint')} />
    if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
    if (!data) return <Skeleton lines={8} height="24px" className="p-5" />
    const { event, baseline, kinds, verdict, pirated } = data
    const lines = differenceLines(event, baseline, WORDS).filter((line) => line.state !== 'open')
    const count = lines.filter((line) => line.state === 'differs').length
    const version = `${nameOf('app', event.app)} ${event.version}`
    return (
      <div className="grid flex-1 grid-cols-[minmax(0,2fr)_minmax(0,1fr)] max-lg:flex-none max-lg:grid-cols-1">
        <div className="min-w-0 border-r max-lg:border-r-0">
          <Section
            plain
            title={baseline ? t('verdict', { version, all: lines.length, count }) : t('noBaseline', { version })}
            note={formatDateTime(event.occurredAt, zone)}
            actions={
              !baseline &&
              mayEdit && (
                <Button size="small" onPress={() => setAdding(true)}>
                  {t('addFirst')}
                </Button>
              )
            }
          >
            <DifferenceTable event={event} baseline={baseline} isPirated={kinds.includes('pirated')} />
          </Section>
        </div>
        <div className="min-w-0">
          {pirated && (
            <Section plain title={t('pirated')} note={t('piratedNote')} className="border-b max-lg:border-t">
              <p className="flex min-w-0 px-5 pb-4">
                <PiratedCopyLink of={pirated} />
              </p>
            </Section>
          )}
          <Section plain title={t('device')} className="max-lg:border-t">
            <div className="px-5 pb-4">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-semibold">{phoneName(event.brand, event.model) || '–'}</span>
                <code className="text-12 text-muted">{shortHash('device', event.device)}</code>
                {verdict && <DeviceVerdictChip verdict={verdict} />}
              </p>
              <p className="text-12 text-muted">
                {[event.os, event.network, placeText(event, nameOf, language)]
                  .filter(Boolean)
                  .join(language === 'zh' ? '，' : ', ')}
              </p>
              <p className="mt-3 flex flex-wrap gap-2">
                <Button
                  icon={Smartphone}
                  onPress={() => to('device_activity', { ...state.query, range: ALL_TIME, filters: [] }, event.device)}
                >
                  {t('openDevice')}
                </Button>
                <Button onPress={() => open.openEvent(event)}>{t('openEvent')}</Button>
              </p>
            </div>
          </Section>
          <Section plain title={t('context')} className="border-t">
            <ul className="px-5 pb-4">
              <li className="py-1">
                <button
                  type="button"
                  className="text-brand-text hover:underline"
                  onClick={() =>
                    to('abnormal_returns', {
                      ...state.query,
                      filters: [
                        { field: 'app', op: 'is', values: [event.app] },
                        { field: 'version', op: 'is', values: [event.version] },
                      ],
                    })
                  }
                >
                  {t('similar')}
                </button>
              </li>
              <li className="py-1">
                <button
                  type="button"
                  className="text-brand-text hover:underline"
                  onClick={() =>
                    to('abnormal_returns', {
                      ...state.query,
                      range: ALL_TIME,
                      filters: [{ field: 'device', op: 'is', values: [event.device] }],
                    })
                  }
                >
                  {t('sameDevice')}
                </button>
              </li>
            </ul>
          </Section>
        </div>
        {adding && (
          <BaselineDialog
            draft={{ appid: event.app, version: event.version }}
            onClose={() => {
              setAdding(false)
              void result.refetch()
            }}
          />
        )}
      </div>
    )
  }
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={t('card')} />
      <div className="flex flex-1 flex-col border-t">{body()}</div>
      <EventDrawers state={state} />
    </div>
  )
}
