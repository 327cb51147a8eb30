const URL_PATTERN =
  /^(https?|ftp):\/\/(?:(?<v6>\[[0-9a-fA-F:.]+\])|(?<host>[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*))(?::(?<port>\d{1,5}))?(?:[/?#][^\s]*)?$/

/** The URL check (REQ-05): http, https or ftp with a host or IP address, an optional port and an optional path. */
export function isUrl(text: string): boolean {
  if (text.length > 2048) return false
  const match = URL_PATTERN.exec(text)
  if (!match?.groups) return false
  const { host, port } = match.groups
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  // All digits and dots is meant as an IPv4 address and must be one.
  if (host !== undefined && /^[\d.]+$/.test(host)) {
    const parts = host.split('.')
    return parts.length === 4 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part)
  }
  return true
}
