import type { InspectedPackage } from '../inspected-package.ts'
import type { ContentHit, Note, Place } from '../scan-result.ts'
import { CONTENT_LIMITS, type ContentLimits, type ImageTools, type WordGroup } from './content-input.ts'
import type { TextPart, TextParts } from './text-parts.ts'
import { WordMatcher } from './word-matcher.ts'

/** What was found, and in `notes` what was not looked at. */
export interface ContentFound {
  readonly hits: readonly ContentHit[]
  readonly notes: readonly Note[]
}

const SNIPPET = 24
const TABLE = 1000
const IMAGE_NAME = /\.(?:png|jpe?g|webp|gif|bmp)$/i
const SMALLEST_IMAGE = 400

/** Sensitive words in texts, resources and pictures, and QR codes in pictures. Texts come from `gatherTexts`. */
export function findContent(
  inspected: InspectedPackage,
  texts: TextParts,
  groups: readonly WordGroup[],
  tools: ImageTools,
  limits: ContentLimits = CONTENT_LIMITS,
): ContentFound {
  const found = new Hits(limits.hits)
  const matcher = new WordMatcher(groups)
  for (const part of texts.parts) findWords(part, matcher, found)
  const notes: Note[] = texts.skipped.length
    ? [
        note(
          'content-text-skipped',
          `${texts.skipped.length} 个文本文件超过大小限制，未查敏感词`,
          `${texts.skipped.length} text files are above the size limit: no words were looked for`,
        ),
      ]
    : []
  notes.push(...lookAtImages(inspected, matcher, tools, limits, found))
  if (found.left > 0)
    notes.push(
      note(
        'content-hits',
        `命中超过 ${limits.hits} 处，另有 ${found.left} 处未列出`,
        `more than ${limits.hits} hits: ${found.left} are not listed`,
      ),
    )
  return { hits: found.list, notes }
}

/** The first ones of each word and place; further ones are counted. */
class Hits {
  readonly list: ContentHit[] = []
  left = 0
  private readonly told = new Set<string>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  add(hit: ContentHit): void {
    const key = `${hit.kind}\0${hit.group}\0${hit.value}\0${hit.form}\0${hit.place.entry}\0${hit.place.offset}\0${hit.place.path ?? ''}`
    if (this.told.has(key)) return
    if (this.list.length >= this.most) {
      this.left++
      return
    }
    this.told.add(key)
    this.list.push(hit)
  }
}

function findWords(part: TextPart, matcher: WordMatcher, found: Hits): void {
  // Long Latin texts of code are tables (top-level domains, grammars), not what people read.
  const table = part.source === 'code' && part.text.length > TABLE
  for (const { group, word, form, from, to } of matcher.find(part.text)) {
    if (table && /^[\x20-\x7e]+$/.test(word)) continue
    const offset = part.source === 'file' ? Buffer.byteLength(part.text.slice(0, from)) : part.place.offset
    found.add({
      kind: 'word',
      group,
      value: word,
      form,
      place: { ...part.place, offset, snippet: [around(part.text, from, to)] },
    })
  }
}

function around(text: string, from: number, to: number): string {
  return text.slice(Math.max(0, from - SNIPPET), to + SNIPPET).replace(/\s+/g, ' ')
}

function lookAtImages(
  inspected: InspectedPackage,
  matcher: WordMatcher,
  tools: ImageTools,
  limits: ContentLimits,
  found: Hits,
): Note[] {
  const images = inspected.entries.filter(
    ({ name, size }) => IMAGE_NAME.test(name) && !name.endsWith('.9.png') && size >= SMALLEST_IMAGE,
  )
  if (!images.length) return []
  const notes: Note[] = []
  if (tools.texts) findTexts(tools.texts, matcher, found)
  else
    notes.push(
      note(
        'content-no-text-recognition',
        `未安装文字识别组件：${images.length} 张图片中的文字未检测`,
        `no text recognition is installed: words in ${images.length} pictures were not looked for`,
      ),
    )
  notes.push(
    note(
      'content-no-image-model',
      `没有图像识别模型：未判断 ${images.length} 张图片的画面内容`,
      `there is no image model: what ${images.length} pictures show was not judged`,
    ),
  )
  const { decode, readQr } = tools
  if (!decode || !readQr) {
    notes.push(
      note(
        'content-no-qr',
        `未安装二维码组件：${images.length} 张图片未解码`,
        `no QR reader is installed: ${images.length} pictures were not decoded`,
      ),
    )
    return notes
  }
  // Large ones first: a code that people scan is no icon. Equal sizes keep the order of the package.
  const chosen = [...images].sort((one, other) => other.size - one.size).slice(0, limits.images)
  if (chosen.length < images.length)
    notes.push(
      note(
        'content-images',
        `图片过多：${images.length - chosen.length} 张较小的图片未查二维码`,
        `too many pictures: no QR codes were looked for in the ${images.length - chosen.length} smaller ones`,
      ),
    )
  let unreadable = 0
  for (const { name } of chosen) {
    const bytes = inspected.read(name)
    const pixels = bytes && decode(bytes)
    if (!pixels) unreadable++
    else for (const value of readQr(pixels)) addCode(value, { entry: name, offset: -1 }, matcher, found)
  }
  if (unreadable)
    notes.push(
      note('content-image-unreadable', `${unreadable} 张图片无法解码`, `${unreadable} pictures cannot be decoded`),
    )
  return notes
}

function addCode(value: string, place: Place, matcher: WordMatcher, found: Hits): void {
  found.add({ kind: 'qr', group: '', value, form: 'as_written', place })
  for (const { group, word, form, from, to } of matcher.find(value))
    found.add({
      kind: 'word',
      group,
      value: word,
      form,
      place: { ...place, path: 'qr', snippet: [around(value, from, to)] },
    })
}

function findTexts(texts: ReadonlyMap<string, string>, matcher: WordMatcher, found: Hits): void {
  for (const [entry, read] of texts) {
    // Recognition puts spaces between Chinese characters.
    const text = read.replace(/(\p{Script=Han})\s+(?=\p{Script=Han})/gu, '$1')
    for (const { group, word, form, from, to } of matcher.find(text))
      found.add({
        kind: 'text_in_image',
        group,
        value: word,
        form,
        place: { entry, offset: -1, snippet: [around(text, from, to)] },
      })
  }
}

function note(key: string, zh: string, en: string): Note {
  return { key, text: { zh, en } }
}
