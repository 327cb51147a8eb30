import { useQuery } from '@tanstack/react-query'
import {
  ArrowRightLeft,
  ChevronDown,
  ChevronUp,
  Globe,
  Link,
  MapPin,
  Pin,
  Route,
  ShieldAlert,
  Smartphone,
  User,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { siteList } from '#contracts/http/sites.ts'
import { eventById } from '#contracts/http/statistics.ts'
import { PAGES } from '#contracts/pages.ts'
import type { Dimension, EventRow, Filter, Query } from '#domain/query.ts'
import {
  EVENT_TYPES,
  type EventType,
  PLACE_PRECISIONS,
  PLACE_SOURCES,
  type PlacePrecision,
  type PlaceSource,
  RISK_TYPES,
  type RiskType,
} from '#domain/vocabulary.ts'
import { call } from '../api/call.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { ChinaMap } from '../charts/china-map.tsx'
import { DeviceMark } from '../devices/device-mark.tsx'
import { formatBytes, formatExact } from '../format/number.ts'
import { phoneName } from '../format/phone-name.ts'
import { formatDateTime } from '../format/time.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { carryQuery } from '../query/query-url.ts'
import { placeText, shortHash, useNameOf } from '../query/value-names.ts'
import { usePlatform } from '../session/platform-store.ts'
import { useMay } from '../session/session-store.ts'
import { Chip } from '../ui/chip.tsx'
import { CopyText, copyToClipboard } from '../ui/copy-text.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LevelMark } from '../ui/level-mark.tsx'
import { MenuButton, type MenuEntry } from '../ui/menu-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { AddressLine } from './address-line.tsx'
import { Facts, Part } from './event-facts.tsx'
import { Payload, payloadText } from './event-payload.tsx'
import { eventTexts } from './event-texts.ts'
import { actionText, delayText, eventLevel, eventParam, eventTitle, isBlocked, readEventParam } from './event-words.ts'

/** Loaded with the first pin. */
const PinEventDialog = lazy(() => import('./pin-event-dialog.tsx'))

/** The list that the event was opened from: its rows so far and how many there are in all. */
export type EventNavigator = { rows: readonly EventRow[]; total: number | undefined }

/**
 * One event: what, where, device and user, reasons, payload. It opens from the address alone; within a list, the head leads to the one
 * before and after. Links carry the query on: `onRows` opens the events of the same device, user, risk or place.
 */
export function EventDrawer({
  event,
  query,
  navigator,
  onOpen,
  onRows,
  onClose,
}: {
  /** `<appid>:<id>`. */
  event: string
  query: Query
  navigator?: EventNavigator
  onOpen: (row: EventRow) => void
  onRows: (query: Query) => void
  onClose: () => void
}) {
  const t = useTexts(eventTexts)
  const language = useLanguage()
  const key = readEventParam(event)
  const known = navigator?.rows.find((row) => eventParam(row) === event)
  const result = useQuery({
    queryKey: ['event', event],
    enabled: key !== null,
    queryFn: ({ signal }) => call(eventById, { query: key as NonNullable<typeof key>, signal }, { quiet: true }),
    ...(known && { placeholderData: { data: known, stored: true } }),
    staleTime: 60_000,
  })
  const row = result.data?.data ?? known
  const index = navigator ? navigator.rows.findIndex((one) => eventParam(one) === event) : -1
  const neighbour = (step: 1 | -1) => (index < 0 ? undefined : navigator?.rows[index + step])
  const goTo = (step: 1 | -1) => {
    const next = neighbour(step)
    if (next) onOpen(next)
  }
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={
        <span className="flex min-w-0 items-center gap-2">
          <span className="flex-none">
            {row && row.type !== 'risk'
              ? t('event', { type: EVENT_TYPES[row.type as EventType]?.[language] ?? row.type })
              : t('attackEvent')}
          </span>
          <span className="min-w-0 font-normal text-muted">
            <CopyText value={key?.id ?? event} short />
          </span>
        </span>
      }
      actions={
        index >= 0 && (
          <>
            <span className="mr-1 text-12 whitespace-nowrap text-muted">
              {index + 1} / {formatExact(navigator?.total ?? navigator?.rows.length ?? 0)}
            </span>
            <IconButton
              label={t('before')}
              hint="k"
              icon={ChevronUp}
              size="small"
              isDisabled={!neighbour(-1)}
              onPress={() => goTo(-1)}
            />
            <IconButton
              label={t('after')}
              hint="j"
              icon={ChevronDown}
              size="small"
              isDisabled={!neighbour(1)}
              onPress={() => goTo(1)}
            />
          </>
        )
      }
      footer={row && <Foot row={row} query={query} onRows={onRows} />}
    >
      {row ? (
        <EventParts row={row} stored={result.data?.stored ?? true} query={query} onRows={onRows} />
      ) : result.error || key === null ? (
        <ErrorState error={result.error ?? new Error(event)} onRetry={() => void result.refetch()} />
      ) : (
        <Skeleton lines={10} height="20px" className="p-5" />
      )}
    </Drawer>
  )
}

function EventParts({
  row,
  stored,
  query,
  onRows,
}: {
  row: EventRow
  stored: boolean
  query: Query
  onRows: (query: Query) => void
}) {
  const t = useTexts(eventTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const nameOf = useNameOf()
  const { data: sites } = useEndpoint(siteList)
  const level = eventLevel(row)
  const site = sites?.data.find((one) => one.id === row.site)
  const payload = payloadText(row)
  const extra = (name: string) => (typeof row.extra[name] === 'string' ? (row.extra[name] as string) : '')
  const moment = new Date(row.occurredAt).toISOString().slice(19, 23)
  return (
    <>
      <section className="border-b px-5 py-3">
        <div className="flex items-center gap-2 text-16/6 font-semibold">
          {level && <LevelMark level={level} size={12} />}
          <span className="min-w-0 flex-1">{eventTitle(row, language)}</span>
          {row.type === 'risk' && (
            <Chip tone="neutral">
              {t(isBlocked(row) ? 'blocked' : 'observed', { action: actionText(row, language) })}
            </Chip>
          )}
        </div>
        <p className="mt-0.5 text-12 text-muted">
          {t('occurred', { time: `${formatDateTime(row.occurredAt, zone, 'second', Date.now())}${moment}` })}
          {language === 'zh' ? '，' : ', '}
          {t('arrived', { delay: delayText(row.receivedAt - row.occurredAt) })}
        </p>
        {!stored && <p className="text-12 text-warn-text">{t('pending')}</p>}
        {row.corrected && <p className="text-12 text-muted">{t('corrected')}</p>}
        {row.imported && <p className="text-12 text-muted">{t('imported')}</p>}
      </section>
      <section className="grid grid-cols-[160px_minmax(0,1fr)] items-start gap-4 border-b px-5 py-3">
        <ChinaMap
          flat
          values={new Map(row.province && row.province !== '0' ? [[row.province, 1]] : [])}
          title={t('place')}
          nameOf={(code) => nameOf('province', code)}
          mark={
            row.lon !== null && row.lat !== null && row.country === 'CN'
              ? { lon: row.lon, lat: row.lat, token: level ? `level-${level}` : 'brand' }
              : null
          }
        />
        <div className="min-w-0">
          <h3 className="mb-2 text-12/4 font-semibold">{t('place')}</h3>
          <p>{placeText(row, nameOf, language)}</p>
          <div className="text-12 text-muted">
            <p>
              {t('precision', {
                value: PLACE_PRECISIONS[row.placePrecision as PlacePrecision]?.[language] ?? row.placePrecision,
              })}
            </p>
            <p>
              {t('source', { value: PLACE_SOURCES[row.placeSource as PlaceSource]?.[language] ?? row.placeSource })}
            </p>
            {row.address && (
              <AddressLine
                key={eventParam(row)}
                row={row}
                onSame={(address) => onRows(only(query, { field: 'address', values: [address] }))}
              />
            )}
            {row.network && <p>{t('network', { value: row.network })}</p>}
            <p>
              {t('site', {
                value: site ? (language === 'en' && site.name_en ? site.name_en : site.name) : t('noSite'),
              })}
            </p>
          </div>
        </div>
      </section>
      <section className="grid grid-cols-2 gap-4 border-b px-5 py-3">
        <div className="min-w-0">
          <h3 className="mb-2 text-12/4 font-semibold">{t('device')}</h3>
          <p>
            {[phoneName(row.brand, row.model), row.os].filter(Boolean).join(language === 'zh' ? '，' : ', ') ||
              t('unknown')}
          </p>
          <HashLink field="device" hash={row.device} query={query} onRows={onRows} />
          <DeviceMark device={row.device} />
        </div>
        <div className="min-w-0">
          <h3 className="mb-2 text-12/4 font-semibold">{t('user')}</h3>
          {row.user ? (
            <HashLink field="user" hash={row.user} query={query} onRows={onRows} />
          ) : (
            <p className="text-muted">{t('noUser')}</p>
          )}
        </div>
      </section>
      <Part title={t('app')}>
        <Facts
          lines={[
            { word: t('app'), value: nameOf('app', row.app) },
            { word: t('version'), value: row.version },
            { word: t('channel'), value: row.channel },
            { word: t('packageName'), value: extra('package_name'), copy: true },
            { word: t('signer'), value: extra('signer'), copy: true },
            { word: t('session'), value: extra('session_id'), copy: true },
            { word: t('sdk'), value: row.sdk },
          ]}
        />
      </Part>
      <Part title={t('reasons')}>
        {row.type === 'risk' && level ? (
          <div className="flex items-center gap-3">
            <span className="w-14 flex-none">
              <LevelMark level={level} />
            </span>
            <span className="min-w-0 flex-1">{RISK_TYPES[row.risk as RiskType]?.[language] ?? row.risk}</span>
            <span className="text-12 text-muted">{t('rule')}</span>
          </div>
        ) : (
          <p className="text-muted">{t('noRule')}</p>
        )}
      </Part>
      <Part
        title={t('payload')}
        note={
          <span className="flex items-center gap-2">
            {formatBytes(new TextEncoder().encode(payload).length)}
            <button
              type="button"
              className="text-brand-text hover:underline"
              onClick={() => void copyToClipboard(payload)}
            >
              {t('copyPayload')}
            </button>
          </span>
        }
      >
        <Payload text={payload} />
      </Part>
    </>
  )
}

function HashLink({
  field,
  hash,
  query,
  onRows,
}: {
  field: 'device' | 'user'
  hash: string
  query: Query
  onRows: (query: Query) => void
}) {
  const t = useTexts(eventTexts)
  return (
    <span className="flex items-center gap-1">
      <button
        type="button"
        className="font-mono text-12 text-brand-text hover:underline"
        title={t(field === 'device' ? 'sameDevice' : 'sameUser')}
        onClick={() => onRows(only(query, { field, values: [hash] }))}
      >
        {shortHash(field, hash)}
      </button>
      <span className="[&_code]:sr-only">
        <CopyText value={hash} />
      </span>
    </span>
  )
}

/** The query narrowed to one value; what it said of the same field before gives way. */
function only(query: Query, { field, values }: { field: Dimension; values: string[] }): Query {
  const filter: Filter = { field, op: 'is', values }
  return { ...query, filters: [...query.filters.filter((one) => one.field !== field || one.op === 'not'), filter] }
}

function Foot({ row, query, onRows }: { row: EventRow; query: Query; onRows: (query: Query) => void }) {
  const t = useTexts(eventTexts)
  const navigate = useNavigate()
  const mayPin = useMay('investigation.edit')
  const [pinning, setPinning] = useState(false)
  const placed: Dimension | null =
    row.city && row.city !== '0' ? 'city' : row.province && row.province !== '0' ? 'province' : null
  const items: MenuEntry[] = [
    {
      id: 'device',
      label: t('sameDevice'),
      icon: Smartphone,
      onAction: () => onRows(only(query, { field: 'device', values: [row.device] })),
    },
    ...(row.user
      ? [
          {
            id: 'user',
            label: t('sameUser'),
            icon: User,
            onAction: () => onRows(only(query, { field: 'user', values: [row.user] })),
          },
        ]
      : []),
    ...(row.risk
      ? [
          {
            id: 'risk',
            label: t('sameRisk'),
            icon: ShieldAlert,
            onAction: () => onRows(only(query, { field: 'risk', values: [row.risk] })),
          },
        ]
      : []),
    ...(placed
      ? [
          {
            id: 'place',
            label: t('samePlace'),
            icon: MapPin,
            onAction: () => onRows(only(query, { field: placed, values: [row[placed as 'city' | 'province']] })),
          },
        ]
      : []),
    {
      id: 'trace',
      label: t('trace'),
      icon: Route,
      onAction: () => void navigate(`${PAGES.investigation.path}?subject=device:${row.device}&apps=all`),
    },
    {
      id: 'maps',
      label: t('observatory'),
      icon: Globe,
      onAction: () => void navigate(`${PAGES.observatory.path}?${carryQuery(query)}`),
    },
  ]
  if (mayPin) items.push({ id: 'pin', label: t('pin'), icon: Pin, onAction: () => setPinning(true) })
  const copyLink = async () => {
    const link = `${location.origin}${location.pathname}?${carryQuery(query)}&event=${encodeURIComponent(eventParam(row))}`
    if (await copyToClipboard(link)) toast.success(t('linkCopied'))
  }
  return (
    <>
      <IconButton label={t('copyLink')} icon={Link} onPress={() => void copyLink()} />
      <span className="ml-auto">
        <MenuButton label={t('goTo')} icon={ArrowRightLeft} items={items} placement="top end" />
      </span>
      {pinning && (
        <Suspense>
          <PinEventDialog row={row} onClose={() => setPinning(false)} />
        </Suspense>
      )}
    </>
  )
}
