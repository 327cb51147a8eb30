import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error plain JavaScript: the scripts run before anything is built
import { verifyManifest } from '../../scripts/sign-manifest.mjs'

const UNPRIVILEGED_ID = 65534
const root = process.getuid?.() === 0
let folder: string
let installed: string
let output: string
const keys = sm2.generateKeyPairHex()
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-package-'))
  chmodSync(folder, 0o755)
  output = join(folder, 'out')
  writeFileSync(join(folder, 'key'), keys.privateKey, { mode: 0o600 })
  const env = { ...process.env, APPWARDEN_SIGNING_KEY_FILE: join(folder, 'key') }
  execFileSync(process.execPath, ['scripts/package.mjs', output], { stdio: 'inherit', env })
  const home = join(folder, 'home')
  execFileSync('mkdir', ['-p', home])
  execFileSync('tar', ['-xzf', join(output, `appwarden-${version}-linux-x64.tar.gz`), '-C', home])
  copyFileSync(resolve('node_modules/io.appium.settings/apks/settings_apk-debug.apk'), join(home, 'sample.apk'))
  if (root) execFileSync('chown', ['-R', `${UNPRIVILEGED_ID}:${UNPRIVILEGED_ID}`, home])
  installed = join(home, `appwarden-${version}-linux-x64`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a shell script in the installation as an ordinary user without any network but loopback, with nothing but the system on PATH. */
function asUser(script: string) {
  const user = root ? ['setpriv', `--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'] : []
  const clean = ['env', '-i', 'PATH=/usr/bin:/bin', `HOME=${join(installed, '..')}`, 'PORT=18080', 'sh', '-c', script]
  const network = root ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh'] : []
  const [file = '', ...args] = [...network, ...user, ...clean]
  return spawnSync(file, args, { cwd: installed, encoding: 'utf8', timeout: 240_000 })
}

describe('the delivered package', () => {
  test('[C1] unpacked it starts as an ordinary user without network, and serves health, the sign-in page and the CLI', () => {
    const fetchText = `bin/node -e 'fetch(process.argv[1]).then(async (a) => console.log(a.status, await a.text()), () => process.exit(1))'`
    const { stdout, stderr } = asUser(`
      ./appwarden start > ../start.log 2>&1 & server=$!
      for i in $(seq 1 120); do ${fetchText} http://127.0.0.1:18080/healthz > ../health 2>/dev/null; grep -q '"state":"ok"' ../health && break; sleep 1; done
      cat ../health; ${fetchText} http://127.0.0.1:18080/login | head -c 2000
      ./appwarden doctor; kill -TERM $server; wait $server; echo "ended with $?"; cat ../start.log`)
    expect(stdout, stderr).toContain('"state":"ok"')
    expect(stdout).toContain('<title>AppWarden</title>')
    expect(stdout).toMatch(/ok +Server +AppWarden/)
    expect(stdout).toContain('ended with 0')
    expect(stdout).not.toContain('failed ')
  })

  test('[C1] a scan works there, with the exit code of the gate', () => {
    const { stdout, stderr, status } = asUser(
      './appwarden scan ../sample.apk --strategy surface --gate none --format json',
    )
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout).package.id).toBe('io.appium.settings')
  })

  test('[C1] checksums match, it takes less than 350 MB, and no build tool is inside', () => {
    const { status, stderr } = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], {
      cwd: installed,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    const apparent = execFileSync('du', ['-sb', '--exclude=data', installed], { encoding: 'utf8' })
    expect(Number(apparent.split('\t')[0])).toBeLessThan(350e6)
    for (const name of ['typescript', 'vite', 'vitest', 'playwright', 'tesseract.js-core', 'react', '@types'])
      expect(existsSync(join(installed, 'node_modules', name)), name).toBe(false)
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'])
      expect(readdirSync(installed)).toContain(name)
  })

  test('[C1] the update holds the same files, and its manifest is signed with the key of the environment', () => {
    const update = join(folder, 'update')
    execFileSync('python3', ['-m', 'zipfile', '-e', join(output, `appwarden-update-${version}-linux-x64.zip`), update])
    const bytes = readFileSync(join(update, 'manifest.json'))
    const signature = readFileSync(join(update, 'manifest.json.sm2'), 'utf8')
    expect(verifyManifest(bytes, signature, keys.publicKey)).toBe(true)
    const changed = Buffer.from(bytes)
    changed[100] = (changed[100] as number) ^ 1
    expect(verifyManifest(changed, signature, keys.publicKey)).toBe(false)
    const { files } = JSON.parse(bytes.toString()) as { files: { path: string; sha256?: string; link?: string }[] }
    for (const { path, sha256, link } of files) {
      const found = readFileSync(join(update, 'files', path))
      if (link) expect(found.toString()).toBe(link)
      else expect(createHash('sha256').update(found).digest('hex'), path).toBe(sha256)
      if (sha256 && path !== 'SHA256SUMS') expect(existsSync(join(installed, path)), path).toBe(true)
    }
  })
})
