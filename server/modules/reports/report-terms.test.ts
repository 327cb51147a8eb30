import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEVEL_COLORS } from '#domain/level-marks.ts'

test('levels on paper have the fill and edge that they have in the light console', () => {
  const [light] = readFileSync('src/shared/theme/tokens.css', 'utf8').split('--level-critical: #f0386b')
  for (const [level, { fill, edge }] of Object.entries(LEVEL_COLORS)) {
    expect(light).toContain(`--level-${level}: #${fill};`)
    expect(light).toContain(`--edge-${level}: #${edge};`)
  }
})
