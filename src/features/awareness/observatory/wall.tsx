import './alert/wall-alert.css'
import './wall-cards.css'
import './wall-over.css'
import './wall.css'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import type { Site } from '#contracts/http/sites.ts'
import type { Alert } from '#domain/alerts.ts'
import type { Filter } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { eventTitle, isBlocked } from '../../../shared/events/event-words.ts'
import { formatExact } from '../../../shared/format/number.ts'
import { useLanguage, useTexts } from '../../../shared/i18n/texts.ts'
import type { ConnectionState } from '../../../shared/live/connection-store.ts'
import { storedUntil } from '../../../shared/live/store-lag.ts'
import type { WallSource, WallView } from '../../../shared/live/wall-view.ts'
import type { Geo } from '../../../shared/map/geo-data.ts'
import type { Places } from '../../../shared/map/places.ts'
import { useNameOf } from '../../../shared/query/value-names.ts'
import { useActions } from '../../../shared/ui/actions.ts'
import { copyToClipboard } from '../../../shared/ui/copy-text.tsx'
import { toast } from '../../../shared/ui/toast.ts'
import { AccessibleMapList } from './accessible-map-list.tsx'
import { AlertBanner, AlertCount } from './alert/alert-banner.tsx'
import { useAlertFocus, useScars } from './alert/use-alert-focus.ts'
import type { AlertNumbers, WallAlert } from './alert/use-wall-alert.ts'
import { AttacksCard } from './attacks-card.tsx'
import { FeedCard, placeOf } from './feed-card.tsx'
import { Header, State } from './header.tsx'
import { Legend } from './legend.tsx'
import { detectGraphics } from './map/graphics.ts'
import { MapBreadcrumb } from './map-breadcrumb.tsx'
import { type MapActions, MapView } from './map-view.tsx'
import { PhoneWall } from './phone-wall.tsx'
import { PresenceCard } from './presence-card.tsx'
import { RankedCard, Tabs } from './ranked-card.tsx'
import type { FetchWindow } from './replay/replay-window.ts'
import { momentFacts } from './share/moment-facts.ts'
import { momentLink } from './share/moment-link.ts'
import { SouthChinaSea } from './south-china-sea.tsx'
import { LowPowerBanner, MissingLines, PausedBanner, RevokedBanner, StaleBanner } from './status-banners.tsx'
import { type MapsTranslate, mapsTexts } from './texts.ts'
import { barSpan } from './time-axis.ts'
import { TimelinePanel } from './timeline-panel.tsx'
import { UltrawideLeftColumn, UltrawideRightColumn, useUltrawideStatistics } from './ultrawide-columns.tsx'
import { useFirstAttack } from './use-first-attack.ts'
import { useLayoutUnit } from './use-layout-unit.ts'
import { useLowPower } from './use-low-power.ts'
import { useMedia } from './use-media.ts'
import type { PiratedPlaces } from './use-pirated-places.ts'
import { useScrub } from './use-scrub.ts'
import { useShades } from './use-shades.ts'
import type { WallStatistics } from './use-wall-statistics.ts'
import { ASSET_LISTS, flatScene, PLACE_LISTS, type ViewState } from './view-state.ts'
import { type WallContext, WallProvider } from './wall-context.ts'

export type WallProps = {
  geo: Geo | null
  /** Loads the map data again, where that failed. */
  geoFailed: (() => void) | null
  places: Places | null
  source: WallSource
  view: WallView
  connection: ConnectionState
  statistics: WallStatistics
  /** The alert whose turn it is; how many there are. */
  alert: WallAlert | null
  alertNumbers: AlertNumbers | null
  /** Alerts of the last time, over or not. */
  recent: readonly Alert[]
  alertsPath: string | null
  /** The camera goes to a critical alert: on walls. */
  jumps: boolean
  state: ViewState
  setView: (change: Partial<ViewState>, replace?: boolean) => void
  sites: readonly Site[]
  zone: string
  product: string
  viewName: string
  /** Devices with pirated copies; undefined while they are read, null where they cannot be. */
  pirated: PiratedPlaces | null | undefined
  demo: boolean
  approval: string | null
  /** What is counted: chips and the drilled province. */
  filters: Filter[]
  filtered: boolean
  pick: WallContext['pick']
  open: WallContext['open']
  home: string | null
  /** Reads stored attacks for the time line's pointer; null for a display token. */
  readPast: FetchWindow | null
  /** Address of a page that shows the same events of a span. */
  linkTo: ((page: 'realtime' | 'attack_analysis', span: Span) => string) | null
  /** The pointer has not moved for a while: it is hidden. */
  idle: boolean
  /** Offset of the picture, px. */
  shift: readonly [x: number, y: number]
  bar: ReactNode
  controls: {
    togglePause: () => void
    catchUp: () => void
    replaySpan: (span: Span) => void
    toLive: () => void
    retry: () => void
  }
  now: () => number
}

const GlobeView = lazy(() => import('./globe/globe-view.tsx'))
const StoryCard = lazy(() => import('./story/story-card.tsx'))
const PiratedCard = lazy(() => import('./pirated-card.tsx'))
const NO_ALERTS: readonly Alert[] = []
/** Longer side of a shared picture. */
const PICTURE_PX = 3840
const STALE = ['stale', 'offline']

/** The observatory: one layout for wall and console, live and replay; every part reads the same view. */
export function Wall(props: WallProps) {
  const { geo, places, source, view, connection, state, setView, sites, bar, controls, statistics } = props
  const t: MapsTranslate = useTexts(mapsTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const root = useRef<HTMLDivElement>(null)
  const probe = useRef<HTMLElement>(null)
  const zone = useRef<HTMLDivElement>(null)
  const unit = useLayoutUnit(probe)
  const lowPower = useLowPower(state.graphics)
  const [marked, setMarked] = useState<string | null>(null)
  const [drawn, setDrawn] = useState(0)
  const [lowSeen, setLowSeen] = useState(false)
  const replaying = view.replay !== null
  const totalsKind = view.totals.kind === 'awaited' ? 'awaited' : 'whole'
  const totalsAt = view.totals.kind === 'remembered' ? view.totals.at : null
  const { now } = props
  const stored = useMemo(() => storedUntil(connection.status?.backlog.seconds ?? 0, now()), [connection.status, now])
  const context: WallContext = useMemo(
    () => ({
      t,
      language,
      zone: props.zone,
      nameOf,
      unit,
      replaying,
      filtered: props.filtered,
      pick: props.pick,
      open: props.open,
      totals: totalsAt === null ? { kind: totalsKind } : { kind: 'remembered', at: totalsAt },
      storedUntil: stored,
      alert: props.alert,
    }),
    [
      t,
      language,
      props.zone,
      nameOf,
      unit,
      replaying,
      props.filtered,
      props.pick,
      props.open,
      totalsKind,
      totalsAt,
      stored,
      props.alert,
    ],
  )
  const provinceCodes = useMemo(() => geo?.provinces.features.map(({ properties }) => properties.id) ?? [], [geo])
  // A phone has no room for the card that says what the shades are: it stays with attacks.
  const small = useMedia('(max-width: 600px)')
  const isPirated = state.scope === 'pirated' && !small
  const { shades, inset: insetShades } = useShades(
    view,
    isPirated ? props.pirated : 'attacks',
    state.scope,
    provinceCodes,
  )
  const focus = useAlertFocus(props.alert, { sites, geo, places, nameOf, jumps: props.jumps })
  const scars = useScars(view.replay ? NO_ALERTS : props.recent, { places, nameOf, zone: props.zone, now: props.now })
  const spans = useMemo(
    () =>
      props.recent
        .filter(({ silenced }) => !silenced)
        .map(({ id, from, to, severity }) => ({ id, from, to, level: severity })),
    [props.recent],
  )
  const enter = useCallback((scope: string) => setView({ scope, camera: null }), [setView])
  const capture = useRef<((wide: number) => Promise<CanvasImageSource[]>) | null>(null)
  const setCaptureRef = useCallback((next: typeof capture.current) => {
    capture.current = next
  }, [])
  const actions: MapActions = useMemo(
    () => ({ setCamera: (camera) => setView({ camera }, true), enter, onDrawn: setDrawn, onCapture: setCaptureRef }),
    [setView, enter, setCaptureRef],
  )
  const stale = STALE.includes(connection.state) && !view.replay
  const { counters, tops } = view
  const total = counters.attacksToday
  const abroad = view.countries.reduce((sum, [code, count]) => (code === 'CN' ? sum : sum + count), 0)
  const graphics = detectGraphics()
  const ultraWide = useMedia('(min-aspect-ratio: 13/5)')
  const far = useUltrawideStatistics(props.filters, ultraWide && !view.replay)

  const approval = props.approval ? t('approval', { number: props.approval }) : t('noApproval')
  const scrub = useScrub(props.readPast, props.now)
  const first = useFirstAttack(view)
  const { moment } = scrub
  const share = useCallback(async () => {
    if (!root.current) return
    const { momentPicture, savePicture } = await import('./share/moment-picture.ts')
    const copied = await copyToClipboard(momentLink(location.href, state, view.at))
    const facts = momentFacts(
      view,
      { t, language, zone: props.zone, nameOf },
      {
        product: props.product,
        view: props.viewName,
        title: titleOf(t, view, state, nameOf),
        filters: props.filters,
        notes: [approval, props.demo ? t('demo') : ''],
      },
    )
    const picture = await momentPicture(root.current, (await capture.current?.(PICTURE_PX)) ?? [], facts)
    savePicture(picture, `appwarden-${new Date(view.at).toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}.png`)
    if (copied) toast.success(t('shared'))
  }, [state, view, props.product, props.viewName, props.filters, props.zone, props.demo, approval, language, nameOf, t])
  useActions(
    props.linkTo
      ? [
          {
            id: 'maps.share',
            label: t('shareMoment'),
            group: t('group'),
            keys: 'm',
            run: () => void share().catch(() => toast.error(t('shareFailed'))),
          },
        ]
      : [],
  )
  const flat = useMemo(
    () => flatScene(small && state.scope === 'pirated' ? { ...state, scope: 'china' } : state),
    [small, state],
  )
  const globe = state.scope === 'globe' && !lowPower.on
  const map =
    globe && geo && places ? (
      <Suspense fallback={null}>
        <GlobeView
          geo={geo}
          places={places}
          source={source}
          view={view}
          shades={shades}
          sites={sites}
          zone={zone}
          onDrawn={setDrawn}
          now={props.now}
        />
      </Suspense>
    ) : geo && places && graphics.renderer !== null ? (
      <MapView
        key={lowPower.on ? 'points' : 'arcs'}
        geo={geo}
        places={places}
        source={source}
        view={view}
        state={flat}
        shades={shades}
        sites={sites}
        lowPower={lowPower.on}
        isCounted={!isPirated}
        zone={zone}
        marked={marked}
        onMark={setMarked}
        actions={actions}
        focus={focus}
        scars={scars}
        past={moment?.arcs ?? null}
        now={props.now}
      />
    ) : null
  const alerts = !view.replay && <AlertCount numbers={props.alertNumbers} to={props.alertsPath} />
  const banner = props.alert && <AlertBanner shown={props.alert} now={props.now} jumps={focus?.box !== undefined} />
  const inset = geo && <SouthChinaSea geo={geo} shades={insetShades.provinces} label={t('southChinaSea')} />
  const notices = (
    <>
      {moment && (
        <p className="wall-line wall-amber" role="status" data-testid="scrub">
          {t('scrubbed', {
            span: barSpan(moment.from, moment.to - moment.from, props.zone),
            count: formatExact(moment.attacks),
          })}
        </p>
      )}
      {scrub.isUnreadable && (
        <p className="wall-line wall-amber" role="status">
          {t('scrubUnreadable')}
        </p>
      )}
      {first && (
        <p className="wall-line" role="status" data-testid="first-attack">
          <b>{t('firstAttack')}</b> {eventTitle(first, language)} · {placeOf(first, nameOf)} ·{' '}
          {t(isBlocked(first) ? 'blocked' : 'observed')}
        </p>
      )}
      <MissingLines view={view} connection={connection} />
      {connection.state === 'revoked' && <RevokedBanner reason={connection.reason} onRetry={controls.retry} />}
      {stale && <StaleBanner view={view} connection={connection} />}
      {view.mode === 'paused' && (
        <PausedBanner view={view} onJump={controls.togglePause} onCatchUp={controls.catchUp} />
      )}
      {lowPower.on && bar !== null && !lowSeen && !small && view.mode === 'live' && !stale && (
        <LowPowerBanner
          why={lowPower.why}
          onFull={() => setView({ graphics: 'full' })}
          onClose={() => setLowSeen(true)}
        />
      )}
    </>
  )
  const modes = {
    'data-theme': 'dark',
    'data-mode': view.mode,
    ...(props.alert && { 'data-alert': props.alert.alert.severity }),
    ...(bar && { 'data-console': true }),
    ...(moment && { 'data-scrub': true }),
    ...(stale && { 'data-stale': true }),
    ...(lowPower.on && { 'data-low': true }),
  }

  if (small)
    return (
      <WallProvider value={context}>
        <div ref={root} className="wall phone" {...modes}>
          <i className="wall-probe" ref={probe} />
          <PhoneWall
            view={view}
            statistics={statistics}
            title={titleOf(t, view, state, nameOf)}
            name={props.viewName}
            state={<State view={view} connection={connection} />}
            alerts={alerts}
            bar={bar}
            map={map}
            zone={zone}
            inset={inset}
            notices={notices}
            banner={banner}
            approval={approval}
            marked={marked}
            onMark={setMarked}
            linked={props.linkTo !== null}
          />
        </div>
      </WallProvider>
    )
  return (
    <WallProvider value={context}>
      <div
        ref={root}
        className="wall"
        {...modes}
        {...(props.idle && { 'data-idle': true })}
        style={{ translate: `${props.shift[0]}px ${props.shift[1]}px` }}
      >
        <i className="wall-probe" ref={probe} />
        {map}
        <Header
          product={props.product}
          name={props.viewName}
          demo={props.demo}
          view={view}
          connection={connection}
          lowPower={lowPower.on}
          home={props.home}
          alerts={alerts}
          now={props.now}
        />
        {bar}
        <main className="wall-over" ref={zone} aria-label={t('map')}>
          {banner}
          <MapBreadcrumb scope={state.scope} onEnter={enter} />
          {isPirated && !props.alert && (
            <Suspense fallback={null}>
              <PiratedCard found={props.pirated} />
            </Suspense>
          )}
          {props.idle &&
            !isPirated &&
            !view.replay &&
            view.totals.kind === 'whole' &&
            !props.alert &&
            !stale &&
            view.mode === 'live' && (
              <Suspense fallback={null}>
                <StoryCard filters={props.filters} linked={props.linkTo !== null} now={props.now} />
              </Suspense>
            )}
          {graphics.renderer === null && <Unable title={t('noWebgl')} why={t('noWebglWhy')} />}
          {props.geoFailed && (
            <Unable title={t('noGeo')} why="">
              <button type="button" className="wall-button" data-main onClick={props.geoFailed}>
                {t('retry')}
              </button>
            </Unable>
          )}
          <div className="wall-centre">{notices}</div>
          <Legend
            view={view}
            breaks={shades.breaks}
            areShadesRead={isPirated ? Boolean(props.pirated) : totalsKind === 'whole'}
            shadesOf={isPirated ? 'byPirated' : state.layers.includes('choropleth') ? shades.of : null}
            minuteCounts={lowPower.on && !replaying && state.scope === 'china'}
          />
          <div className="wall-corner" data-obstacle>
            <p className="wall-muted" data-testid="approval">
              {approval}
            </p>
            {state.scope !== 'world' && state.scope !== 'globe' && (
              <>
                <p>{t('southChinaSea')}</p>
                {inset}
              </>
            )}
          </div>
          <AccessibleMapList view={view} scope={state.scope} onEnter={enter} />
        </main>
        {ultraWide && <UltrawideLeftColumn view={view} statistics={far} />}
        <aside className="wall-sheet wall-left">
          <AttacksCard view={view} title={titleOf(t, view, state, nameOf)} />
          <RankedCard title={t('riskTypes')} field="risk" list={tops.risk} total={total} rest most={7} />
          <PresenceCard view={view} statistics={statistics} />
        </aside>
        <aside className="wall-sheet wall-right">
          <FeedCard feed={view.feed} ready={view.ready} marked={marked} onMark={setMarked} />
          <RankedCard
            title={t('places')}
            field={state.places}
            list={tops[state.places]}
            total={total}
            most={8}
            tabs={
              props.pick ? (
                <Tabs
                  label={t('places')}
                  items={PLACE_LISTS.map((id) => ({ id, label: t(id) }))}
                  value={state.places}
                  onChange={(places) => setView({ places })}
                />
              ) : undefined
            }
            foot={
              <>
                <span>{t('abroad', { count: abroad })}</span>
                <span data-testid="no-place">{t('noPlace', { count: view.noPlace })}</span>
              </>
            }
          />
          <RankedCard
            title={t(state.assets === 'app' ? 'apps' : state.assets === 'device' ? 'devices' : 'versions')}
            field={state.assets}
            list={tops[state.assets]}
            total={total}
            most={6}
            tabs={
              props.pick ? (
                <Tabs
                  label={t('apps')}
                  items={ASSET_LISTS.map((id) => ({ id, label: t(id) }))}
                  value={state.assets}
                  onChange={(assets) => setView({ assets })}
                />
              ) : undefined
            }
          />
        </aside>
        {ultraWide && <UltrawideRightColumn view={view} statistics={far} />}
        <TimelinePanel
          view={view}
          source={source}
          state={state}
          setView={setView}
          drawn={drawn}
          spans={spans}
          onScrub={scrub.want}
          linkTo={props.linkTo}
          onReplay={props.pick ? controls.replaySpan : null}
          toLive={controls.toLive}
        />
      </div>
    </WallProvider>
  )
}

function titleOf(t: WallContext['t'], view: WallView, state: ViewState, nameOf: WallContext['nameOf']): string {
  const title = t(view.replay ? 'attacksWindow' : 'attacksToday')
  return /^\d{6}$/.test(state.scope) ? `${nameOf('province', state.scope)} ${title}` : title
}

function Unable({ title, why, children }: { title: string; why: string; children?: ReactNode }) {
  return (
    <section className="wall-notice wall-unable" role="alert">
      <h3>{title}</h3>
      <p>{why}</p>
      {children}
    </section>
  )
}
