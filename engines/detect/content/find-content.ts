import { CONTENT_LIMITS, type ContentLimits, type ImageTools, type WordGroup } from '../input/content-input.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { ContentHit, Location, Note } from '../result/scan-result.ts'
import { type ImageText, lookAtImages } from './look-at-images.ts'
import type { TextPart, TextParts } from './text-parts.ts'
import { type WordForm, WordMatcher } from './word-matcher.ts'

/** What was found, and in `notes` what was not looked at. */
export interface ContentFound {
  readonly hits: readonly ContentHit[]
  readonly notes: readonly Note[]
}

const SNIPPET = 24
const TABLE = 1000

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
  const images = lookAtImages(inspected, tools, limits)
  for (const image of images.texts) findInImage(image, matcher, found)
  notes.push(...images.notes)
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

/** The first ones of each word and location; further ones are counted. */
class Hits {
  readonly list: ContentHit[] = []
  left = 0
  private readonly seen = new Set<string>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  add(hit: ContentHit): void {
    const key = `${hit.kind}\0${hit.group}\0${hit.value}\0${hit.form}\0${hit.place.entry}\0${hit.place.offset}\0${hit.place.path ?? ''}`
    if (this.seen.has(key)) return
    if (this.list.length >= this.most) {
      this.left++
      return
    }
    this.seen.add(key)
    this.list.push(hit)
  }
}

function findWords(part: TextPart, matcher: WordMatcher, found: Hits): void {
  // Long Latin texts of code are tables (top-level domains, grammars), not what people read.
  const table = part.source === 'code' && part.text.length > TABLE
  for (const { group, word, form, from, to } of matcher.find(part.text)) {
    if (table && /^[\x20-\x7e]+$/.test(word)) continue
    const offset = part.source === 'file' ? Buffer.byteLength(part.text.slice(0, from)) : part.location.offset
    found.add({
      kind: 'word',
      group,
      value: word,
      form,
      place: { ...part.location, offset, snippet: [around(part.text, from, to)] },
    })
  }
}

function around(text: string, from: number, to: number): string {
  return text.slice(Math.max(0, from - SNIPPET), to + SNIPPET).replace(/\s+/g, ' ')
}

/** Words that are read from pixels are noisy: only spellings that no one takes for another word count. */
const READ_FORMS: ReadonlySet<WordForm> = new Set(['as_written', 'case', 'width', 'traditional'])

function findInImage({ kind, entry, text }: ImageText, matcher: WordMatcher, found: Hits): void {
  const location: Location = { entry, offset: -1 }
  if (kind === 'qr') {
    found.add({ kind, group: '', value: text, form: 'as_written', place: location })
    for (const { group, word, form, from, to } of matcher.find(text))
      found.add({
        kind: 'word',
        group,
        value: word,
        form,
        place: { ...location, path: 'qr', snippet: [around(text, from, to)] },
      })
    return
  }
  // Recognition puts spaces between Chinese characters.
  const plain = text.replace(/(\p{Script=Han})\s+(?=\p{Script=Han})/gu, '$1')
  for (const { group, word, form, from, to } of matcher.find(plain))
    if (READ_FORMS.has(form))
      found.add({
        kind: 'text_in_image',
        group,
        value: word,
        form,
        place: { ...location, snippet: [around(plain, from, to)] },
      })
}

function note(key: string, zh: string, en: string): Note {
  return { key, text: { zh, en } }
}
