import type { Dependency, FindingLevel, Location, ScanResult, SdkResult } from '../detect/result/scan-result.ts'

/**
 * Software bill of materials of a scanned package: CycloneDX 1.6 (ECMA-424) as a JSON object. The serial number follows from the package's
 * hash, so the same package and rules give the same document but for `made` (epoch milliseconds).
 */
export function cyclonedxOf(result: ScanResult, made: number): object {
  const { package: one, sdks, dependencies, libraries, rules } = result
  const root = `package:${one.id || one.sha256}`
  const versioned = new Set(dependencies.map(({ sdk }) => sdk))
  const parts = [
    ...dependencies.map((dependency) => dependencyComponent(dependency, sdks)),
    ...sdks.filter(({ id }) => !versioned.has(id)).map(sdkComponent),
    ...libraries.map(({ entry, abi, name }) => ({
      type: 'file',
      'bom-ref': `file:${entry}`,
      name,
      properties: [
        { name: 'appwarden:entry', value: entry },
        { name: 'appwarden:abi', value: abi },
      ],
    })),
  ]
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(one.sha256)}`,
    version: 1,
    metadata: {
      timestamp: new Date(made).toISOString(),
      tools: { components: [{ type: 'application', name: 'AppWarden', version: rules.version }] },
      component: {
        type: 'application',
        'bom-ref': root,
        name: one.name || one.id,
        version: one.version,
        hashes: [
          { alg: 'MD5', content: one.md5 },
          { alg: 'SHA-1', content: one.sha1 },
          { alg: 'SHA-256', content: one.sha256 },
        ],
        properties: [
          { name: 'appwarden:kind', value: one.kind },
          { name: 'appwarden:package', value: one.id },
          { name: 'appwarden:build', value: one.build },
          ...Object.entries(result.coverage.owners ?? {}).map(([kind, count]) => ({
            name: `appwarden:classes:${kind}`,
            value: String(count),
          })),
        ],
      },
    },
    components: parts,
    dependencies: [{ ref: root, dependsOn: parts.map((part) => part['bom-ref']) }],
    vulnerabilities: vulnerabilitiesOf(result, root),
  }
}

/** Confidence of a version by how it was found: a version file of the build, or a text in code. */
const CONFIDENCE = { 'manifest-analysis': 1, 'binary-analysis': 0.8 } as const
const MOST_OCCURRENCES = 10

function dependencyComponent(
  { purl, group, name, version, technique, places: locations, licenses, sdk }: Dependency,
  sdks: readonly SdkResult[],
) {
  const known = sdks.find(({ id }) => id === sdk)
  const method = { technique, confidence: CONFIDENCE[technique], value: locations[0]?.entry ?? '' }
  const identity = (field: 'purl' | 'version', concludedValue: string) => ({
    field,
    confidence: CONFIDENCE[technique],
    concludedValue,
    methods: [method],
  })
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name,
    ...(version && { version }),
    purl,
    ...(known?.vendor && { supplier: { name: known.vendor } }),
    ...(licenses.length > 0 && {
      licenses: licenses.map((license) => ({ license: { ...license, acknowledgement: 'declared' } })),
    }),
    evidence: {
      identity: [identity('purl', purl), ...(version ? [identity('version', version)] : [])],
      occurrences: occurrencesOf(locations),
    },
    ...(known && { properties: sdkProperties(known) }),
  }
}

/** An SDK that is not among the dependencies: its version or its package URL is unknown. */
function sdkComponent(sdk: SdkResult) {
  const { id, name, vendor, version, evidence } = sdk
  return {
    type: 'library',
    'bom-ref': `sdk:${id}`,
    name: name.en || name.zh,
    ...(version !== null && { version }),
    ...(vendor && { supplier: { name: vendor } }),
    ...(evidence.length > 0 && { evidence: { occurrences: occurrencesOf(evidence) } }),
    properties: sdkProperties(sdk),
  }
}

function sdkProperties({ category, state, confidence }: SdkResult) {
  return [
    { name: 'appwarden:category', value: category },
    { name: 'appwarden:state', value: state },
    { name: 'appwarden:confidence', value: confidence },
  ]
}

function occurrencesOf(locations: readonly Location[]) {
  return [...new Set(locations.map(({ entry }) => entry))].slice(0, MOST_OCCURRENCES).map((location) => ({ location }))
}

const SEVERITIES: Record<FindingLevel, string> = { high: 'high', middle: 'medium', low: 'low', info: 'info' }

/** CVE ids of dependencies, and those that failed items of the application itself refer to; each id once with all that it affects. */
function vulnerabilitiesOf({ dependencies, items }: ScanResult, root: string): object[] {
  const affected = new Map<string, { refs: Set<string>; severity: string | undefined }>()
  const add = (id: string, ref: string, severity?: string) => {
    const one = affected.get(id) ?? { refs: new Set(), severity }
    one.refs.add(ref)
    affected.set(id, one)
  }
  for (const { purl, vulnerabilities } of dependencies) for (const id of vulnerabilities) add(id, purl)
  for (const { verdict, level, references } of items)
    if (verdict === 'fail') for (const id of references.cve) if (!affected.has(id)) add(id, root, SEVERITIES[level])
  return [...affected]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { refs, severity }]) => ({
      'bom-ref': `vulnerability:${id}`,
      id,
      source: { name: 'NVD', url: `https://nvd.nist.gov/vuln/detail/${id}` },
      ...(severity && { ratings: [{ source: { name: 'AppWarden' }, severity, method: 'other' }] }),
      affects: [...refs].map((ref) => ({ ref })),
    }))
}

/** A version 8 UUID (RFC 9562) out of a hash in hexadecimal. */
function uuidOf(hash: string): string {
  const hex = hash.padEnd(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
