import data from '../data/sdks.json' with { type: 'json' }

/** How an SDK, library or packer shows itself in a package. */
export interface SdkSignature {
  readonly id: string
  readonly zh: string
  readonly en: string
  readonly vendor: string
  readonly category: string
  readonly country: string
  /** Package prefixes with a point at the end, or whole class names without. */
  readonly packages: readonly string[]
  readonly substrings: readonly string[]
  readonly so: readonly string[]
  readonly classes: readonly string[]
  /** Below assets/; a folder ends with a slash, `*` matches anything within a name. */
  readonly assets: readonly string[]
  readonly frameworks: readonly string[]
  readonly iosClasses: readonly string[]
  /** Kinds of personal information that it is known to collect. */
  readonly info: readonly string[]
  readonly confidence: 'high' | 'medium' | 'low'
}

export const SDK_SIGNATURES: readonly SdkSignature[] = data.rows.map((row) => {
  const cell = (name: string) => row[data.fields.indexOf(name)] ?? ''
  const list = (name: string) => words(cell(name))
  return {
    id: cell('id'),
    zh: cell('zh'),
    en: cell('en'),
    vendor: cell('vendor'),
    category: cell('category'),
    country: cell('country'),
    packages: list('packages'),
    substrings: list('substrings'),
    so: list('so'),
    classes: list('classes'),
    assets: list('assets'),
    frameworks: list('frameworks'),
    iosClasses: list('iosClasses'),
    info: list('info'),
    confidence: cell('confidence') as SdkSignature['confidence'],
  }
})

/** Library names that many unrelated packages use: they count with another sign of the same SDK only. */
export const WEAK_LIBRARIES: ReadonlySet<string> = new Set(words(data.weakSo))
/** Package prefixes too short or too common to stand alone. */
export const WEAK_PACKAGES: ReadonlySet<string> = new Set(words(data.weakPackages))

const BY_ID = new Map(SDK_SIGNATURES.map((one) => [one.id, one]))

export function sdkById(id: string): SdkSignature | undefined {
  return BY_ID.get(id)
}

function words(text: string): string[] {
  return text ? text.split(' ') : []
}
