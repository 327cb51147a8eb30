/**
 * Template files of the platform: texts of its owner, which pages and reports show. A file is Markdown of the plainest kind: headings
 * (`#` to `###`), lists (`-`), paragraphs between empty lines; everything else is shown as it is. `{{platform}}`, `{{subject}}`,
 * `{{date}}` and `{{author}}` are filled in.
 */
export const PLACEHOLDERS = ['platform', 'subject', 'date', 'author'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]
export type PlaceholderValues = Readonly<Record<Placeholder, string>>

export type TextBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }

const PLACEHOLDER = /\{\{\s*([^{}\n]{1,40}?)\s*\}\}/g

/** The names between double braces, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name as string))]
}

/** The text with known placeholders filled in; values are text and never read again. */
export function fillIn(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as Placeholder] : whole,
  )
}

/** The blocks of a text, in its order. Lines of one paragraph are joined; between two that end or begin in Chinese no space is put. */
export function parseText(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  let items: string[] = []
  const end = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', text: lines.reduce(joined) })
    if (items.length > 0) blocks.push({ kind: 'list', items })
    lines = []
    items = []
  }
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const heading = /^(#{1,3})\s+(.+)$/.exec(line)
    const item = /^[-*]\s+(.+)$/.exec(line)
    if (line === '') end()
    else if (heading) {
      end()
      blocks.push({ kind: 'heading', level: heading[1]?.length as 1 | 2 | 3, text: heading[2] as string })
    } else if (item) {
      if (lines.length > 0) end()
      items.push(item[1] as string)
    } else if (items.length > 0) items.push(joined(items.pop() as string, line))
    else lines.push(line)
  }
  end()
  return blocks
}

const WIDE = /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/
function joined(before: string, after: string): string {
  return WIDE.test(before.at(-1) ?? '') || WIDE.test(after[0] ?? '') ? before + after : `${before} ${after}`
}
