// Which characters the slices of the web fonts have: read from the sources, so that a test can tell when a text needs a new slice.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Chinese characters, their punctuation and full-width forms. U+9FFF is in sources as the end of a range, not in texts. */
export const HAN = /[\u3000-\u303f\u3400-\u4dbf\u4e00-\u9ffe\uff00-\uffef]/

/** Wall, shell, sign-in, words that both share, and names of places: what an operator's screen consists of. */
export const wallSources = [
  'src/features/awareness/observatory',
  'src/features/awareness/alerts',
  'src/features/start',
  'src/app',
  'src/shared',
  'domain',
  'contracts/pages.ts',
  'public/geo',
]
/** A table of characters, no text. */
const NO_TEXT = /characters[.]json$/
/** All texts of the product. */
export const interfaceSources = ['src', 'contracts', 'domain', 'engines/detect/data', 'server', 'mocks/demo']

/** Characters of strings in these files and folders, most frequent first. Comments are English, tests are left out. */
export function charactersOf(top, sources) {
  const counts = new Map()
  const read = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) read(join(path, name))
    } else if (/[.](tsx?|json)$/.test(path) && !/[.]test[.]tsx?$/.test(path) && !NO_TEXT.test(path)) {
      for (const one of readFileSync(path, 'utf8')) if (HAN.test(one)) counts.set(one, (counts.get(one) ?? 0) + 1)
    }
  }
  for (const source of sources) read(join(top, source))
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([one]) => one)
}

/** The 6,763 characters and the signs of GB/T 2312-1980, in its order: level 1 (frequent) by sound, then level 2 by radical. */
export function gb2312Characters() {
  const decoder = new TextDecoder('gb18030')
  const found = []
  for (let row = 0xa1; row <= 0xf7; row++) {
    if (row > 0xa3 && row < 0xb0) continue
    for (let cell = 0xa1; cell <= 0xfe; cell++) {
      const one = decoder.decode(Uint8Array.of(row, cell))
      if (HAN.test(one)) found.push(one)
    }
  }
  return found
}
