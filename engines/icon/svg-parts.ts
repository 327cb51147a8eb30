import { FormatError } from '../bytes/format-error.ts'

/** What one icon may cost; above it FormatError `limit` of format `icon` is thrown. */
export interface IconLimits {
  /** Drawables within drawables. */
  readonly depth: number
  /** Elements of the picture. */
  readonly elements: number
  /** Characters of the picture, raster images left out. */
  readonly characters: number
  /** Sides of a raster image. */
  readonly side: number
  /** Bytes of a raster image. */
  readonly raster: number
}

export const ICON_LIMITS: IconLimits = {
  depth: 8,
  elements: 2_000,
  characters: 400_000,
  side: 4_096,
  raster: 8_000_000,
}

/** Collects the SVG of one icon and counts what it costs. */
export class SvgParts {
  private readonly definitions: string[] = []
  private elements = 0
  private characters = 0
  private names = 0
  readonly limits: IconLimits

  constructor(limits: IconLimits) {
    this.limits = limits
  }

  /** The part, counted. */
  part(text: string): string {
    this.count(text.length)
    return text
  }

  /** A part that others refer to by the name it gets. */
  define(make: (name: string) => string): string {
    const name = `d${this.names++}`
    const text = make(name)
    this.count(text.length)
    this.definitions.push(text)
    return name
  }

  /** A raster image in its data address, which is counted by its own limit. */
  image(text: string): string {
    this.count(200)
    return text
  }

  /** Counts something that is looked at and perhaps not drawn: pictures may name each other in thousands of ways. */
  step(): void {
    this.count(0)
  }

  document(viewBox: string, content: string): string {
    const defs = this.definitions.length ? `<defs>${this.definitions.join('')}</defs>` : ''
    return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="${viewBox}">${defs}${content}</svg>`
  }

  private count(characters: number): void {
    this.elements++
    this.characters += characters
    if (this.elements > this.limits.elements || this.characters > this.limits.characters)
      throw new FormatError('icon', 'limit', -1, 'more than an icon has')
  }
}

/** A number as SVG takes it: short, never an exponent of a hostile size. */
export function svgNumber(value: number): string {
  return String(Math.round(Math.max(-1e6, Math.min(1e6, value)) * 1000) / 1000)
}

/** Path data is copied as it is, so nothing but path data passes. */
export function pathData(text: string | undefined): string | undefined {
  return text && /^[\sMmLlHhVvCcSsQqTtAaZzEe0-9.,+-]+$/.test(text) ? text.trim() : undefined
}
