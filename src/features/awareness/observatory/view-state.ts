import type { Filter } from '#domain/query.ts'
import { absoluteRange, isRangeText, type Span } from '#domain/time-range.ts'

/** Everything that a copied address must bring back besides the filters, which shared/query keeps there. */
export const LAYERS = ['arcs', 'pulses', 'choropleth', 'labels', 'heat', 'hexagon', 'cluster', 'merged'] as const
export type Layer = (typeof LAYERS)[number]
const DEFAULT_LAYERS: readonly Layer[] = ['arcs', 'pulses', 'choropleth', 'labels']

export const SPEEDS = [1, 5, 10, 30, 60] as const
export const PLACE_LISTS = ['province', 'city', 'country'] as const
export const ASSET_LISTS = ['app', 'device', 'version'] as const
export const GRAPHICS = ['auto', 'full', 'low'] as const

/** A map extent: the whole world (`globe`: as a globe, a scene of the rotation), China (`pirated`: shaded by devices with pirated copies, another scene), or one province-level unit by code (which also narrows what is counted). */
export type Scope = 'world' | 'china' | (string & {})
export type ViewState = {
  scope: Scope
  /** Where the user moved the map; null: as the scope frames it. */
  camera: { lon: number; lat: number; zoom: number } | null
  layers: readonly Layer[]
  mode: 'live' | 'paused' | 'replay'
  /** Replay: the window, position (ms into it, written when paused or sought), speed. */
  window: Span | null
  offset: number
  speed: (typeof SPEEDS)[number]
  timeline: 'hour' | 'day'
  places: (typeof PLACE_LISTS)[number]
  assets: (typeof ASSET_LISTS)[number]
  graphics: (typeof GRAPHICS)[number]
  /** Open drawer: application and event id. */
  event: { app: string; id: string } | null
  wall: boolean
}

export const DEFAULT_VIEW: ViewState = {
  scope: 'china',
  camera: null,
  layers: DEFAULT_LAYERS,
  mode: 'live',
  window: null,
  offset: 0,
  speed: 10,
  timeline: 'hour',
  places: 'province',
  assets: 'app',
  graphics: 'auto',
  event: null,
  wall: false,
}

/** What the flat map shows of a scene: without the graphics for a globe the world, and under devices with pirated copies no attacks. */
export function flatScene(view: ViewState): ViewState {
  if (view.scope === 'globe') return { ...view, scope: 'world' }
  return view.scope === 'pirated' ? { ...view, scope: 'china', layers: ['choropleth', 'labels'] } : view
}

export const isProvince = (scope: Scope): boolean => /^\d{6}$/.test(scope)

/** What is asked of the server: the chips, and the province that the map is drilled into. */
export function topicFilters(filters: Filter[], scope: Scope): Filter[] {
  return isProvince(scope) ? [...filters, { field: 'province', op: 'is', values: [scope] }] : filters
}

/** The address parameters of the view; null takes one away: defaults are left out, so the plain wall has a plain address. */
export function viewToParams(view: ViewState): Record<string, string | null> {
  const unless = (value: string, usual: string) => (value === usual ? null : value)
  const replaying = view.mode === 'replay' && view.window !== null
  return {
    area: unless(view.scope, DEFAULT_VIEW.scope),
    at: view.camera && [view.camera.lon, view.camera.lat, view.camera.zoom].map((n) => n.toFixed(3)).join(','),
    layers: unless(view.layers.join('.') || 'none', DEFAULT_LAYERS.join('.')),
    mode: unless(view.mode, 'live'),
    window: replaying ? absoluteRange(view.window as Span) : null,
    offset: replaying ? unless(String(Math.round(view.offset)), '0') : null,
    speed: replaying ? unless(String(view.speed), String(DEFAULT_VIEW.speed)) : null,
    line: unless(view.timeline, 'hour'),
    places: unless(view.places, 'province'),
    assets: unless(view.assets, 'app'),
    graphics: unless(view.graphics, 'auto'),
    event: view.event && `${view.event.app}:${view.event.id}`,
    wall: view.wall ? '1' : null,
  }
}

/** Reads what viewToParams wrote; whatever is not understood falls back, so an old link still opens. */
export function viewFromParams(params: URLSearchParams): ViewState {
  const one = <T extends string>(name: string, of: readonly T[], or: T): T =>
    of.find((item) => item === params.get(name)) ?? or
  const range = params.get('window') ?? ''
  const [from = 0, to = 0] = range.includes('~') && isRangeText(range) ? range.split('~').map(Number) : []
  const mode = one('mode', ['live', 'paused', 'replay'] as const, 'live')
  const replaying = mode === 'replay' && to > from
  const area = params.get('area') ?? ''
  return {
    scope: area === 'world' || area === 'globe' || area === 'pirated' || isProvince(area) ? area : 'china',
    camera: readCamera(params.get('at')),
    layers: readLayers(params.get('layers')),
    mode: mode === 'replay' && !replaying ? 'live' : mode,
    window: replaying ? { from, to } : null,
    offset: replaying ? Math.max(0, Math.min(to - from, Number(params.get('offset')) || 0)) : 0,
    speed: (replaying && SPEEDS.find((speed) => String(speed) === params.get('speed'))) || DEFAULT_VIEW.speed,
    timeline: one('line', ['hour', 'day'] as const, 'hour'),
    places: one('places', PLACE_LISTS, 'province'),
    assets: one('assets', ASSET_LISTS, 'app'),
    graphics: one('graphics', GRAPHICS, 'auto'),
    event: readEvent(params.get('event')),
    wall: params.get('wall') === '1',
  }
}

function readCamera(text: string | null): ViewState['camera'] {
  const [lon, lat, zoom] = (text ?? '').split(',').map(Number)
  const valid = [lon, lat, zoom].every((n) => n !== undefined && Number.isFinite(n))
  if (!valid || text === '') return null
  const [x, y, z] = [lon, lat, zoom] as [number, number, number]
  return Math.abs(x) <= 540 && Math.abs(y) <= 85 && z >= 0 && z <= 9 ? { lon: x, lat: y, zoom: z } : null
}

function readLayers(text: string | null): readonly Layer[] {
  if (text === null) return DEFAULT_LAYERS
  const named = text.split('.')
  return LAYERS.filter((layer) => named.includes(layer))
}

function readEvent(text: string | null): ViewState['event'] {
  const match = /^(\d{1,9}):([\w.:-]{1,64})$/.exec(text ?? '')
  return match ? { app: match[1] as string, id: match[2] as string } : null
}
