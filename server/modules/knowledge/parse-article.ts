import { Lexer, type Token, type Tokens } from 'marked'
import { type ArticleBlock, type ArticlePart, CODE_LANGUAGES, type CodeLanguage } from '#contracts/http/knowledge.ts'
import { type ArticleProblem, type ArticleProblemKind, problemText } from '#contracts/http/own-articles.ts'

/** A file of code beside the text of an article. */
export type CodeFile = { name: string; language: CodeLanguage; text: string; compiled: boolean }
/** Images that a text may name, with their size in pixels, by id. */
export type ArticleImages = ReadonlyMap<string, { width: number; height: number }>
type Beside = { files: readonly CodeFile[]; images: ArticleImages }

const LANGUAGES = Object.keys(CODE_LANGUAGES)
/** The lexer takes quadratic time in a line: this one, of 40,000 characters in all, takes at most a third of a second. */
const LONGEST_LINE = 2000
/** The lexer calls itself for each level of quotations and lists, and copies the rest each time. Only one level is allowed anyway. */
const NESTED = /^(?:(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){11}|[ \t]{120,}[-*+>\d])/
const MOST_PROBLEMS = 50
const NAMED = 60
const IMAGE = /^image:([0-9a-f-]{36})$/

/** A text that is no article; the message says what and where. */
export class ArticleSyntaxError extends Error {
  readonly problem: ArticleProblem
  constructor(problem: ArticleProblem) {
    super(`line ${problem.line}: ${problemText(problem, 'en')}`)
    this.problem = problem
  }
}

/** A part of a block that is refused; `raw` is its source. */
class Refused extends Error {
  readonly problem: ArticleProblemKind
  readonly raw: string
  constructor(problem: ArticleProblemKind, raw: string) {
    super(problem)
    this.problem = problem
    this.raw = raw
  }
}

/**
 * Markdown (CommonMark with tables of GitHub) as blocks of plain text. HTML, pictures from elsewhere, nested lists and addresses other
 * than `article:<id>` and `https:` are refused, so that nothing an author writes is markup to a browser. Throws ArticleSyntaxError.
 */
export function parseArticle(
  markdown: string,
  files: readonly CodeFile[] = [],
  images: ArticleImages = new Map(),
): ArticleBlock[] {
  const { blocks, problems } = readArticleText(markdown, files, images)
  if (problems[0]) throw new ArticleSyntaxError(problems[0])
  return blocks
}

/** The blocks that can be read, and what is refused, by line. Never throws. */
export function readArticleText(
  markdown: string,
  files: readonly CodeFile[] = [],
  images: ArticleImages = new Map(),
): { blocks: ArticleBlock[]; problems: ArticleProblem[] } {
  const blocks: ArticleBlock[] = []
  const problems: ArticleProblem[] = []
  const text = markdown.replace(/\r\n?/g, '\n')
  for (const [at, one] of text.split('\n').entries()) {
    const problem = one.length > LONGEST_LINE ? 'line_length' : NESTED.test(one) ? 'nested' : undefined
    if (problem) return { blocks, problems: [{ line: at + 1, problem, detail: '' }] }
  }
  const ids = new Set<string>()
  let line = 1
  try {
    for (const token of new Lexer({ gfm: true, breaks: false }).lex(text)) {
      try {
        const block = blockOf(token, { files, images }, ids)
        if (block) blocks.push(block)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (problems.length < MOST_PROBLEMS)
          problems.push({
            line: line + linesIn(token.raw.slice(0, Math.max(0, token.raw.indexOf(error.raw)))),
            problem: error.problem,
            detail: error.raw.trim().slice(0, NAMED),
          })
      }
      line += linesIn(token.raw)
    }
  } catch (error) {
    // Lexer and reader call themselves for each level.
    if (!(error instanceof RangeError)) throw error
    problems.push({ line, problem: 'nested', detail: '' })
  }
  return { blocks, problems }
}

const linesIn = (text: string) => text.split('\n').length - 1

/** Ids of the images that a text names, wherever they stand in it. */
export function namedImages(markdown: string): string[] {
  return [...new Set([...markdown.matchAll(/\(image:([0-9a-f-]{36})\b/g)].map(([, id]) => id as string))]
}

function blockOf(token: Token, { files, images }: Beside, ids: Set<string>): ArticleBlock | undefined {
  switch (token.type) {
    case 'space':
      return undefined
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      if (depth < 2 || depth > 3) throw new Refused('heading', token.raw)
      const text = plainText(partsOf(tokens))
      const id = `h${ids.size + 1}`
      ids.add(id)
      return { kind: 'heading', level: depth, id, text }
    }
    case 'paragraph': {
      const { text, tokens } = token as Tokens.Paragraph
      const named = /^\{\{([a-z][a-z0-9-]*)\}\}$/.exec(text.trim())
      if (named) return filesBlock(named[1] as string, files)
      const [only, ...more] = (tokens ?? []).filter((one) => one.type !== 'text' || one.raw.trim() !== '')
      if (only?.type === 'image' && more.length === 0) return imageBlock(only as Tokens.Image, images)
      return { kind: 'text', parts: partsOf(tokens) }
    }
    case 'blockquote': {
      const [only, ...more] = (token as Tokens.Blockquote).tokens
      if (only?.type !== 'paragraph' || more.length > 0) throw new Refused('quotation', token.raw)
      return { kind: 'note', parts: partsOf((only as Tokens.Paragraph).tokens) }
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List
      return { kind: 'list', ordered, items: items.map(itemOf) }
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return {
        kind: 'table',
        head: header.map(({ tokens }) => partsOf(tokens)),
        rows: rows.map((row) => row.map(({ tokens }) => partsOf(tokens))),
      }
    }
    case 'code':
      return { kind: 'code', text: (token as Tokens.Code).text }
    default:
      throw new Refused(token.type === 'html' ? 'html' : 'element', token.raw)
  }
}

function imageBlock({ href, text, raw }: Tokens.Image, images: ArticleImages): ArticleBlock {
  const id = IMAGE.exec(href)?.[1] ?? ''
  const size = images.get(id)
  if (!size) throw new Refused('image_missing', raw)
  if (text.trim() === '') throw new Refused('image_text', raw)
  return { kind: 'image', id, alt: plain(text.trim()), width: size.width, height: size.height }
}

function itemOf(item: Tokens.ListItem): ArticlePart[] {
  const [only, ...more] = item.tokens.filter(({ type }) => type !== 'space')
  if (!only || more.length > 0 || !['text', 'paragraph'].includes(only.type)) throw new Refused('list_item', item.raw)
  return partsOf((only as Tokens.Text).tokens ?? [only])
}

function filesBlock(name: string, files: readonly CodeFile[]): ArticleBlock {
  const shown = files
    .filter((file) => file.name.slice(0, file.name.lastIndexOf('.')) === name)
    .toSorted((a, b) => LANGUAGES.indexOf(a.language) - LANGUAGES.indexOf(b.language))
  if (shown.length === 0) throw new Refused('file', `{{${name}}}`)
  return { kind: 'files', files: shown }
}

/** What is refused inside a line by a name of its own. */
const INLINE: Readonly<Record<string, ArticleProblemKind>> = { html: 'html', em: 'emphasis', image: 'image_place' }

type Around = { mark: ArticlePart['mark']; to: string | null }

function partsOf(tokens: readonly Token[] | undefined, around: Around = { mark: 'plain', to: null }): ArticlePart[] {
  const parts = (tokens ?? []).flatMap((token): ArticlePart[] => {
    switch (token.type) {
      case 'text':
        return 'tokens' in token && token.tokens
          ? partsOf(token.tokens, around)
          : [{ text: unbroken(plain(token.raw)), ...around }]
      case 'escape':
        return [{ text: (token as Tokens.Escape).text, ...around }]
      case 'strong':
        return partsOf((token as Tokens.Strong).tokens, { ...around, mark: 'strong' })
      case 'codespan':
        return [{ text: codeText(token.raw), mark: 'code', to: around.to }]
      case 'link': {
        const { href, tokens } = token as Tokens.Link
        if (!/^(?:article:[a-z0-9-]+|https:\/\/[^\s"<>`\\]+)$/.test(href)) throw new Refused('address', token.raw)
        return partsOf(tokens, { ...around, to: href.replace(/^article:/, '') })
      }
      default:
        throw new Refused(INLINE[token.type] ?? 'element', token.raw)
    }
  })
  // Text beside text is one part.
  return parts.reduce<ArticlePart[]>((merged, part) => {
    const last = merged.at(-1)
    if (last && last.mark === part.mark && last.to === part.to && part.mark !== 'code') last.text += part.text
    else merged.push({ ...part })
    return merged
  }, [])
}

/** Without the back quotes, as CommonMark section 6.1 strips them. */
function codeText(raw: string): string {
  const inside = raw.replace(/^(`+)([\s\S]*?)\1$/, '$2').replaceAll('\n', ' ')
  return /^ .*[^ ].* $/.test(inside) ? inside.slice(1, -1) : inside
}

/** Entities as the characters that they name. */
function plain(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#39);/g, (_all, name: string) => ENTITIES[name] ?? '')
}
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

/** A line break in the source is a space, between Chinese characters nothing. */
function unbroken(text: string): string {
  return text.replace(/(\p{Script=Han}|[，。；：、])\n(?=\p{Script=Han})/gu, '$1').replaceAll('\n', ' ')
}

export function plainText(parts: readonly ArticlePart[]): string {
  return parts.map(({ text }) => text).join('')
}

/** All that a block says, for the search. Code is left out: names of interfaces are found in text and words. */
export function blockText(block: ArticleBlock): string {
  switch (block.kind) {
    case 'heading':
      return block.text
    case 'text':
    case 'note':
      return plainText(block.parts)
    case 'list':
      return block.items.map(plainText).join('\n')
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainText).join(' ')).join('\n')
    case 'image':
      return block.alt
    default:
      return ''
  }
}
