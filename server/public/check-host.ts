import { isIP } from 'node:net'

/**
 * Why a request is refused by its Host header; undefined for none. Two Host headers are refused always (RFC 9112, 3.2). A server that only
 * this machine reaches (loopback, no trusted proxy) answers to names of this machine alone: a page of the internet whose name is made to
 * resolve to 127.0.0.1 (DNS rebinding) sends its own name. `configured`: the host that the server listens at.
 */
export function hostProblem(
  rawHeaders: readonly string[],
  configured: string,
  isPrivate: boolean,
): 'malformed' | 'foreign' | undefined {
  let host: string | undefined
  for (let n = 0; n < rawHeaders.length; n += 2) {
    if ((rawHeaders[n] as string).toLowerCase() !== 'host') continue
    if (host !== undefined) return 'malformed'
    host = rawHeaders[n + 1] as string
  }
  if (!isPrivate || host === undefined) return undefined
  const name = host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  const isLocal =
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === configured.toLowerCase() ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  return isLocal ? undefined : 'foreign'
}
