/**
 * Public keys of the vendor that issues licences for this build: uncompressed SM2 points, 130 hexadecimal digits each, the current one first and
 * the next one beside it. `npx appwarden licence new-key` makes one (docs/operations/licence.md); its private half never lies here. A build
 * without keys takes those of APPWARDEN_LICENCE_KEYS, so that tests and own builds can issue; one that has keys ignores the variable.
 */
const VENDOR_KEYS: readonly string[] = []

/** The keys that licences are checked against. `configured`: APPWARDEN_LICENCE_KEYS. */
export function vendorKeys(configured: readonly string[]): readonly Uint8Array[] {
  return vendorKeyTexts(configured).map((key) => Buffer.from(key, 'hex'))
}

/** The same in hexadecimal. Updates of the product are checked against them too. */
export function vendorKeyTexts(configured: readonly string[]): string[] {
  return [...(VENDOR_KEYS.length > 0 ? VENDOR_KEYS : configured)]
}
