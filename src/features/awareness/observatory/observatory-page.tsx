import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { applicationList } from '#contracts/http/applications.ts'
import { liveTicket, replay as replayEndpoint } from '#contracts/http/observatory.ts'
import { siteList } from '#contracts/http/sites.ts'
import { PAGES } from '#contracts/pages.ts'
import type { Query } from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { call } from '../../../shared/api/call.ts'
import { useEndpoint } from '../../../shared/api/use-endpoint.ts'
import { EventDrawer } from '../../../shared/events/event-drawer.tsx'
import { translate, useLanguage, useTexts } from '../../../shared/i18n/texts.ts'
import { connectLive } from '../../../shared/live/live-connection.ts'
import { useConnection, useWallFeed, useWallView } from '../../../shared/live/use-live.ts'
import { addFilter, carryQuery } from '../../../shared/query/query-url.ts'
import { useQueryState } from '../../../shared/query/use-query-state.ts'
import { useApplications } from '../../../shared/session/application-store.ts'
import { displayToken } from '../../../shared/session/display-token.ts'
import { usePlatform } from '../../../shared/session/platform-store.ts'
import { useMay } from '../../../shared/session/session-store.ts'
import { applyAppearance } from '../../../shared/theme/appearance.ts'
import { useActions } from '../../../shared/ui/actions.ts'
import { useEscapeLayer } from '../../../shared/ui/use-escape-layer.ts'
import { alertWallTexts } from './alert/alert-wall-texts.ts'
import { useWallAlert } from './alert/use-wall-alert.ts'
import { FilterBar } from './filter-bar.tsx'
import { createReplay } from './replay/replay.ts'
import { ScreenReaderAnnouncer } from './screen-reader-announcer.tsx'
import { mapsTexts } from './texts.ts'
import { useGeo } from './use-geo.ts'
import { useLowPower } from './use-low-power.ts'
import { usePiratedPlaces } from './use-pirated-places.ts'
import { useRotation } from './use-rotation.ts'
import { useWallMode } from './use-wall-mode.ts'
import { useWallStatistics } from './use-wall-statistics.ts'
import { isProvince, LAYERS, topicFilters, type ViewState, viewFromParams, viewToParams } from './view-state.ts'
import { Wall } from './wall.tsx'

const HOUR = 3_600_000
const NO_SITES: never[] = []
const getTicket = async () => (await call(liveTicket, { body: {} }, { quiet: true })).ticket

/** The observatory: joins address, live feed, replay and store to one wall. */
export default function MapsPage() {
  const t = useTexts(mapsTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const token = displayToken() !== null
  const query = useQueryState({ range: 'today', timeBasis: 'received' })
  const [, setSearch] = useSearchParams()
  const state = useMemo(() => viewFromParams(query.params), [query.params])
  const latest = useRef({ query, state })
  latest.current = { query, state }
  const setView = useCallback((change: Partial<ViewState>, replace = false) => {
    const { query: now, state: before } = latest.current
    now.setParams(viewToParams({ ...before, ...change }), replace)
  }, [])
  const platform = usePlatform()
  const { geo, places, failed, retry } = useGeo()
  const { data: sites } = useEndpoint(siteList, {}, { refetchInterval: 60_000 })
  // A wall without a session has no shell that loads the names of applications.
  const apps = useEndpoint(applicationList, {}, { enabled: token, refetchInterval: 60_000 })
  useEffect(() => {
    if (token && apps.data) useApplications.setState({ list: apps.data.object_list, current: 'all' })
  }, [token, apps.data])
  const connection = connectLive({ getTicket })
  const link = useConnection(connection, (all) => all)
  const filtersKey = JSON.stringify(topicFilters(query.query.filters, state.scope))
  const filters = useMemo(() => JSON.parse(filtersKey) as Query['filters'], [filtersKey])
  const live = useWallFeed(connection, filters, platform.zone)
  const replay = useReplay(state, filters)
  const source = replay ?? live
  const view = useWallView(source)
  const now = useCallback(() => Date.now() + connection.state.getState().clockOffset, [connection])
  const statistics = useWallStatistics(filters, state.mode !== 'replay', now(), platform.zone)
  const onWall = state.wall || token
  const alertTexts = useTexts(alertWallTexts)
  const readPast = useMemo(
    () =>
      token
        ? null
        : async (from: number, to: number) =>
            (await call(replayEndpoint, { body: { filters, from, to } }, { quiet: true })).data,
    [token, filters],
  )
  const alert = useWallAlert({
    connection,
    live: state.mode === 'live' && state.event === null,
    token,
    sites: sites?.data ?? NO_SITES,
    now,
    texts: { acknowledge: alertTexts('acknowledge'), stay: alertTexts('stay'), group: t('group') },
  })
  const wall = useWallMode({ on: onWall, token, leave: () => setView({ wall: false }) })
  const lowPower = useLowPower(state.graphics)
  const mayPirated = useMay('monitor.view')
  const pirated = usePiratedPlaces(onWall || state.scope === 'pirated', token || mayPirated)
  const rotation = useRotation({
    token,
    on: onWall,
    search: query.params,
    go: setSearch,
    scenes: {
      ...(!lowPower.on && { globe: t('globe') }),
      ...(pirated && pirated.devices > 0 && { pirated: t('pirated') }),
    },
  })

  // The address says whether the wall is paused; the feed is paused once it has data.
  const { ready } = view
  useEffect(() => {
    const { mode } = live.view()
    if (state.mode === 'paused' && ready && mode !== 'paused') live.pause()
    if (state.mode === 'live' && mode === 'paused') live.resume('jump')
  }, [live, state.mode, ready])

  useEffect(() => {
    document.documentElement.dataset['theme'] = 'dark'
    return applyAppearance
  }, [])

  const toLive = useCallback(() => setView({ mode: 'live', window: null, offset: 0 }), [setView])
  const replaySpan = useCallback(
    (span: Span) => setView({ mode: 'replay', window: { from: span.from, to: Math.min(span.to, now()) }, offset: 0 }),
    [setView, now],
  )
  const togglePause = useCallback(() => {
    if (latest.current.state.mode === 'live') return setView({ mode: 'paused' })
    live.resume('jump')
    toLive()
  }, [live, setView, toLive])
  const catchUp = useCallback(() => {
    live.resume('catch-up')
    setView({ mode: 'live' }, true)
  }, [live, setView])
  const shift = (direction: -1 | 1) => {
    const { window } = latest.current.state
    const length = window ? window.to - window.from : HOUR
    const from =
      (window?.from ?? Math.floor(now() / 60_000) * 60_000 - (direction < 0 ? 0 : length)) + direction * length
    if (from + length > now()) return window ? toLive() : undefined
    replaySpan({ from, to: from + length })
  }
  const goUp = () => setView({ scope: 'china', camera: null })
  useEscapeLayer(isProvince(state.scope) && !token, goUp)

  useActions(
    token
      ? [{ id: 'wall.full', label: t('fullscreen'), group: t('group'), keys: 'f', run: wall.toggleFullscreen }]
      : [
          { id: 'maps.pause', label: t('livePause'), group: t('group'), keys: 'l', run: togglePause },
          { id: 'maps.earlier', label: t('earlier'), group: t('group'), keys: '[', run: () => shift(-1) },
          { id: 'maps.later', label: t('later'), group: t('group'), keys: ']', run: () => shift(1) },
          {
            id: 'maps.wall',
            label: t('wallMode'),
            group: t('group'),
            keys: 'w',
            run: () => setView({ wall: !state.wall }),
          },
          {
            id: 'maps.play',
            label: `${t('replayTitle')}: ${t('play')} / ${t('pause')}`,
            group: t('group'),
            keys: 'p',
            isDisabled: !replay,
            run: () => (view.replay?.playing ? replay?.pause() : replay?.play()),
          },
          ...LAYERS.map((layer, i) => ({
            id: `maps.layer.${layer}`,
            label: `${t('layers')}: ${t(`layer_${layer}`)}`,
            group: t('group'),
            keys: String(i + 1),
            run: () =>
              setView({
                layers: LAYERS.filter((one) =>
                  one === layer ? !state.layers.includes(layer) : state.layers.includes(one),
                ),
              }),
          })),
        ],
  )

  const pick = useMemo(
    () =>
      token
        ? null
        : (...[field, value, exclude]: Parameters<typeof query.pick>) => {
            const { query: current } = latest.current
            // A second press takes the filter off again.
            const one = typeof value === 'string' ? value : ''
            const at = current.query.filters.findIndex(
              ({ field: of, op, values }) => of === field && op === 'is' && values.length === 1 && values[0] === one,
            )
            if (at >= 0 && !exclude) return current.removeFilter(at)
            current.set({ filters: addFilter(current.query.filters, field, [one], exclude) })
          },
    [token],
  )
  const open = useMemo(
    () =>
      token
        ? null
        : ({ app, id }: { app: string; id: string }) =>
            setView({ event: { app, id } }, latest.current.state.event !== null),
    [token, setView],
  )
  const linkTo = (page: 'realtime' | 'attack_analysis', span: Span) =>
    `${PAGES[page].path}?${carryQuery({ range: absoluteRange(span), timeBasis: 'received', compare: 'none', filters })}`
  const drawerQuery: Query = {
    range: state.window ? absoluteRange(state.window) : 'today',
    timeBasis: 'received',
    compare: 'none',
    filters,
  }

  return (
    <>
      <Wall
        geo={geo}
        geoFailed={failed ? retry : null}
        places={places}
        source={source}
        view={view}
        connection={link}
        statistics={statistics}
        alert={alert.shown}
        alertNumbers={alert.numbers}
        recent={alert.recent}
        alertsPath={onWall ? null : PAGES.alerts.path}
        jumps={onWall}
        state={state}
        setView={setView}
        sites={sites?.data ?? NO_SITES}
        zone={platform.zone}
        product={platform.product}
        viewName={rotation.name ?? t('view')}
        pirated={pirated}
        demo={platform.demo || link.status?.demo === true}
        approval={platform.mapApproval}
        filters={filters}
        filtered={filters.length > 0}
        pick={pick}
        open={open}
        home={token || state.wall ? null : PAGES.home.path}
        readPast={readPast}
        linkTo={token ? null : linkTo}
        idle={wall.idle}
        shift={wall.shift}
        bar={
          state.wall || token ? null : (
            <FilterBar
              query={query}
              state={state}
              setView={setView}
              onWall={() => setView({ wall: true })}
              onFullscreen={wall.toggleFullscreen}
              onLeave={() => void navigate(PAGES.home.path)}
            />
          )
        }
        controls={{ togglePause, catchUp, replaySpan, toLive, retry: () => connection.reconnect() }}
        now={now}
      />
      {!view.replay && (
        <ScreenReaderAnnouncer
          feed={view.feed}
          language={language}
          text={(risk, place) => translate(mapsTexts, 'critical', { risk, place })}
        />
      )}
      {state.event && !token && (
        <EventDrawer
          event={`${state.event.app}:${state.event.id}`}
          query={drawerQuery}
          navigator={{ rows: view.feed, total: undefined }}
          onOpen={(row) => open?.(row)}
          onRows={(rows) => void navigate(`${PAGES.realtime.path}?${carryQuery(rows)}`)}
          onClose={() => setView({ event: null })}
        />
      )}
    </>
  )
}

/** The replay of the address's window, or null when live; a change of window or filters makes a new one. */
function useReplay(state: ViewState, filters: Query['filters']) {
  const from = state.window?.from
  const to = state.window?.to
  // biome-ignore lint/correctness/useExhaustiveDependencies: offset and speed of the address are the start values; later ones are set on the replay
  const source = useMemo(() => {
    if (from === undefined || to === undefined) return null
    const fetchWindow = async (begin: number, end: number) =>
      (await call(replayEndpoint, { body: { filters, from: begin, to: end } }, { quiet: true })).data
    const one = createReplay(fetchWindow, { from, to, speed: state.speed })
    if (state.offset > 0) one.seek(from + state.offset)
    return one
  }, [from, to, filters])
  useEffect(() => {
    source?.open()
    return () => source?.close()
  }, [source])
  useEffect(() => source?.setSpeed(state.speed), [source, state.speed])
  return source
}
