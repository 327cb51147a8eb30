import type { IsSuppressed } from '../detect/result/judge-result.ts'
import type { Finding, FindingLevel, ItemResult, Location, ScanResult } from '../detect/result/scan-result.ts'

export interface SarifOptions {
  readonly language: 'zh' | 'en'
  readonly isSuppressed: IsSuppressed
  /** Why, where it is suppressed. */
  readonly reasonOf?: (item: string, fingerprint: string | null) => string | undefined
}

const LEVELS: Record<FindingLevel, string> = { high: 'error', middle: 'warning', low: 'note', info: 'note' }
/** What readers of SARIF rank by (0 to 10). */
const SEVERITY: Record<FindingLevel, string> = { high: '8.0', middle: '5.5', low: '3.0', info: '0.0' }

/** The result as one run of a SARIF 2.1.0 log: a rule an item, a result a finding, what was not assessed as notifications. */
export function sarifOf(result: ScanResult, options: SarifOptions): object {
  const { language } = options
  const asked = result.items.filter((item) => item.verdict !== 'not_applicable')
  const index = new Map(asked.map((item, at) => [item.id, at]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'AppWarden',
            version: result.rules.version,
            rules: asked.map((item) => ruleOf(item, language)),
            ...taxonomies(asked),
          },
        },
        artifacts: [
          {
            location: { uri: encodeURI(result.package.name || result.package.id) },
            length: result.package.size,
            hashes: { 'sha-256': result.package.sha256, 'sha-1': result.package.sha1, md5: result.package.md5 },
          },
        ],
        automationDetails: { id: `${result.package.id}/${result.package.version}` },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: result.notAssessed.map(({ key, text }) => ({
              level: 'warning',
              descriptor: { id: key },
              message: { text: text[language] },
            })),
          },
        ],
        columnKind: 'utf16CodeUnits',
        properties: { score: result.score.value, grade: result.score.grade, kinds: result.kinds },
        results: asked.flatMap((item) =>
          item.verdict === 'fail'
            ? item.findings.map((finding) => resultOf(item, finding, index.get(item.id) as number, options))
            : [],
        ),
      },
    ],
  }
}

function ruleOf(item: ItemResult, language: 'zh' | 'en'): object {
  const cwe = item.references.cwe
  return {
    id: item.id,
    name: item.name.en,
    shortDescription: { text: item.name[language] },
    fullDescription: { text: item.threat[language] },
    help: { text: item.advice[language] },
    defaultConfiguration: { level: LEVELS[item.level] },
    properties: {
      category: item.category,
      precision: item.confidence,
      'security-severity': SEVERITY[item.level],
      tags: ['security', ...cwe.map((one) => `external/cwe/${one.toLowerCase()}`)],
      references: item.references,
    },
    ...(cwe.length > 0 && {
      relationships: cwe.map((one) => ({
        target: { id: one.replace(/^CWE-/, ''), toolComponent: { name: 'CWE' } },
        kinds: ['superset'],
      })),
    }),
  }
}

/** CWE is named as the taxonomy that rules refer to. */
function taxonomies(items: readonly ItemResult[]): object {
  return items.some(({ references }) => references.cwe.length > 0) ? { supportedTaxonomies: [{ name: 'CWE' }] } : {}
}

function resultOf(item: ItemResult, finding: Finding, ruleIndex: number, options: SarifOptions): object {
  const whole = options.isSuppressed(item.id, null)
  const muted = whole || options.isSuppressed(item.id, finding.fingerprint)
  const justification = muted ? options.reasonOf?.(item.id, whole ? null : finding.fingerprint) : undefined
  return {
    ruleId: item.id,
    ruleIndex,
    level: LEVELS[item.level],
    kind: 'fail',
    message: { text: finding.detail[options.language] || item.name[options.language] },
    locations: [locationOf(finding.evidence)],
    partialFingerprints: { 'appwarden/v1': finding.fingerprint },
    ...(muted && { suppressions: [{ kind: 'external', status: 'accepted', ...(justification && { justification }) }] }),
    properties: { owner: finding.owner.kind, ...(finding.owner.sdk !== null && { sdk: finding.owner.sdk }) },
  }
}

function locationOf(place: Location): object {
  const snippet = place.snippet?.join('\n')
  const region = {
    ...(place.line !== undefined && place.line > 0 && { startLine: place.line }),
    // A byte offset is evidence only where the entry is named; a line of source goes before it.
    ...((place.line === undefined || place.line <= 0) &&
      place.offset >= 0 && { byteOffset: place.offset, byteLength: 0 }),
    ...(snippet !== undefined && { snippet: { text: snippet } }),
  }
  const located = 'startLine' in region || 'byteOffset' in region
  const name = place.method ?? place.class ?? place.path
  return {
    physicalLocation: {
      artifactLocation: { uri: place.entry.split('/').map(encodeURIComponent).join('/') },
      ...(located && { region }),
    },
    ...(name !== undefined && {
      logicalLocations: [
        { fullyQualifiedName: name, kind: place.method ? 'function' : place.class ? 'type' : 'element' },
      ],
    }),
  }
}
