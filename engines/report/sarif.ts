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
  const taxa = [...new Set(asked.flatMap(({ references }) => references.cwe.map(numberOf)))].sort((a, b) => +a - +b)
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'AppWarden',
            version: result.rules.version,
            rules: asked.map((item) => ruleOf(item, language, taxa)),
            ...(taxa.length > 0 && { supportedTaxonomies: [CWE] }),
          },
        },
        ...(taxa.length > 0 && { taxonomies: [taxonomyOf(taxa)] }),
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

function ruleOf(item: ItemResult, language: 'zh' | 'en', taxa: readonly string[]): object {
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
        target: { id: numberOf(one), index: taxa.indexOf(numberOf(one)), toolComponent: CWE },
        kinds: ['superset'],
      })),
    }),
  }
}

/** Guid of the taxonomy, the one that the SARIF sample of CWE 4.4 and other tools use. */
const CWE = { name: 'CWE', index: 0, guid: 'FFC64C90-42B6-44CE-8BEB-F6B7DAE649E5' }

/** `CWE-319` as its taxon is called. */
function numberOf(cwe: string): string {
  return cwe.replace(/^CWE-/, '')
}

/** The CWE entries that rules refer to (section 3.19.3: a taxonomy is a tool component). */
function taxonomyOf(taxa: readonly string[]): object {
  return {
    name: CWE.name,
    guid: CWE.guid,
    organization: 'MITRE',
    shortDescription: { text: 'The MITRE Common Weakness Enumeration' },
    informationUri: 'https://cwe.mitre.org/',
    isComprehensive: false,
    taxa: taxa.map((id) => ({ id, name: `CWE-${id}`, helpUri: `https://cwe.mitre.org/data/definitions/${id}.html` })),
  }
}

function resultOf(item: ItemResult, finding: Finding, ruleIndex: number, options: SarifOptions): object {
  const whole = options.isSuppressed(item.id, null)
  const muted = whole || options.isSuppressed(item.id, finding.fingerprint)
  const justification = muted ? options.reasonOf?.(item.id, whole ? null : finding.fingerprint) : undefined
  return {
    ruleId: item.id,
    ruleIndex,
    level: LEVELS[finding.level ?? item.level],
    kind: 'fail',
    message: { text: finding.detail[options.language] || item.name[options.language] },
    locations: [locationOf(finding.evidence)],
    partialFingerprints: { 'appwarden/v1': finding.fingerprint },
    ...(muted && { suppressions: [{ kind: 'external', status: 'accepted', ...(justification && { justification }) }] }),
    properties: { owner: finding.owner.kind, ...(finding.owner.sdk !== null && { sdk: finding.owner.sdk }) },
  }
}

function locationOf(location: Location): object {
  const snippet = location.snippet?.join('\n')
  const region = {
    ...(location.line !== undefined && location.line > 0 && { startLine: location.line }),
    // A byte offset is evidence only where the entry is named; a line of source goes before it.
    ...((location.line === undefined || location.line <= 0) &&
      location.offset >= 0 && { byteOffset: location.offset, byteLength: 0 }),
    ...(snippet !== undefined && { snippet: { text: snippet } }),
  }
  const located = 'startLine' in region || 'byteOffset' in region
  const logical = logicalLocations(location)
  return {
    physicalLocation: {
      artifactLocation: { uri: location.entry.split('/').map(encodeURIComponent).join('/') },
      ...(located && { region }),
    },
    ...(logical.length > 0 && { logicalLocations: logical }),
  }
}

/**
 * The method with its class and signature as Java writes it (`com.example.A.go(int): void`), and the class that it is in; for a location in XML or a
 * property list its path.
 */
function logicalLocations(location: Location): object[] {
  const { class: type, method, path } = location
  if (type === undefined) {
    const name = method ?? path
    return name === undefined ? [] : [{ fullyQualifiedName: name, kind: method ? 'function' : 'element' }]
  }
  const inClass = { name: type.slice(type.lastIndexOf('.') + 1), fullyQualifiedName: type, kind: 'type' }
  if (method === undefined) return [inClass]
  return [
    {
      name: /^[^(]*/.exec(method)?.[0] ?? method,
      fullyQualifiedName: `${type}.${javaSignature(method)}`,
      decoratedName: `L${type.replaceAll('.', '/')};->${method}`,
      kind: 'function',
    },
    inClass,
  ]
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  V: 'void',
  Z: 'boolean',
  B: 'byte',
  S: 'short',
  C: 'char',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
}

/** `go(ILjava/lang/String;)V` (JVMS 4.3.3) as `go(int, java.lang.String): void`; another form as it is. */
function javaSignature(method: string): string {
  const [, name, parameters = '', result = ''] =
    /^([^(]+)\(((?:\[*(?:[ZBSCIJFD]|L[^;]+;))*)\)(\[*(?:[VZBSCIJFD]|L[^;]+;))$/.exec(method) ?? []
  if (!name) return method
  const types = parameters.match(/\[*(?:[ZBSCIJFD]|L[^;]+;)/g) ?? []
  return `${name}(${types.map(javaType).join(', ')}): ${javaType(result)}`
}

function javaType(descriptor: string): string {
  const element = descriptor.replace(/^\[+/, '')
  const name = PRIMITIVES[element] ?? element.slice(1, -1).replaceAll('/', '.')
  return name + '[]'.repeat(descriptor.length - element.length)
}
