import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { PackageURL } from 'packageurl-js'
import { expect, test } from 'vitest'
import { makePackage } from '#tests/support/detect-package.ts'
import { packageUrl } from '../detect/dependencies/package-url.ts'
import { SCAN_CHOICES } from '../detect/input/scan-choices.ts'
import type { Dependency } from '../detect/result/scan-result.ts'
import { scan } from '../detect/scan.ts'
import { cyclonedxOf } from './cyclonedx.ts'
import { sarifOf } from './sarif.ts'
import { reportItem, scanResult } from './scan-result-fixture.ts'

const GSON: Dependency = {
  purl: 'pkg:maven/com.google.code.gson/gson@2.8.5',
  group: 'com.google.code.gson',
  name: 'gson',
  version: '2.8.5',
  technique: 'manifest-analysis',
  places: [{ entry: 'META-INF/maven/com.google.code.gson/gson/pom.properties', offset: 0 }],
  licenses: [{ id: 'Apache-2.0' }, { name: 'House licence' }],
  sdk: 'gson',
  vulnerabilities: ['CVE-2022-25647'],
}
const result = {
  ...scanResult,
  dependencies: [GSON],
  items: [
    ...scanResult.items,
    reportItem('janus', {
      references: { ...reportItem('janus', {}).references, cve: ['CVE-2017-13156'], cwe: ['CWE-347'] },
    }),
  ],
}
const sarif = sarifOf(result, { language: 'en', isSuppressed: (id) => id === 'muted', reasonOf: () => 'accepted' })
const schemaFolder = join(dirname(createRequire(import.meta.url).resolve('@microsoft/sarif-multitool-ts')), '../assets')

function sarifErrors(log: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const validate = ajv.compile(JSON.parse(readFileSync(join(schemaFolder, 'sarif-2.1.0.schema.json'), 'utf8')))
  return validate(JSON.parse(JSON.stringify(log))) ? null : validate.errors
}

test('SARIF conforms to the schema of OASIS, and the schema refuses a log with a wrong level', () => {
  expect(sarifErrors(sarif)).toBeNull()
  expect(sarifErrors(JSON.parse(JSON.stringify(sarif).replace('"level":"error"', '"level":"grave"')))).not.toBeNull()
})

test('SARIF names class, method and signature of a location in code, and rules refer to a taxonomy in the run', () => {
  const { runs } = sarif as {
    runs: { taxonomies: { taxa: { id: string }[] }[]; results: { locations: unknown[] }[] }[]
  }
  expect(runs[0]?.results[0]?.locations[0]).toMatchObject({
    physicalLocation: { artifactLocation: { uri: 'classes.dex' } },
    logicalLocations: [
      {
        name: 'go',
        fullyQualifiedName: 'com.example.A.go(int): void',
        decoratedName: 'Lcom/example/A;->go(I)V',
        kind: 'function',
      },
      { name: 'A', fullyQualifiedName: 'com.example.A', kind: 'type' },
    ],
  })
  expect(runs[0]?.taxonomies[0]?.taxa.map(({ id }) => id)).toEqual(['319', '347'])
})

test('another reader of SARIF finds the failed rules and leaves out what is suppressed', () => {
  const [{ body } = { body: '' }] = sarifToMarkdown({
    owner: 'o',
    repo: 'r',
    branch: 'b',
    sourceRoot: '',
    suppressedResults: false,
  })(JSON.parse(JSON.stringify(sarif)))
  expect(body).toContain('cleartext')
  expect(body).toContain('janus')
  expect(body).not.toContain('- [muted]')
})

test('the bill of materials conforms to CycloneDX 1.6, strictly', async () => {
  const text = JSON.stringify(cyclonedxOf(result, 0))
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  expect(await validator.validate(text)).toBeNull()
  expect(await validator.validate(text.replace('"library"', '"lib"'))).not.toBeNull()
})

test('the bill of materials has package URL, licences and evidence of a version, and every CVE with what it affects', () => {
  const bom = cyclonedxOf(result, 0) as { components: object[]; vulnerabilities: object[] }
  expect(bom.components[0]).toMatchObject({
    purl: GSON.purl,
    'bom-ref': GSON.purl,
    version: '2.8.5',
    licenses: [{ license: { id: 'Apache-2.0' } }, { license: { name: 'House licence' } }],
    evidence: { identity: [{ field: 'purl', methods: [{ technique: 'manifest-analysis' }] }, { field: 'version' }] },
  })
  expect(bom.vulnerabilities).toMatchObject([
    { id: 'CVE-2017-13156', affects: [{ ref: 'package:com.example' }], ratings: [{ severity: 'high' }] },
    { id: 'CVE-2022-25647', affects: [{ ref: GSON.purl }] },
  ])
})

test('every version file of a package is a component with its version, in a document that conforms', async () => {
  const group = ['androidx.core', 'com.google.dagger', 'android.arch.lifecycle', 'org.maker.widgets']
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`META-INF/${group[n % 4]}_part-${n}.version`, `1.${n}.0-alpha0${n % 9}\n`]),
  )
  const unset = { 'META-INF/androidx.wear_wear.version': "task ':wear:writeVersionFile' property 'version'" }
  const made = makePackage({ classes: [{ name: 'Lorg/maker/app/Main;', methods: [] }], files: { ...files, ...unset } })
  const bom = cyclonedxOf(scan(made, SCAN_CHOICES), 0) as {
    components: { group?: string; name: string; version?: string; purl?: string; evidence?: object }[]
  }
  const stated = bom.components.map(({ group, name, version }) => [`META-INF/${group}_${name}.version`, version])
  for (const [file, version] of Object.entries(files)) expect(stated).toContainEqual([file, version.trim()])
  expect(bom.components.filter(({ purl }) => purl?.startsWith('pkg:maven/'))).toHaveLength(41)
  const wear = bom.components.find(({ name }) => name === 'wear')!
  expect(wear).toMatchObject({ purl: 'pkg:maven/androidx.wear/wear', evidence: { identity: [{ field: 'purl' }] } })
  expect(wear).not.toHaveProperty('version')
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(JSON.stringify(bom))).toBeNull()
})

test('package URLs of any name and version are read back by another library', () => {
  const word = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((one) => one.trim() === one && !/[/\\]/.test(one))
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/),
      fc.stringMatching(/^[A-Za-z][\w.-]{0,20}$/),
      word,
      (group, name, version) => {
        const read = PackageURL.fromString(packageUrl(group, name, version))
        expect([read.namespace, read.name, read.version]).toEqual([group, name, version])
      },
    ),
  )
})
