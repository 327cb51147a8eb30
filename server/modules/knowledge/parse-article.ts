import { Lexer, type Token, type Tokens } from 'marked'
import { type ArticleBlock, type ArticlePart, CODE_LANGUAGES, type CodeLanguage } from '#contracts/http/knowledge.ts'

/** A file of code beside the text of an article. */
export type CodeFile = { name: string; language: CodeLanguage; text: string; compiled: boolean }

const LANGUAGES = Object.keys(CODE_LANGUAGES)

/**
 * Markdown (CommonMark with tables of GitHub) as blocks of plain text. HTML, pictures, nested lists and addresses other than
 * `article:<id>` and `https:` are refused, so that nothing an author writes is markup to a browser. Throws Error with what and where.
 */
export function parseArticle(markdown: string, files: readonly CodeFile[] = []): ArticleBlock[] {
  const blocks: ArticleBlock[] = []
  const ids = new Set<string>()
  for (const token of new Lexer({ gfm: true, breaks: false }).lex(markdown)) {
    const block = blockOf(token, files, ids)
    if (block) blocks.push(block)
  }
  return blocks
}

function blockOf(token: Token, files: readonly CodeFile[], ids: Set<string>): ArticleBlock | undefined {
  switch (token.type) {
    case 'space':
      return undefined
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      if (depth < 2 || depth > 3) throw new Error(`heading of level ${depth}: ${token.raw.trim()}`)
      const text = plainText(partsOf(tokens))
      const id = `h${ids.size + 1}`
      ids.add(id)
      return { kind: 'heading', level: depth, id, text }
    }
    case 'paragraph': {
      const { text, tokens } = token as Tokens.Paragraph
      const named = /^\{\{([a-z][a-z0-9-]*)\}\}$/.exec(text.trim())
      if (named) return filesBlock(named[1] as string, files)
      return { kind: 'text', parts: partsOf(tokens) }
    }
    case 'blockquote': {
      const [only, ...more] = (token as Tokens.Blockquote).tokens
      if (only?.type !== 'paragraph' || more.length > 0) throw new Error(`a quotation is one paragraph: ${token.raw}`)
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
      throw new Error(`${token.type} is not allowed: ${token.raw.slice(0, 60)}`)
  }
}

function itemOf(item: Tokens.ListItem): ArticlePart[] {
  const [only, ...more] = item.tokens.filter(({ type }) => type !== 'space')
  if (!only || more.length > 0 || !['text', 'paragraph'].includes(only.type))
    throw new Error(`a list item is one line: ${item.raw.slice(0, 60)}`)
  return partsOf((only as Tokens.Text).tokens ?? [only])
}

function filesBlock(name: string, files: readonly CodeFile[]): ArticleBlock {
  const shown = files
    .filter((file) => file.name.slice(0, file.name.lastIndexOf('.')) === name)
    .toSorted((a, b) => LANGUAGES.indexOf(a.language) - LANGUAGES.indexOf(b.language))
  if (shown.length === 0) throw new Error(`{{${name}}}: there is no such file`)
  return { kind: 'files', files: shown }
}

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
        if (!/^(?:article:[a-z0-9-]+|https:\/\/\S+)$/.test(href)) throw new Error(`address not allowed: ${href}`)
        return partsOf(tokens, { ...around, to: href.replace(/^article:/, '') })
      }
      default:
        throw new Error(`${token.type} is not allowed: ${token.raw.slice(0, 60)}`)
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
    default:
      return ''
  }
}
