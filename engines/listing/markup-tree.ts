/** An element or the document; `children` holds elements and texts in order. */
export interface MarkupElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (MarkupElement | string)[]
  readonly parent: MarkupElement | null
}

/** What lies beyond a limit is left out: pages come from anyone. */
export interface MarkupLimits {
  readonly elements: number
  readonly depth: number
}

export const MARKUP_LIMITS: MarkupLimits = { elements: 60_000, depth: 200 }

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const RAW = new Set(['script', 'style', 'textarea', 'title', 'noscript', 'template'])
/** An element of these ends an open one of the same list, as HTML leaves their end tags out. */
const SIBLINGS: readonly ReadonlySet<string>[] = [
  new Set(['li']),
  new Set(['dt', 'dd']),
  new Set(['tr']),
  new Set(['td', 'th']),
  new Set(['option']),
  new Set(['p']),
]
/** What begins inside of a paragraph ends it. */
const ENDS_PARAGRAPH = new Set(
  'address article aside div dl footer form h1 h2 h3 h4 h5 h6 header hr main nav ol pre section table ul'.split(' '),
)
/** An open element is not looked for above these. */
const FENCES = new Set(['table', 'ul', 'ol', 'dl', 'select', 'div', 'body', 'html'])
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  middot: '·',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  laquo: '«',
  raquo: '»',
  times: '×',
  yen: '¥',
}

interface Open {
  name: string
  attributes: ReadonlyMap<string, string>
  children: (MarkupElement | string)[]
  parent: Open | null
}

/**
 * Reads HTML, or XML such as feeds, tolerantly: whatever the text is, it gives a tree. `xml` keeps names as they are written and takes
 * CDATA; HTML makes names lower case, knows elements without end and texts that hold no markup. Scripts are texts, nothing is run.
 */
export function readMarkup(text: string, xml = false, limits: MarkupLimits = MARKUP_LIMITS): MarkupElement {
  const root: Open = { name: '', attributes: new Map(), children: [], parent: null }
  let open = root
  let depth = 0
  let elements = 0
  let at = 0
  const add = (piece: string) => {
    if (piece) open.children.push(decodeEntities(piece))
  }
  const close = (name: string) => {
    for (let one: Open | null = open, up = 1; one && one !== root; one = one.parent, up++) {
      if (one.name === name) {
        open = one.parent ?? root
        depth -= up
        return
      }
      if (!xml && FENCES.has(one.name) && !FENCES.has(name)) return
    }
  }
  while (at < text.length) {
    const begin = text.indexOf('<', at)
    if (begin < 0) {
      add(text.slice(at))
      break
    }
    add(text.slice(at, begin))
    if (text.startsWith('<!--', begin)) {
      const end = text.indexOf('-->', begin + 4)
      at = end < 0 ? text.length : end + 3
      continue
    }
    if (xml && text.startsWith('<![CDATA[', begin)) {
      const end = text.indexOf(']]>', begin)
      const piece = text.slice(begin + 9, end < 0 ? text.length : end)
      if (piece) open.children.push(piece)
      at = end < 0 ? text.length : end + 3
      continue
    }
    const next = text.charCodeAt(begin + 1)
    if (next === 0x21 || next === 0x3f) {
      const end = text.indexOf('>', begin)
      at = end < 0 ? text.length : end + 1
      continue
    }
    const isEnd = next === 0x2f
    const nameBegin = begin + (isEnd ? 2 : 1)
    const nameEnd = endOfName(text, nameBegin)
    if (nameEnd === nameBegin) {
      add('<')
      at = begin + 1
      continue
    }
    const written = text.slice(nameBegin, nameEnd)
    const name = xml ? written : written.toLowerCase()
    const tag = readAttributes(text, nameEnd, xml)
    at = tag.end
    if (isEnd) {
      close(name)
      continue
    }
    if (++elements > limits.elements) break
    if (!xml) closeSibling(ENDS_PARAGRAPH.has(name) ? 'p' : name)
    const element: Open = { name, attributes: tag.attributes, children: [], parent: open }
    open.children.push(element as MarkupElement)
    if (!xml && RAW.has(name)) {
      const end = endOfRaw(text, at, name)
      const piece = text.slice(at, end)
      if (piece) element.children.push(name === 'title' || name === 'textarea' ? decodeEntities(piece) : piece)
      const after = text.indexOf('>', end)
      at = after < 0 ? text.length : after + 1
      continue
    }
    if (tag.closed || (!xml && VOID.has(name)) || depth >= limits.depth) continue
    open = element
    depth++
  }
  return root as MarkupElement

  function closeSibling(name: string): void {
    const group = SIBLINGS.find((one) => one.has(name))
    if (!group) return
    for (let one: Open | null = open, up = 1; one && one !== root; one = one.parent, up++) {
      if (group.has(one.name)) {
        open = one.parent ?? root
        depth -= up
        return
      }
      if (FENCES.has(one.name)) return
    }
  }
}

const isNameLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2d ||
  code === 0x3a ||
  code === 0x5f ||
  code === 0x2e

function endOfName(text: string, from: number): number {
  let at = from
  while (at < text.length && isNameLetter(text.charCodeAt(at))) at++
  return at
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

function readAttributes(
  text: string,
  from: number,
  xml: boolean,
): { attributes: Map<string, string>; end: number; closed: boolean } {
  const attributes = new Map<string, string>()
  let at = from
  let closed = false
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x3e) return { attributes, end: at + 1, closed }
    if (isSpace(code) || code === 0x2f) {
      closed = code === 0x2f || (closed && isSpace(code))
      at++
      continue
    }
    closed = false
    const begin = at
    while (at < text.length && !/[\s=>/]/.test(text[at]!)) at++
    if (at === begin) at++
    const name = text.slice(begin, at)
    while (at < text.length && isSpace(text.charCodeAt(at))) at++
    let value = ''
    if (text[at] === '=') {
      at++
      while (at < text.length && isSpace(text.charCodeAt(at))) at++
      const quote = text[at]
      if (quote === '"' || quote === "'") {
        const end = text.indexOf(quote, at + 1)
        value = text.slice(at + 1, end < 0 ? text.length : end)
        at = end < 0 ? text.length : end + 1
      } else {
        const start = at
        while (at < text.length && !/[\s>]/.test(text[at]!)) at++
        value = text.slice(start, at)
      }
    }
    const key = xml ? name : name.toLowerCase()
    if (!attributes.has(key) && attributes.size < 100) attributes.set(key, decodeEntities(value))
  }
  return { attributes, end: text.length, closed }
}

/** Where the end tag of a text without markup begins, in any case of its letters. */
function endOfRaw(text: string, from: number, name: string): number {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2))
    if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
  return text.length
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));?/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name as string] ?? whole
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd'
  })
}

/** Characters of one element's text: the fields of an item are shorter by far. */
const LONGEST_TEXT = 20_000

/** The text inside of an element, spaces joined, as far as LONGEST_TEXT; scripts and styles are no text. */
export function textOf(element: MarkupElement): string {
  let text = ''
  const append = (piece: string) => {
    const joined = piece.slice(0, LONGEST_TEXT).replaceAll(/\s+/g, ' ')
    text += text.endsWith(' ') || text === '' ? joined.trimStart() : joined
  }
  const add = (one: MarkupElement) => {
    for (const child of one.children) {
      if (text.length >= LONGEST_TEXT) return
      if (typeof child === 'string') append(child)
      else if (child.name !== 'script' && child.name !== 'style') {
        append(' ')
        add(child)
      }
    }
  }
  add(element)
  return text.slice(0, LONGEST_TEXT).trim()
}
