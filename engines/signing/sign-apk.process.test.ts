import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MadeKey, type MadeKeyKind, makeKey } from '#tests/support/apk/made-key.ts'
import { buildApk, type Files } from '#tests/support/apk/signed-apk.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { readZip } from '../zip/read-zip.ts'
import { type Rotation, type SigningScheme, signApk } from './sign-apk.ts'
import { signJar } from './sign-jar.ts'
import { extendLineage, writeLineageFile } from './write-lineage.ts'

vi.setConfig({ testTimeout: 300_000 })

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const KINDS: readonly MadeKeyKind[] = ['rsa', 'rsa-4096', 'p256', 'p384', 'p521', 'dsa']

let folder: string
let keys: Record<MadeKeyKind, MadeKey>
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apksigner-'))
  keys = Object.fromEntries(KINDS.map((kind) => [kind, makeKey(kind, kind)])) as typeof keys
})
afterAll(() => rmSync(folder, { recursive: true }))

const manifest = (minSdk: number): Uint8Array =>
  writeAxml({
    name: 'manifest',
    children: [
      {
        name: 'uses-sdk',
        attributes: [
          { name: 'minSdkVersion', id: 0x0101020c, value: [0x10, minSdk] },
          { name: 'targetSdkVersion', id: 0x01010270, value: [0x10, 29] },
        ],
      },
    ],
  })
const appOf = (minSdk: number): Files => ({
  'AndroidManifest.xml': manifest(minSdk),
  'classes.dex': Buffer.from('some code '.repeat(200_000)),
  [`assets/${'长名'.repeat(30)}.txt`]: Buffer.from('text'),
  'lib/arm64-v8a/liba.so': Buffer.alloc(50_000, 7),
})

interface Signing {
  minSdk: number
  schemes: readonly SigningScheme[]
  rotation?: Rotation
}

function signed({ key }: MadeKey, { minSdk, schemes, rotation }: Signing) {
  const request = { key, alias: 'release', minSdk, createdBy: 'AppWarden test', schemes: new Set(schemes) }
  return signApk(readZip(buildApk(appOf(minSdk))), { ...request, ...(rotation && { rotation }) })
}

/** What apksigner says of a package for the given lowest version: the schemes that it verified, or its error. */
function apksigner(file: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('apksigner', ['verify', '-v', '-Werr', ...args, file], {
    encoding: 'utf8',
  })
  if (status !== 0) return `refused: ${stdout}${stderr}`
  return [...stdout.matchAll(/using (v[\d.]+) scheme.*: true/g)].map(([, name]) => name).join()
}

describe.skipIf(!has('apksigner', '--version'))('held against apksigner', () => {
  test.each(KINDS)('a key of %s: verified for each lowest version by the schemes that it reads', (kind) => {
    const lowest = kind.startsWith('p') ? 18 : 8
    const versions = [lowest, 21, 24, 28]
    for (const minSdk of versions) {
      const file = join(folder, `${kind}-${minSdk}.apk`)
      const schemes: SigningScheme[] = minSdk === 28 ? ['v1', 'v2', 'v3', 'v4'] : ['v1', 'v2', 'v3']
      const { pieces, idsig } = signed(keys[kind], { minSdk, schemes })
      writeFileSync(file, Buffer.concat(pieces))
      if (idsig) writeFileSync(`${file}.idsig`, idsig)
      const said = apksigner(file, ...(idsig ? ['--v4-signature-file', `${file}.idsig`] : []))
      // From 28 on v3 is enough for it, and from 24 on v1 is not looked at.
      const expected = minSdk >= 28 ? 'v3,v4' : minSdk >= 24 ? 'v2,v3' : 'v1,v2,v3'
      expect([kind, minSdk, normal(said)]).toEqual([kind, minSdk, expected])
    }
  })

  test('a package with a changed byte, or with another .idsig, is refused by both', () => {
    const { pieces } = signed(keys.rsa, { minSdk: 21, schemes: ['v1', 'v2', 'v3'] })
    const bytes = Buffer.concat(pieces)
    bytes[5000]! ^= 1
    const file = join(folder, 'changed.apk')
    writeFileSync(file, bytes)
    expect(apksigner(file)).toMatch(/^refused/)
  })

  test('a rotated key: v3 with a lineage, which the lineage tool of apksigner reads', () => {
    const [older, newer] = [keys.rsa, keys.p256]
    const lineage = extendLineage(undefined, older.key, newer.key)
    const file = join(folder, 'rotated.apk')
    const rotation = { first: older.key, lineage, minSdk: 28 }
    writeFileSync(file, Buffer.concat(signed(newer, { minSdk: 21, schemes: ['v1', 'v2', 'v3'], rotation }).pieces))
    expect(normal(apksigner(file))).toBe('v1,v2,v3')
    const lineageFile = join(folder, 'lineage')
    writeFileSync(lineageFile, writeLineageFile(lineage))
    const { stdout } = spawnSync('apksigner', ['lineage', '--in', lineageFile, '--print-certs'], { encoding: 'utf8' })
    expect(stdout).toContain('CN=rsa')
    expect(stdout).toContain('CN=p256')
  })

  test.skipIf(!existsSync('/usr/bin/zipalign'))('stored entries are aligned as zipalign wants them', () => {
    const file = join(folder, 'aligned.apk')
    writeFileSync(file, Buffer.concat(signed(keys.rsa, { minSdk: 24, schemes: ['v2', 'v3'] }).pieces))
    expect(spawnSync('zipalign', ['-c', '-p', '4', file]).status).toBe(0)
  })
})

/** In the order of the schemes, whatever of them it leaves out because a later one was enough. */
function normal(said: string): string {
  return said.startsWith('refused') ? said : said.split(',').sort().join()
}

describe.skipIf(!has('jarsigner', '-help'))('held against jarsigner', () => {
  test.each(['rsa', 'p256', 'p384', 'dsa'] as const)('a JAR signature with a key of %s is verified', (kind) => {
    const file = join(folder, `${kind}.jar`)
    const { key } = keys[kind]
    const { pieces } = signJar(readZip(buildApk(appOf(24))), { key, alias: 'upload', createdBy: 'AppWarden test' })
    writeFileSync(file, Buffer.concat(pieces))
    const { stdout } = spawnSync('jarsigner', ['-J-Duser.language=en', '-verify', file], { encoding: 'utf8' })
    expect(stdout).toContain('jar verified')
    expect(stdout).not.toContain('unsigned entries')
  })
})
