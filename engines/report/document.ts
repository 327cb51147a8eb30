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
  /** Drawn on the first page where it is there: with the subject as title. */
  readonly front?: FrontPage
  readonly blocks: readonly Block[]
}

/** What the first page says. Points are of a hundred. */
export interface FrontPage {
  readonly verdict: { readonly text: string; readonly note: string; readonly tone: 'good' | 'bad' | 'quiet' }
  readonly gateTitle: string
  readonly conditions: readonly { readonly text: string; readonly now: string; readonly met: boolean }[]
  readonly score: {
    readonly title: string
    readonly value: number
    readonly left: string
    readonly taken: readonly { readonly level: LevelTone; readonly points: number; readonly text: string }[]
    readonly counts: readonly { readonly level: LevelTone; readonly word: string; readonly count: number }[]
  }
  readonly first: {
    readonly title: string
    readonly note: string
    /** `anchor`: of the heading whose page is named; null: the item has no chapter. */
    readonly rows: readonly {
      readonly level: LevelTone
      readonly name: string
      readonly advice: string
      readonly gain: string
      readonly anchor: string | null
    }[]
  }
  readonly coverage: {
    readonly title: string
    readonly note: string
    /** `open` was not assessed and is hatched. */
    readonly parts: readonly {
      readonly kind: 'pass' | 'fail' | 'rest' | 'open'
      readonly word: string
      readonly count: number
    }[]
  }
  readonly file: { readonly label: string; readonly sha256: string }
  readonly signatures: readonly { readonly label: string; readonly name: string }[]
  /** Below each line to sign. */
  readonly signHere: string
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
