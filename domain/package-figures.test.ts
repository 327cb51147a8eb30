import { expect, test } from 'vitest'
import { figureChange, figureRows } from './package-figures.ts'

const figures = {
  size: 1_048_576,
  dex_files: 1,
  dex_bytes: 500_000,
  classes: 210,
  methods: 1500,
  strings: 9000,
  exported: 3,
  library_bytes: 0,
  entropy: 6.12 as number | null,
}

test('[HARD-06] figures of both packages are compared; what neither has is left out', () => {
  const keys = figureRows(figures, { ...figures, entropy: null }).map(({ key }) => key)
  expect(keys).toEqual(['size', 'strings', 'classes', 'methods', 'dex_files', 'dex_bytes', 'exported'])
})

test.each([
  [{ key: 'size', before: 1000, after: 1052, unit: 'bytes' }, '+5.2%'],
  [{ key: 'strings', before: 9000, after: 468, unit: 'count' }, '−94.8%'],
  [{ key: 'exported', before: 3, after: 2, unit: 'count' }, '−1'],
  [{ key: 'exported', before: 0, after: 2, unit: 'count' }, '+2'],
  [{ key: 'entropy', before: 6.12, after: 7.64, unit: 'bits' }, '+1.52'],
  [{ key: 'entropy', before: 6.121, after: 6.122, unit: 'bits' }, ''],
  [{ key: 'library_bytes', before: 0, after: 2048, unit: 'bytes' }, '+2.0 KB'],
  [{ key: 'classes', before: 210, after: 210, unit: 'count' }, ''],
] as const)('the change of %o reads %s', (row, text) => {
  expect(figureChange(row)).toBe(text)
})
