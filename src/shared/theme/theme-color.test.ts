import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brandSteps, contrastOf, isColor } from './theme-color.ts'

test('[SHELL-10] any theme colour gives readable text, buttons and tints in both faces', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const { light, dark } = brandSteps(`#${number.toString(16).padStart(6, '0')}`)
      for (const face of [light, dark]) {
        expect(contrastOf(face['brand-text'] as string, face['selected'] as string)).toBeGreaterThanOrEqual(4.5)
        expect(contrastOf(face['brand-on'] as string, face['brand-fill'] as string)).toBeGreaterThanOrEqual(4.5)
      }
      expect(contrastOf(light['brand-text'] as string, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrastOf(dark['brand-text'] as string, '#111a2c')).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('only #rrggbb is a valid theme colour', () => {
  expect(['#409EFF', '#fff', 'red', '#12345g', ''].map(isColor)).toEqual([true, false, false, false, false])
})
