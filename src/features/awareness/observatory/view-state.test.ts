import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ASSET_LISTS,
  DEFAULT_VIEW,
  GRAPHICS,
  LAYERS,
  PLACE_LISTS,
  SPEEDS,
  topicFilters,
  type ViewState,
  viewFromParams,
  viewToParams,
} from './view-state.ts'

/** As the address bar contains it. */
const search = (view: ViewState) =>
  new URLSearchParams(
    Object.entries(viewToParams(view)).filter((pair): pair is [string, string] => pair[1] !== null),
  ).toString()
const round = (n: number) => Number(n.toFixed(3))
const span = fc
  .tuple(fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }), fc.integer({ min: 60_000, max: 86_400_000 }))
  .map(([from, length]) => ({ from, to: from + length }))

const view: fc.Arbitrary<ViewState> = fc
  .record({
    scope: fc.constantFrom('world', 'china', '440000', '710000'),
    camera: fc.option(
      fc.record({
        lon: fc.double({ min: -180, max: 360, noNaN: true }).map(round),
        lat: fc.double({ min: -80, max: 80, noNaN: true }).map(round),
        zoom: fc.double({ min: 0, max: 9, noNaN: true }).map(round),
      }),
    ),
    layers: fc.subarray([...LAYERS]),
    mode: fc.constantFrom('live' as const, 'paused' as const, 'replay' as const),
    window: span,
    share: fc.integer({ min: 0, max: 100 }),
    speed: fc.constantFrom(...SPEEDS),
    timeline: fc.constantFrom('hour' as const, 'day' as const),
    places: fc.constantFrom(...PLACE_LISTS),
    assets: fc.constantFrom(...ASSET_LISTS),
    graphics: fc.constantFrom(...GRAPHICS),
    event: fc.option(fc.record({ app: fc.constantFrom('1', '42'), id: fc.uuid() })),
    wall: fc.boolean(),
  })
  .map(({ share, window, speed, ...rest }) =>
    rest.mode === 'replay'
      ? { ...rest, window, speed, offset: Math.round(((window.to - window.from) * share) / 100) }
      : { ...rest, window: null, speed: DEFAULT_VIEW.speed, offset: 0 },
  )

describe('[OBS-01] the view in the address', () => {
  test('any view of the wall is read back from its address unchanged', () => {
    fc.assert(
      fc.property(view, (one) => {
        const back = viewFromParams(new URLSearchParams(search(one)))
        // -0 and 0 are the same camera.
        expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(one)))
      }),
    )
  })

  test('the address of the default wall has no parameters', () => {
    expect(search(DEFAULT_VIEW)).toBe('')
    expect(viewFromParams(new URLSearchParams())).toEqual(DEFAULT_VIEW)
  })

  test('nonsense opens something sensible', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('area', 'at', 'layers', 'mode', 'window', 'offset', 'speed', 'event', 'wall'),
          fc.string(),
        ),
        (params) => {
          const read = viewFromParams(new URLSearchParams(params))
          expect(read.mode === 'replay').toBe(read.window !== null)
          expect(read.offset).toBeGreaterThanOrEqual(0)
          if (read.camera) expect(Object.values(read.camera).every(Number.isFinite)).toBe(true)
        },
      ),
    )
  })

  test('a drilled province narrows what is counted, the world does not', () => {
    expect(topicFilters([], '440000')).toEqual([{ field: 'province', op: 'is', values: ['440000'] }])
    expect(topicFilters([], 'world')).toEqual([])
  })
})
