import type { Component, Evidence } from '../../apk/apk-facts.ts'
import { MANIFEST } from '../../apk/manifest-reader.ts'
import type { ClassFacts, CodeLocation, MethodFacts } from '../../dex/program.ts'
import { descriptorOf, locationOfClass, locationOfCode, locationOfMethod } from '../evidence/locations.ts'
import type { XmlLocation } from '../evidence/xml-text.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import type { Hit } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

export const codeHit = (location: CodeLocation, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: locationOfCode(location),
  codeLocation: location,
  key,
  detail,
  ...(level && { level }),
})

export const classHit = (found: ClassFacts, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: locationOfClass(found),
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
  location: locationOfMethod(found, method),
  key,
  detail,
  ...(level && { level }),
})

export const evidenceHit = (evidence: Evidence, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: { entry: evidence.entry, offset: evidence.offset, ...(evidence.path && { path: evidence.path }) },
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

export const xmlHit = (entry: string, at: XmlLocation, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: { entry, offset: at.element.offset, path: at.path },
  key,
  detail,
  ...(level && { level }),
})

export const entryHit = (entry: string, key: string, detail: Text, level?: FindingLevel, offset = -1): Hit => ({
  location: { entry, offset },
  key,
  detail,
  ...(level && { level }),
})

/** The entry of the manifest, wherever the kind of package has it. */
export const manifestOf = ({ facts }: RuleContext): string => facts?.package?.evidence.entry ?? MANIFEST

/** Something that the whole application lacks: located at the application element of the manifest. */
export const wholeHit = (context: RuleContext, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: { entry: context.facts ? manifestOf(context) : (context.entries[0]?.name ?? ''), offset: -1 },
  owner: { kind: 'own', sdk: null },
  key,
  detail,
  ...(level && { level }),
})
