// `npm run font-data`: the web fonts of src/shared/theme/fonts and their style sheet, from the font packages that reports are set in.
//
// Text is set in Noto Sans SC, code in JetBrains Mono (both SIL Open Font License 1.1), so that a screen looks the same on a machine
// without Chinese fonts. A face is cut into slices by unicode-range; a browser loads those whose characters are on the page:
//   latin      letters, digits, signs
//   wall       Chinese characters of wall, shell and places: preloaded with latin, at most 500 kB together
//   interface  all other Chinese characters of interface texts and catalogues
//   names-N    the rest of GB/T 2312, which names that users type consist of
// Two weights: 400 (up to 450) and 600 (all above). No package has the variable master of the typeface.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { charactersOf, gb2312Characters, HAN, interfaceSources, wallSources } from './characters.mjs'

const TOP = fileURLToPath(new URL('../..', import.meta.url))
const OUT = join(TOP, 'src/shared/theme/fonts')
const HEAD = '/* Written by npm run font-data: slices of Noto Sans SC and JetBrains Mono, SIL Open Font License 1.1. */'
const NAMES_IN_SLICE = 420
const SANS = {
  400: 'node_modules/@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  600: 'node_modules/@expo-google-fonts/noto-sans-sc/600SemiBold/NotoSansSC_600SemiBold.ttf',
}
const MONO = {
  400: 'node_modules/@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf',
  600: 'node_modules/@expo-google-fonts/jetbrains-mono/600SemiBold/JetBrainsMono_600SemiBold.ttf',
}

const latin = latinCharacters()
const wall = charactersOf(TOP, wallSources).filter(isHan)
const interfaceOnly = without(charactersOf(TOP, interfaceSources).filter(isHan), wall)
const names = without(gb2312Characters(), [...wall, ...interfaceOnly])

const faces = []
/** By file. */
const glyphs = new Map()
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
for (const weight of [400, 600]) {
  await slice('AppWarden Sans', SANS[weight], weight, 'latin', latin)
  await slice('AppWarden Sans', SANS[weight], weight, 'wall', wall)
  await slice('AppWarden Sans', SANS[weight], weight, 'interface', interfaceOnly)
  for (let index = 0; index * NAMES_IN_SLICE < names.length; index++)
    await slice(
      'AppWarden Sans',
      SANS[weight],
      weight,
      `names-${index + 1}`,
      names.slice(index * NAMES_IN_SLICE, (index + 1) * NAMES_IN_SLICE),
    )
  await slice('AppWarden Mono', MONO[weight], weight, 'mono', latin)
}
// What every page needs, and apart from it what only names need: loaded after the first paint.
for (const [sheet, wanted] of [
  ['fonts.css', (name) => !name.startsWith('names')],
  ['fonts-names.css', (name) => name.startsWith('names')],
]) {
  const rules = faces.filter(({ name }) => wanted(name)).map(({ rule }) => rule)
  writeFileSync(join(TOP, 'src/shared/theme', sheet), `${HEAD}\n${rules.join('\n')}\n`)
}

/** One file and its rule. Characters that the typeface lacks are left to the system fonts. */
async function slice(family, source, weight, name, characters) {
  const font = readFileSync(join(TOP, source))
  const present = characters.filter((one) => glyphsOf(source, font).has(one.codePointAt(0)))
  const bytes = await subsetFont(font, present.join(''), { targetFormat: 'woff2' })
  const file = `${name}-${weight}.woff2`
  writeFileSync(join(OUT, file), bytes)
  console.log(`${file}: ${present.length} characters, ${(bytes.length / 1024).toFixed(1)} kB`)
  const rule = `@font-face {\n  font-family: "${family}";\n  font-weight: ${weight === 400 ? '100 450' : '451 900'};\n  font-display: swap;\n  src: url("./fonts/${file}") format("woff2");\n  unicode-range: ${rangesOf(present)};\n}`
  faces.push({ name, rule })
}

/** Code points that a TrueType font has, from its cmap table (OpenType 1.9, cmap, formats 4 and 12). */
function glyphsOf(source, font) {
  const known = glyphs.get(source)
  if (known) return known
  const found = new Set()
  const tables = font.readUInt16BE(4)
  for (let index = 0; index < tables; index++) {
    const at = 12 + index * 16
    if (font.toString('latin1', at, at + 4) !== 'cmap') continue
    const cmap = font.readUInt32BE(at + 8)
    for (let sub = 0; sub < font.readUInt16BE(cmap + 2); sub++) {
      const offset = cmap + font.readUInt32BE(cmap + 4 + sub * 8 + 4)
      const format = font.readUInt16BE(offset)
      if (format === 12)
        for (let group = 0; group < font.readUInt32BE(offset + 12); group++) {
          const first = font.readUInt32BE(offset + 16 + group * 12)
          const last = font.readUInt32BE(offset + 20 + group * 12)
          for (let code = first; code <= last; code++) found.add(code)
        }
      if (format === 4) {
        const segments = font.readUInt16BE(offset + 6) / 2
        for (let segment = 0; segment < segments; segment++) {
          const last = font.readUInt16BE(offset + 14 + segment * 2)
          const first = font.readUInt16BE(offset + 16 + segments * 2 + segment * 2)
          for (let code = first; code <= last && code !== 0xffff; code++) found.add(code)
        }
      }
    }
  }
  glyphs.set(source, found)
  return found
}

function latinCharacters() {
  const codes = []
  const add = (first, last) => {
    for (let code = first; code <= last; code++) codes.push(String.fromCodePoint(code))
  }
  add(0x20, 0x7e)
  add(0xa0, 0x17f)
  add(0x370, 0x3ff) // Greek: Δ, μ, σ
  add(0x2010, 0x2044)
  add(0x2070, 0x209c)
  add(0x20a0, 0x20bf)
  add(0x2100, 0x214f)
  add(0x2190, 0x21ff)
  add(0x2200, 0x22ff)
  add(0x2300, 0x23ff)
  add(0x2460, 0x24ff)
  add(0x2500, 0x27bf)
  return codes
}

function isHan(character) {
  return HAN.test(character)
}

function without(characters, other) {
  const known = new Set(other)
  return characters.filter((one) => !known.has(one))
}

function rangesOf(characters) {
  const codes = characters.map((one) => one.codePointAt(0)).sort((a, b) => a - b)
  const ranges = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last && code === last[1] + 1) last[1] = code
    else ranges.push([code, code])
  }
  const hex = (code) => code.toString(16)
  return ranges.map(([first, last]) => (first === last ? `U+${hex(first)}` : `U+${hex(first)}-${hex(last)}`)).join(', ')
}
