/** A list of words as a scan takes it. */
export interface WordGroup {
  /** Name that hits are told under. */
  readonly group: string
  readonly words: readonly string[]
}

/** Pixels of a picture, four bytes each: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/**
 * What looks at pictures; readers for them are no part of the engines. What is missing is named in the result's notes: nobody shall
 * take a picture that nobody looked at for a clean one.
 */
export interface ImageTools {
  /** Null where it is no picture, or one of a kind that cannot be read. */
  readonly decode: ((bytes: Uint8Array) => Pixels | null) | null
  /** Texts of the QR codes in a picture. */
  readonly readQr: ((pixels: Pixels) => readonly string[]) | null
  /** Entry -> text that was read in it beforehand (text recognition takes its time elsewhere). */
  readonly texts: ReadonlyMap<string, string> | null
}

export interface ContentLimits {
  /** Hits that are kept; further ones are counted in a note. */
  readonly hits: number
  readonly images: number
  /** Bytes of one text file and of all. */
  readonly textFile: number
  readonly allText: number
}

export const CONTENT_LIMITS: ContentLimits = { hits: 500, images: 150, textFile: 4 * 2 ** 20, allText: 48 * 2 ** 20 }
