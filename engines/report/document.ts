/**
 * A report as a plain list of blocks: one model, from which PDF and DOCX are written. Texts are data, never markup, in the one language of
 * the document; colours are six hexadecimal digits.
 */
export interface ReportDocument {
  readonly language: 'zh' | 'en'
  readonly title: string
  /** What the report is about: name and version. */
  readonly subject: string
  /** At the foot of the cover and of each page. */
  readonly issuer: string
  /** Below it on each page, as 'Confidential'; '' : nothing. */
  readonly footer: string
  /** Lines of the cover: what, whose, when. */
  readonly cover: readonly LabelledText[]
  /** When it was made, epoch milliseconds. */
  readonly made: number
  /** PNG; above the title of the cover. */
  readonly logo: Uint8Array | null
  readonly blocks: readonly Block[]
}

export interface LabelledText {
  readonly label: string
  readonly text: string
}

/** The four levels have a shape before the word; good and bad are for verdict and gate alone. */
export type Tone = 'high' | 'middle' | 'low' | 'info' | 'good' | 'bad' | 'strong' | 'quiet'
export type LevelTone = 'high' | 'middle' | 'low' | 'info'

export type Block =
  /** Level 1 is in the table of contents; all three are bookmarks. `anchor`: lower case letters, digits, '-' and '_', once in a document. */
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string; readonly anchor?: string }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: Tone }
  /** A line that begins with a bold label. */
  | { readonly kind: 'labelled'; readonly label: string; readonly text: string; readonly tone?: Tone }
  /** A bold label and names, each a link where it has an address (https). */
  | { readonly kind: 'links'; readonly label: string; readonly links: readonly Link[] }
  | { readonly kind: 'facts'; readonly rows: readonly LabelledText[] }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[] }
  | {
      readonly kind: 'chart'
      readonly svg: string
      readonly alt: string
      readonly width: number
      readonly height: number
    }
  /** A location in the package with what is there. */
  | {
      readonly kind: 'evidence'
      readonly location: string
      readonly note: string
      readonly lines: readonly string[]
      /** Level of the item. */
      readonly tone?: LevelTone
    }
  | { readonly kind: 'verdict'; readonly label: string; readonly text: string; readonly tone: Tone }

export interface Link {
  readonly text: string
  readonly url: string | null
}

export interface Column {
  readonly title: string
  /** Share of the width; the shares of a table need no certain sum. */
  readonly share: number
  readonly align?: 'right'
}

export type Cell = string | { readonly text: string; readonly tone: Tone }
