import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error plain JavaScript, shared with the script that makes the fonts
import { charactersOf, HAN, interfaceSources, wallSources } from '../../../scripts/font-data/characters.mjs'

const TOP = join(import.meta.dirname, '../../..')
const FONTS = join(import.meta.dirname, 'fonts')

/** Characters that the slices of these names have, by the ranges of their rules. */
function charactersIn(sheet: string, slices: RegExp): (character: string) => boolean {
  const rules = readFileSync(join(import.meta.dirname, sheet), 'utf8')
    .split('@font-face')
    .slice(1)
  const ranges = rules
    .filter((rule) => slices.test(/fonts\/([^"]+)"/.exec(rule)?.[1] ?? ''))
    .flatMap((rule) => [...rule.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/g)])
    .map(([, first = '', last]) => [Number.parseInt(first, 16), Number.parseInt(last ?? first, 16)] as const)
  return (character) => {
    const code = character.codePointAt(0) as number
    return ranges.some(([first, last]) => first <= code && code <= last)
  }
}

const han = (sources: readonly string[]): string[] => charactersOf(TOP, sources).filter((one: string) => HAN.test(one))

test('[OBS-01] the preloaded fonts have the Chinese characters of wall, shell and places, but for one in twenty', () => {
  const has = charactersIn('fonts.css', /^wall-400/)
  const wanted = han(wallSources)
  // What is missing comes from another slice, a moment later: `npm run font-data` cuts them again.
  expect(wanted.filter((one) => !has(one)).length).toBeLessThanOrEqual(wanted.length / 20)
})

test('every Chinese character of the interface and its catalogues is in a font that the product brings (else run `npm run font-data`)', () => {
  const slices = [charactersIn('fonts.css', /^(wall|interface)-400/), charactersIn('fonts-names.css', /^names-\d+-400/)]
  expect(han(interfaceSources).filter((one) => !slices.some((has) => has(one)))).toEqual([])
})

test('both weights have the same characters, and the fonts that a wall preloads have at most 500 kB', () => {
  const sheet = readFileSync(join(import.meta.dirname, 'fonts.css'), 'utf8')
  const ranges = (weight: string) =>
    [...sheet.matchAll(new RegExp(`fonts/(\\w+)-${weight}[.]woff2[^}]*unicode-range: ([^;]*);`, 'g'))].map(
      ([, name, range]) => `${name} ${range}`,
    )
  expect(ranges('600')).toEqual(ranges('400'))
  const preloaded = ['latin-400', 'latin-600', 'wall-400', 'wall-600'].map(
    (name) => statSync(join(FONTS, `${name}.woff2`)).size,
  )
  expect(preloaded.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(500_000)
})
