import type { Location } from '../detect/result/scan-result.ts'

/** A location as one line: class and method with their line, or the entry with path and offset. */
export function locationText({ entry, offset, path, class: owner, method, line }: Location): string {
  const at = `(${entry}${offset >= 0 ? ` +0x${offset.toString(16)}` : ''})`
  if (owner) {
    const name = method
      ? `.${method.slice(0, method.indexOf('(') + 1 || undefined)}${method.includes('(') ? ')' : ''}`
      : ''
    return `${owner}${name}${line === undefined ? '' : `:${line}`} ${at}`
  }
  return path ? `${path} ${at}` : at.slice(1, -1)
}
