import type { ScanResult, SdkResult } from '../detect/result/scan-result.ts'

/**
 * Software bill of materials of a scanned package: CycloneDX 1.6 (ECMA-424) as a JSON object. The serial number follows from the package's
 * hash, so the same package and rules give the same document but for `made` (epoch milliseconds).
 */
export function cyclonedxOf({ package: one, sdks, libraries, rules }: ScanResult, made: number): object {
  const root = `package:${one.id || one.sha256}`
  const parts = [
    ...sdks.map(sdkComponent),
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
        ],
      },
    },
    components: parts,
    dependencies: [{ ref: root, dependsOn: parts.map((part) => part['bom-ref']) }],
  }
}

function sdkComponent({ id, name, vendor, version, category, state, confidence, evidence }: SdkResult) {
  return {
    type: 'library',
    'bom-ref': `sdk:${id}`,
    name: name.en || name.zh,
    ...(version !== null && { version }),
    ...(vendor && { supplier: { name: vendor } }),
    ...(evidence.length > 0 && {
      evidence: { occurrences: evidence.slice(0, 10).map(({ entry }) => ({ location: entry })) },
    }),
    properties: [
      { name: 'appwarden:category', value: category },
      { name: 'appwarden:state', value: state },
      { name: 'appwarden:confidence', value: confidence },
    ],
  }
}

/** A version 8 UUID (RFC 9562) out of a hash in hexadecimal. */
function uuidOf(hash: string): string {
  const hex = hash.padEnd(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
