import { createHash } from 'node:crypto'

/** The one style that React Aria adds to every page with something to press: allowed by its hash, to the letter. */
const PRESSABLE_STYLE = `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`

/** Headers of every answer; `tls`: the server itself speaks TLS. */
export function commonHeaders(tls: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(tls ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** Nothing may run in or embed an answer that is data. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** The policy of the page: scripts and styles of our own files, and what index.html itself contains inline, by hash. */
export function pagePolicy(html: string): string {
  const scripts = inline(html, 'script').map(hashSource)
  const styles = [PRESSABLE_STYLE, ...inline(html, 'style')].map(hashSource)
  return [
    "default-src 'self'",
    `script-src 'self'${scripts.map((one) => ` ${one}`).join('')}`,
    `style-src 'self'${styles.map((one) => ` ${one}`).join('')}`,
    "style-src-attr 'unsafe-inline'", // charts set sizes on elements that they write as text
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function inline(html: string, tag: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${tag}(?![^>]*\\bsrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map((match) => match[1] as string)
    .filter((text) => text.trim() !== '')
}

/** The source expression that allows exactly this inline text (CSP Level 3, 2.3.1). */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
