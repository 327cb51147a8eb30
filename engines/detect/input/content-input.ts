/** A list of words as a scan takes it. */
export interface WordGroup {
  /** Name that hits are reported under. */
  readonly group: string
  readonly words: readonly string[]
}

/** Pixels of a picture, four bytes each: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** The same in one byte of grey each. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What was read in one picture; null where that took too long or went wrong. */
export type ReadText = { readonly text: string } | null

/**
 * What looks at pictures; readers for them are no part of the engines. What is missing is named in the result's notes: no one shall
 * take a picture that was not examined for a clean one.
 */
export interface ImageTools {
  /** With the longer side at most this long; null where it is no picture, or one of a kind that cannot be read. */
  readonly decode: ((bytes: Uint8Array, longest: number) => Pixels | null) | null
  /** Texts of the QR codes in a picture. */
  readonly readQr: ((pixels: Pixels) => readonly string[]) | null
  /** Recognises words, an answer a picture. Null where no reader is installed. */
  readonly readTexts: ((pictures: Iterable<GreyPicture>) => readonly ReadText[]) | null
}

export interface ContentLimits {
  /** Hits that are kept; further ones are counted in a note. */
  readonly hits: number
  /** Pictures that QR codes are looked for in, the largest ones. */
  readonly images: number
  /** Pictures that are looked at for words, and those of them that are read. */
  readonly textImages: number
  readonly readImages: number
  /** Bytes of one text file and of all. */
  readonly textFile: number
  readonly allText: number
}

export const CONTENT_LIMITS: ContentLimits = {
  hits: 500,
  images: 150,
  textImages: 300,
  readImages: 60,
  textFile: 4 * 2 ** 20,
  allText: 48 * 2 ** 20,
}
