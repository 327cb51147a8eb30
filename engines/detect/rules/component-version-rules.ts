import { FormatError } from '../../bytes/format-error.ts'
import { readZip } from '../../zip/read-zip.ts'
import { namesSdk } from '../content/policy-text.ts'
import data from '../data/component-vulnerabilities.json' with { type: 'json' }
import { classHit, entryHit } from './hits.ts'
import { type Hit, notAssessed, type Rule, type RuleTable, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'
import { compareVersions, olderThan } from './versions.ts'

type Range = readonly (readonly [cve: string, from: string, before: string])[]
export const COMPONENTS = data as unknown as {
  readonly version: string
  readonly native: readonly {
    readonly component: string
    readonly library?: string
    readonly pattern: string
    readonly ranges: Range
  }[]
  readonly java: readonly {
    readonly sdk: string
    readonly component: string
    readonly artifact: string
    readonly ranges: Range
  }[]
}

/** Vulnerabilities of a version, each once. */
export function affecting(ranges: Range, version: string): string[] {
  return [
    ...new Set(
      ranges
        .filter(([, from, before]) => (compareVersions(version, from) ?? -1) >= 0 && olderThan(version, before))
        .map(([cve]) => cve),
    ),
  ]
}

const needsNothing = (check: Rule['check']): Rule => ({ needs: ['archive'], check })

interface FoundVersion {
  readonly artifact: string
  readonly version: string
  readonly entry: string
}

/** Versions that build tools leave in META-INF. */
function versionFiles(context: RuleContext): FoundVersion[] {
  return context.entries.flatMap(({ name, size }): FoundVersion[] => {
    if (size > 65_536) return []
    const short = /^META-INF\/([\w.-]+)_([\w.-]+)\.version$/.exec(name)
    const properties = /^META-INF\/maven\/([\w.-]+)\/([\w.-]+)\/pom\.properties$/.exec(name)
    const found = short ?? properties
    if (!found) return []
    const content = Buffer.from(context.read(name) ?? []).toString('latin1')
    const version = short ? content.trim() : /^version\s*=\s*(\S+)/m.exec(content)?.[1]
    return version && /^\d[\w.+-]{0,60}$/.test(version)
      ? [{ artifact: `${found[1]}:${found[2]}`, version, entry: name }]
      : []
  })
}

export const componentVersionRules: RuleTable = {
  'android-sdk-known-vuln': needsNothing((context) => {
    const files = versionFiles(context)
    return COMPONENTS.java.flatMap(({ sdk, component, artifact, ranges }): Hit[] => {
      const file = files.find((found) => found.artifact === artifact)
      const detected = context.sdks.find(({ id }) => id === sdk)
      const version = file?.version ?? detected?.version
      if (!version) return []
      const cves = affecting(ranges, version)
      if (!cves.length) return []
      const location = file ? { entry: file.entry, offset: 0 } : (detected?.evidence[0] ?? { entry: '', offset: -1 })
      return [
        {
          location,
          owner: { kind: 'sdk', sdk },
          key: `${component} ${cves.join(' ')}`,
          detail: text(`${component} ${version}：${cves.join('、')}`, `${component} ${version}: ${cves.join(', ')}`),
        },
      ]
    })
  }),

  'android-sdk-log4shell': needsNothing((context) => {
    const JNDI = 'org/apache/logging/log4j/core/lookup/JndiLookup'
    const found = context.program?.classOf(`L${JNDI};`)
    const detail = text('包含 JndiLookup', 'holds JndiLookup')
    if (found) return [{ ...classHit(found, 'JndiLookup', detail), owner: { kind: 'sdk', sdk: 'log4j' } }]
    return context.entries.flatMap(({ name, size }): Hit[] => {
      if (!/\.jar$/i.test(name) || size > 32 * 2 ** 20) return []
      return hasEntryNamed(context.read(name), `${JNDI}.class`) ? [entryHit(name, 'JndiLookup', detail)] : []
    })
  }),

  'android-sdk-outdated-okhttp': needsNothing((context) => {
    const seen = new Set<string>()
    return context.texts.pieces.flatMap((piece): Hit[] => {
      const version = piece.source === 'code' ? /^okhttp\/(\d+\.\d+\.\d+)/.exec(piece.text)?.[1] : undefined
      if (!version || seen.has(version)) return []
      seen.add(version)
      const lts = /^3\.1[24]\./.test(version)
      const old = olderThan(version, '3.12.0') || (version.startsWith('4.') && olderThan(version, '4.9.2'))
      if (!old && !lts) return []
      const detail = text(`OkHttp ${version}`, `OkHttp ${version}`)
      return [
        {
          location: { entry: piece.entry, offset: piece.offset },
          owner: { kind: 'sdk', sdk: 'okhttp' },
          key: `okhttp ${version}`,
          detail,
          ...(lts && { level: 'info' as const }),
        },
      ]
    })
  }),

  'android-sdk-hotfix': needsNothing((context) =>
    context.sdks.flatMap((sdk): Hit[] =>
      sdk.category === 'hotfix' || sdk.category === 'hook_plugin'
        ? [
            {
              location: sdk.evidence[0] ?? { entry: '', offset: -1 },
              owner: { kind: 'sdk', sdk: sdk.id },
              key: sdk.id,
              detail: text(`热修复或插件框架 ${sdk.name.zh}`, `hotfix or plugin framework ${sdk.name.en}`),
            },
          ]
        : [],
    ),
  ),

  'android-sdk-undisclosed': needsNothing((context) => {
    const policy = context.policyText
    if (policy === null)
      return notAssessed('未提供隐私政策文本，请填写问卷', 'no policy text was given: the questionnaire asks for it')
    const given = { text: policy, place: null, html: null }
    return context.sdks.flatMap((sdk): Hit[] =>
      sdk.personalInfo.length && !namesSdk(given, { names: [sdk.name.zh, sdk.name.en, sdk.vendor] })
        ? [
            {
              location: sdk.evidence[0] ?? { entry: '', offset: -1 },
              owner: { kind: 'sdk', sdk: sdk.id },
              key: sdk.id,
              detail: text(`隐私政策未提及 ${sdk.name.zh}`, `the privacy policy does not name ${sdk.name.en}`),
            },
          ]
        : [],
    )
  }),
}

function hasEntryNamed(bytes: Uint8Array | null, name: string): boolean {
  if (!bytes) return false
  try {
    return readZip(bytes).byName.has(name)
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}
