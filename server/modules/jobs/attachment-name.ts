/**
 * Content-Disposition of a download (RFC 6266): an ASCII name for old readers and the full name in UTF-8 (RFC 8187). Path separators,
 * control characters and quotes never survive.
 */
export function attachment(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}/\\:*?"<>|]/gu, '_')
  const ascii = clean.replace(/[^\x20-\x7e]/g, '_').replace(/[%]/g, '_')
  const encoded = encodeURIComponent(clean).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
