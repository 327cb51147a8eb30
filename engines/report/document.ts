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

export type Tone = 'high' | 'middle' | 'low' | 'info' | 'good' | 'bad' | 'quiet'

export type Block =
  /** Levels 1 and 2 are in the table of contents; all three are bookmarks. */
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: Tone }
  /** A line that begins with a bold label. */
  | { readonly kind: 'labelled'; readonly label: string; readonly text: string; readonly tone?: Tone }
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
  | { readonly kind: 'evidence'; readonly location: string; readonly note: string; readonly lines: readonly string[] }
  | { readonly kind: 'verdict'; readonly label: string; readonly text: string; readonly tone: Tone }

export interface Column {
  readonly title: string
  /** Share of the width; the shares of a table need no certain sum. */
  readonly share: number
  readonly align?: 'right'
}

export type Cell = string | { readonly text: string; readonly tone: Tone }

/** Colours on white; level words accompany their colour everywhere. */
export const TONE_COLORS: Readonly<Record<Tone, string>> = {
  high: 'c0143c',
  middle: 'b85c00',
  low: '1d6fd1',
  info: '5b6b7f',
  good: '107a50',
  bad: 'c81e4f',
  quiet: '5b6b7f',
}
