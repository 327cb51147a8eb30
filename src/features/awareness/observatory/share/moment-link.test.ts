import { expect, test } from 'vitest'
import { DEFAULT_VIEW, viewFromParams } from '../view-state.ts'
import { momentLink } from './moment-link.ts'

const AT = Date.UTC(2026, 10, 25, 8, 30, 20)
const read = (link: string) => viewFromParams(new URL(link).searchParams)

test('[OBS-01] a shared live moment opens as the replay of the ten minutes around it, with filters and map as they were', () => {
  const link = momentLink(
    'https://a.example/maps?f=app:7&rotate=20&wall=1#token=x',
    { ...DEFAULT_VIEW, scope: 'world', wall: true },
    AT,
  )
  const { mode, window, offset, scope, wall } = read(link)
  expect({ mode, scope, wall }).toEqual({ mode: 'replay', scope: 'world', wall: false })
  expect((window?.from ?? 0) + offset).toBeLessThanOrEqual(AT)
  expect(window?.to).toBeGreaterThanOrEqual(AT)
  expect((window?.to ?? 0) - (window?.from ?? 0)).toBe(600_000)
  expect(link).toContain('f=app')
  expect(link).not.toMatch(/token|rotate/)
})

test('[OBS-01] a shared moment of a replay keeps its window and place', () => {
  const window = { from: AT - 3_600_000, to: AT }
  const shared = read(momentLink('https://a.example/maps', { ...DEFAULT_VIEW, mode: 'replay', window }, AT - 60_000))
  expect(shared.window).toEqual(window)
  expect(shared.offset).toBe(3_540_000)
})
