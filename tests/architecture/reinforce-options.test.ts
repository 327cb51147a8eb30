import { expect, test } from 'vitest'
import { actsOn, REINFORCE_KINDS } from '#domain/reinforce-kinds.ts'
import { isCarriedOut, REINFORCE_OPTION_KEYS } from '#domain/reinforce-options.ts'
import { HARDEN_KINDS, hardenPackage } from '#engines/harden/harden-package.ts'
import { HARDEN_OPTIONS } from '#engines/harden/hardening.ts'
import { readKeepRules } from '#engines/harden/keep-rules.ts'
import { RUNTIME_CHECKS } from '#engines/harden/runtime-checks.ts'
import { bundleBytes } from '#tests/support/bundle.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { writeZip } from '#tests/support/zip-writer.ts'

test('[HARD-02] what policies say this version implements is what its engine implements', () => {
  expect(REINFORCE_OPTION_KEYS.filter(isCarriedOut).toSorted()).toEqual([...HARDEN_OPTIONS].toSorted())
})

test('the kinds that tasks take are those that the engine takes', () => {
  expect(REINFORCE_KINDS).toEqual(HARDEN_KINDS)
})

/** What the engine says of an option that it never does in a kind, whatever the package holds. */
const OF_THE_KIND = new Set([
  'this version does not do it in class files',
  'a library becomes part of an application: the option is for that application',
  'the file is a native library alone: it has no code, manifest or resources of an application',
  'the store signs the bundle again: the key follows from a certificate that is not known here',
  'the store signs the bundle again: the certificate of the app is not that of the upload',
  'the store makes other APKs of the bundle: their files are not known here',
  'the store makes other APKs of the bundle: devices never see its ZIP structure',
  'the interpreter is not put into bundles by this version',
  'the store makes the packages that devices get: channels are written into APKs',
  'files of bundles are not encrypted by this version',
  'preferences of bundles are not encrypted by this version',
])
const jar = writeZip([{ name: 'A.class', data: 'class' }])
test.each([
  [
    'aar',
    writeZip([
      { name: 'AndroidManifest.xml', data: '<manifest package="a.b"/>' },
      { name: 'classes.jar', data: jar },
    ]),
    [],
  ],
  // A JAR has no place for native libraries, which the engine says as of one that has none.
  ['jar', jar, ['so_protection', 'third_party_so_ban']],
  ['so', writeElf({ machine: 183, soname: 'liba.so' }), []],
  ['aab', bundleBytes({ base: {} }), []],
] as const)(
  '[HARD-02] the options that act on %s files are those that its engine acts on',
  async (kind, bytes, alsoIdle) => {
    const { lines } = await hardenPackage(bytes, `a.${kind}`, {
      ...{ logLevels: ['d'], antiDecompile: true, screens: ['**'], manifest: true, zipCheck: true, antiHijack: true },
      ...{
        resources: ['**'],
        certificates: true,
        preferences: true,
        channels: true,
        dexProtection: true,
        virtualised: ['**'],
        soProtection: true,
        thirdPartySoBan: [],
      },
      riskControl: { server: 'https://a.example', enrolmentKey: '', closed: false },
      checks: Object.fromEntries(RUNTIME_CHECKS.map((check) => [check, 'exit'])),
      protectScript: () => {
        throw new Error('there is no script')
      },
      ...{ keep: readKeepRules(''), seed: new Uint8Array(32) },
    })
    const idle = [...lines.filter(({ text }) => OF_THE_KIND.has(text)).map(({ option }) => option), ...alsoIdle]
    expect(idle.toSorted()).toEqual(HARDEN_OPTIONS.filter((option) => !actsOn(option, kind)).toSorted())
  },
)
