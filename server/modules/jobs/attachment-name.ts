/**
 * Content-Disposition of a download (RFC 6266): an ASCII name for old readers and the full name in UTF-8 (RFC 8187). Path separators,
 * control characters and quotes never survive.
 */
export function attachment(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
  const clean = name
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/g, '_')
    .replace(/\p{Surrogate}/gu, '_')
  const ascii = clean.replace(/[^\x20-\x7e]/g, '_').replace(/[%]/g, '_')
  const encoded = encodeURIComponent(clean).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
