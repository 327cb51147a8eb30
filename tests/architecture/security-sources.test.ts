import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

/** Constructs that the product never uses, because each opens a known class of attack, with the few places that may. */

const filesOf = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(file) && !/[.](?:test|e2e)[.]tsx?$/.test(file))
const PRODUCT = filesOf(
  'server',
  'storage',
  'realtime',
  'runtime',
  'cli',
  'engines',
  'contracts',
  'domain',
  'src',
  'sdk',
).filter((file) => /[.]tsx?$/.test(file))

/** Files with a line that matches, without its comments. */
function found(pattern: RegExp, files = PRODUCT): string[] {
  return files.filter((file) => {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=\s)\/\/.*$/gm, '')
    return pattern.test(text)
  })
}

describe('security of the sources', () => {
  test('every folder of the product is read', () => {
    expect(PRODUCT.length).toBeGreaterThan(800)
    expect(found(/createCipheriv/)).toContain('server/platform/secrets.ts')
  })

  test('PostgreSQL gets values as parameters: SQL from text is in migrations and where names come from the code or the catalogue', () => {
    expect(found(/\bsql\.(?:raw|lit)\b/).filter((file) => !file.startsWith('storage/postgres/migrations/'))).toEqual([
      'server/modules/erasures/remove-old-rows.ts',
      // Names of indexes and sequences as the catalogue quotes them, and statements that the migrations gave.
      'server/modules/maintenance/checks/database-checks.ts',
    ])
  })

  test('programs are started with a list of arguments and never through a shell', () => {
    expect(
      found(
        /\bshell: ?(?:true|'\/)|\bexecSync\b|(?<![.\w>])exec\(|import\s*\{[^}]*\bexec\b[^}]*\}\s*from 'node:child_process'/,
      ),
    ).toEqual([])
  })

  test('no text becomes markup or code', () => {
    expect(
      found(
        /dangerouslySetInnerHTML|\b(?:innerHTML|outerHTML)\b|insertAdjacentHTML|document\.write|(?<![.\w])eval\(|new Function\b/,
      ),
    ).toEqual([])
  })

  test('secrets come from the cryptographic source: Math.random is for sampling, filling and delays alone', () => {
    expect(found(/Math\.random/).sort()).toEqual([
      'realtime/collect/read/json-shape.ts', // which bodies are looked at
      'realtime/main.ts', // which events are drawn
      'sdk/web/browser-port.ts', // delay before a retry; ids come from crypto
      'server/modules/js-protection/run-scripts.ts', // replaced in the world of a trial run, which must repeat
      'src/features/awareness/observatory/replay/replay.ts', // which events are drawn
      'src/shared/live/live-connection.ts', // delay before a reconnect
      'src/shared/live/wall-feed.ts', // which events are drawn
      'storage/events/write/remove-old-values.ts', // fills freed blocks
    ])
  })

  test('no cipher without authentication is chosen: SM4-CBC is in the envelope alone, AES in GCM', () => {
    expect(found(/['"](?:sm4|aes-\d+)-(?:ecb|ctr|cfb|ofb)['"]|createCipheriv\(\s*['"](?:des|rc4|bf)/i)).toEqual([
      'engines/harden/dex-shell.ts', // under an HMAC of all of it: Android reads GCM whole into memory
      'engines/harden/files/seal-file.ts', // as before
      'engines/keystore/write-key-store.ts', // BKS, a format that has nothing else; the HMAC of the store covers the key
    ])
  })

  test('no private key lies in the repository, tests of the detection of keys aside', () => {
    const files = filesOf().filter((file) => /[.](?:ts|tsx|mjs|json|md|pem|key|ya?ml|sh|env)$/.test(file))
    expect(found(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\\n]*[A-Za-z0-9+/]{60}/, files)).toEqual([])
    expect(files.filter((file) => /[.](?:pem|key|env|p12|jks|keystore)$/.test(file))).toEqual([])
  })

  test('dependencies have exact versions, and those with known weaknesses are absent or newer', () => {
    const all = Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies })
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([])
    // CVE-2026-23966 and CVE-2026-73567: broken decryption and predictable keys before 0.5.0.
    const version = (packageJson.devDependencies as Record<string, string>)['sm-crypto']
      ?.split('.')
      .map(Number) as number[]
    expect((version[0] as number) * 1e6 + (version[1] as number) * 1e3 + (version[2] as number)).toBeGreaterThanOrEqual(
      5008,
    )
    for (const name of ['gm-crypto', 'svg-captcha']) expect(all.map(([one]) => one)).not.toContain(name)
  })

  test('fields of passwords hide what is typed, name their kind to password managers and take pasted text', () => {
    const fields = ['src/features/start/login', 'src/shared/account'].flatMap((folder) => filesOf(folder))
    const text = fields.map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(text.match(/current-password/g)?.length).toBeGreaterThanOrEqual(3)
    expect(text).toContain('new-password')
    expect(found(/onPaste|onDrop=/, fields)).toEqual([])
  })
})
