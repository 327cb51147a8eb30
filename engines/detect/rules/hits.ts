import type { Component, Evidence } from '../../apk/apk-facts.ts'
import { MANIFEST } from '../../apk/manifest-reader.ts'
import type { ClassFacts, CodeSite, MethodFacts } from '../../dex/program.ts'
import type { FindingLevel, Place, Text } from '../scan-result.ts'
import type { Hit } from './rule.ts'
import type { RuleContext } from './rule-context.ts'
import type { XmlPlace } from './xml-text.ts'

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

export function placeOfSite(site: CodeSite): Place {
  return {
    entry: site.entry,
    offset: site.offset,
    class: dotted(site.method.owner),
    method: memberOf(site.method.reference),
    ...(site.line !== null && { line: site.line }),
  }
}

export const placeOfClass = (found: ClassFacts): Place => ({
  entry: found.entry,
  offset: found.offset,
  class: dotted(found.descriptor),
})

export function placeOfMethod(found: ClassFacts, method: MethodFacts): Place {
  return { ...placeOfClass(found), method: memberOf(method.reference) }
}

export const siteHit = (site: CodeSite, key: string, detail: Text, level?: FindingLevel): Hit => ({
  place: placeOfSite(site),
  site,
  key,
  detail,
  ...(level && { level }),
})

export const classHit = (found: ClassFacts, key: string, detail: Text, level?: FindingLevel): Hit => ({
  place: placeOfClass(found),
  key,
  detail,
  ...(level && { level }),
})

export const methodHit = (
  found: ClassFacts,
  method: MethodFacts,
  key: string,
  detail: Text,
  level?: FindingLevel,
): Hit => ({
  place: placeOfMethod(found, method),
  key,
  detail,
  ...(level && { level }),
})

export const evidenceHit = (evidence: Evidence, key: string, detail: Text, level?: FindingLevel): Hit => ({
  place: { entry: evidence.entry, offset: evidence.offset, ...(evidence.path && { path: evidence.path }) },
  key,
  detail,
  ...(level && { level }),
})

/** Of a component of the manifest: it belongs to whom its class belongs to. */
export const componentHit = (
  context: RuleContext,
  component: Component,
  key: string,
  detail: Text,
  level?: FindingLevel,
): Hit => ({
  ...evidenceHit(component.evidence, key, detail, level),
  owner: context.ownerOf(descriptorOf(component.targetActivity ?? component.name)),
})

export const xmlHit = (entry: string, at: XmlPlace, key: string, detail: Text, level?: FindingLevel): Hit => ({
  place: { entry, offset: at.element.offset, path: at.path },
  key,
  detail,
  ...(level && { level }),
})

export const entryHit = (entry: string, key: string, detail: Text, level?: FindingLevel, offset = -1): Hit => ({
  place: { entry, offset },
  key,
  detail,
  ...(level && { level }),
})

/** The entry of the manifest, wherever the kind of package has it. */
export const manifestOf = ({ facts }: RuleContext): string => facts?.package?.evidence.entry ?? MANIFEST

/** Something that the whole application lacks: the manifest's application stands for it. */
export const wholeHit = (context: RuleContext, key: string, detail: Text, level?: FindingLevel): Hit => ({
  place: { entry: context.facts ? manifestOf(context) : (context.entries[0]?.name ?? ''), offset: -1 },
  owner: { kind: 'own', sdk: null },
  key,
  detail,
  ...(level && { level }),
})
