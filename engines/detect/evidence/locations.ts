import type { ClassFacts, CodeLocation, MethodFacts } from '../../dex/program.ts'
import type { Location } from '../result/scan-result.ts'

/** `Lcom/foo/Bar$1;` as people write it: `com.foo.Bar$1`. */
export const dotted = (descriptor: string): string =>
  descriptor.startsWith('L') && descriptor.endsWith(';') ? descriptor.slice(1, -1).replaceAll('/', '.') : descriptor

export const descriptorOf = (className: string): string => `L${className.replaceAll('.', '/')};`

/** `name(params)return` of a method reference. */
export const memberOf = (reference: string): string => reference.slice(reference.indexOf('->') + 2)

/** `WebSettings.setJavaScriptEnabled` of a method reference, for messages. */
export function shortName(reference: string): string {
  const arrow = reference.indexOf('->')
  const owner = dotted(reference.slice(0, arrow))
  const open = reference.indexOf('(', arrow)
  const member = reference.slice(arrow + 2, open < 0 ? undefined : open)
  return `${owner.slice(owner.lastIndexOf('.') + 1)}.${member}`
}

export function locationOfCode(location: CodeLocation): Location {
  return {
    entry: location.entry,
    offset: location.offset,
    class: dotted(location.method.owner),
    method: memberOf(location.method.reference),
    ...(location.line !== null && { line: location.line }),
  }
}

export const locationOfClass = (found: ClassFacts): Location => ({
  entry: found.entry,
  offset: found.offset,
  class: dotted(found.descriptor),
})

export function locationOfMethod(found: ClassFacts, method: MethodFacts): Location {
  return { ...locationOfClass(found), method: memberOf(method.reference) }
}
