import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error plain JavaScript: the scripts run before anything is built
import { verifyManifest } from '../../scripts/sign-manifest.mjs'
import { buildPackages, type Packaged } from './build-package.ts'
import { ADMIN, CODE, type Installation, unpackInstallation } from './installation.ts'

let folder: string
let packaged: Packaged
let product: Installation
let installed: string
/** Commands that were run as `./appwarden COMMAND`. */
const tried = new Set<string>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-package-'))
  chmodSync(folder, 0o755)
  packaged = buildPackages(process.env['APPWARDEN_PACKAGES'] ?? join(folder, 'packages'))
  const home = join(folder, 'home')
  mkdirSync(home)
  copyFileSync(resolve('node_modules/io.appium.settings/apks/settings_apk-debug.apk'), join(home, 'sample.apk'))
  product = await unpackInstallation(packaged.archive, home)
  installed = product.folder
})
afterAll(async () => {
  try {
    await product?.stop()
  } finally {
    await product?.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

function asUser(script: string) {
  for (const [, command] of script.matchAll(/[.][/]appwarden ((?:user |token |admin )?[a-z]+)/g))
    tried.add(command as string)
  return product.asUser(script)
}
/** Its output; fails unless it ends with 0. */
function run(script: string): string {
  const { status, stdout, stderr } = asUser(script)
  expect(status, `${script}\n${stdout}${stderr}`).toBe(0)
  return stdout.trim()
}
function start(command: 'start' | 'demo' = 'start'): Promise<void> {
  tried.add(command)
  return product.start(command)
}
const stop = () => product.stop()
const visit = (...args: string[]) => product.visit(...args)
const lastLine = (text: string) => text.split('\n').at(-1) as string

describe('the delivered package', () => {
  let token: string
  let second: string
  let event: string[]

  test('[C1] unpacked it starts as an ordinary user without network, serves the sign-in page and lets the administrator in', async () => {
    await start()
    const page = run(
      `current/bin/node -e 'fetch(process.argv[1]).then(async (a) => console.log(await a.text()))' ${product.url}/login`,
    )
    expect(page).toContain('<title>AppWarden</title>')
    expect(visit('sign-in', ADMIN.email, ADMIN.password, CODE)).toBe(ADMIN.email)
    expect(visit('sign-in', ADMIN.email, 'Wrong-Password-27', CODE)).toMatch(/^refused \d+/)
    const findings = run('./appwarden doctor')
    expect(findings).toMatch(/ok +Server +AppWarden/)
    expect(findings).not.toContain('failed ')
  })

  test('[C1] user add makes an account that can sign in, token create a token that works', () => {
    second = lastLine(run('./appwarden user add second@example.com --role auditor'))
    expect(visit('sign-in', 'second@example.com', second, CODE)).toBe('second@example.com')
    token = lastLine(run('./appwarden token create --name delivered --scopes all'))
    event = visit('send', token).split(' ')
    expect(visit('find', token, ...event)).toBe('stored')
  })

  test('[C1] logs shows what the server wrote, pages the pages that are not built, help the commands', () => {
    expect(run('./appwarden logs --lines 1000')).toContain(`supervisor Ready on ${product.url}`)
    expect(run('./appwarden pages')).toBe('Every page is built.')
    expect(run('./appwarden help')).toContain('restore BACKUP')
  })

  test('[C1] settings shows the settings, changes one and refuses one that does not exist', () => {
    expect(run('./appwarden settings')).toMatch(/^zone "/m)
    expect(run('./appwarden settings event_days 400')).toBe('event_days 400')
    expect(run('./appwarden settings event_days')).toBe('event_days 400')
    const { status, stderr } = asUser('./appwarden settings no_such 1')
    expect([status, stderr]).toEqual([1, expect.stringContaining('There is no setting no_such')])
  })

  test('[C1] licence makes a key, issues a licence with it and checks it', () => {
    const secret = 'export APPWARDEN_LICENCE_PASSWORD=delivered-2026-x'
    const made = run(`${secret}; ./appwarden licence new-key --out ../vendor.json`)
    const key = /04[0-9a-f]{128}/i.exec(made)?.[0] ?? ''
    const who = '--product AW-0000-0000-0000-0000 --mac 3c:ec:ef:5a:81:d4 --customer Bank --until 2099-12-31'
    run(`${secret}; ./appwarden licence issue --key ../vendor.json ${who} --out ../bank.awl`)
    expect(run(`./appwarden licence check ../bank.awl --public-key ${key}`)).toContain('Bank')
  })

  test('[C1] a backup of the running server that is restored has the accounts and events of its time', async () => {
    expect(run('./appwarden backup --to ../backups')).toMatch(/backup-\S+: \d+ files/)
    const later = lastLine(run('./appwarden user add later@example.com'))
    expect(visit('sign-in', 'later@example.com', later, CODE)).toBe('later@example.com')
    await stop()
    run('./appwarden restore ../backups/backup-*')
    await start()
    expect(visit('sign-in', 'later@example.com', later, CODE)).toMatch(/^refused/)
    expect(visit('sign-in', 'second@example.com', second, CODE)).toBe('second@example.com')
    expect(visit('find', token, ...event)).toBe('stored')
  })

  test('[C1] repair replaces a damaged event store and replays the journal', async () => {
    await stop()
    run('for file in data/events/*.duckdb; do echo damaged > "$file"; done; ls data/events/*.duckdb')
    expect(run('./appwarden repair')).toContain('The next start replays the journal')
    await start()
    expect(visit('find', token, ...event)).toBe('stored')
  })

  test('[COMM-01] the gateway runs beside the server, passes on what the policy lets through, and ends when it is asked to', () => {
    const answer = run(`
      ./appwarden gateway --upstream ${product.url} --listen 127.0.0.1:18090 --policy observe > ../gateway.log 2>&1 & pid=$!
      for n in $(seq 60); do
        current/bin/node -e "fetch('http://127.0.0.1:18090/healthz').then(async (r) => console.log(r.status, await r.text()), () => process.exit(1))" && break
        sleep 0.5
      done
      kill $pid; wait $pid; echo "ended $?"`)
    expect(answer).toMatch(/^200 .*"state":"ok"/)
    expect(lastLine(answer)).toBe('ended 0')
  })

  // After the others: until the new password is changed, tokens of its account are refused.
  test('[C1] admin reset gives the first administrator a new password in place of the old one', async () => {
    const password = lastLine(run('./appwarden admin reset'))
    expect(visit('sign-in', ADMIN.email, password, CODE)).toBe(ADMIN.email)
    expect(visit('sign-in', ADMIN.email, ADMIN.password, CODE)).toMatch(/^refused/)
    await stop()
  })

  test('[C1] scan and compare work without a server, with the exit code of the gate, verify with that of the signatures', () => {
    run('./appwarden scan ../sample.apk --strategy surface --gate none --format json > ../result.json')
    expect(JSON.parse(readFileSync(join(installed, '../result.json'), 'utf8')).package.id).toBe('io.appium.settings')
    const differences = run('./appwarden compare ../result.json ../sample.apk --gate none --format json')
    expect(JSON.parse(differences)).toBeTypeOf('object')
    expect(run('./appwarden verify ../sample.apk --format json')).toContain('"v2"')
    const { status } = asUser(
      'head -c -20000 ../sample.apk > ../cut.apk; tail -c 20000 ../sample.apk | tr a b >> ../cut.apk; ./appwarden verify ../cut.apk',
    )
    expect([1, 2]).toContain(status)
  })

  test('[HARD-07] a key is made, signs a package, and the package of a channel is verified', () => {
    const password = 'APPWARDEN_KEY_PASSWORD=Granite-Harbour-27'
    run(`${password} ./appwarden key new ../release.p12 --alias release --name "CN=Release, O=Example"`)
    run(
      `${password} ./appwarden sign ../sample.apk --out ../signed.apk --key ../release.p12 --alias release --scheme v2,v3`,
    )
    expect(run('./appwarden verify ../signed.apk --format json')).toContain('"v3"')
    run(`${password} ./appwarden harden ../sample.apk --out ../hardened.apk --key ../release.p12 --alias release`)
    expect(run('./appwarden verify ../hardened.apk --format json')).toContain('"v3"')
    run('printf "market:huawei\\nsite:download\\n" > ../channels.txt')
    run('./appwarden channels ../signed.apk --list ../channels.txt --out ../channels')
    for (const name of readdirSync(join(installed, '../channels')).filter((one) => one.endsWith('.apk')))
      run(`./appwarden verify "../channels/${name}"`)
    expect(readdirSync(join(installed, '../channels')).filter((one) => one.endsWith('.apk'))).toHaveLength(2)
  })

  test('[JS-01] a script is protected, and does the same', () => {
    run(`printf 'const fee = (amount) => amount * 2\\nconsole.log(fee(21))\\n' > ../fee.js`)
    run('./appwarden jsguard ../fee.js --out ../fee.min.js --preset medium')
    expect(run('current/bin/node ../fee.min.js')).toBe('42')
    expect(readFileSync(join(installed, '../fee.min.js'), 'utf8')).not.toContain('amount')
  })

  test('[C1] the demo starts with events of its fleet', async () => {
    await start('demo')
    expect(readdirSync(join(installed, 'data/demo'))).toContain('journal')
    await stop()
  })

  test('[C1] every command of the help text was tried', () => {
    const listed = [...run('./appwarden help').matchAll(/^ {2}((?:user |token |admin )?[a-z]+)\b/gm)].map(
      ([, name]) => name,
    )
    expect(listed.length).toBeGreaterThan(10)
    expect(listed.filter((name) => !tried.has(name as string))).toEqual([])
  })

  test('[C1] checksums match, it takes less than 350 MB, and no build tool is inside', () => {
    const release = join(installed, 'current')
    const { status, stderr } = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], {
      cwd: release,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    const apparent = execFileSync('du', ['-sb', '--exclude=data', installed], { encoding: 'utf8' })
    expect(Number(apparent.split('\t')[0])).toBeLessThan(350e6)
    for (const name of ['typescript', 'vite', 'vitest', 'playwright', 'tesseract.js-core', 'react', '@types'])
      expect(existsSync(join(release, 'node_modules', name)), name).toBe(false)
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'])
      expect(readdirSync(release)).toContain(name)
  })

  test('[C1] the update holds the same files, and its manifest is signed with the key of the environment', () => {
    const update = join(folder, 'update')
    execFileSync('python3', ['-m', 'zipfile', '-e', packaged.update, update])
    const bytes = readFileSync(join(update, 'manifest.json'))
    const signature = readFileSync(join(update, 'manifest.json.sm2'), 'utf8')
    expect(verifyManifest(bytes, signature, packaged.publicKey)).toBe(true)
    const changed = Buffer.from(bytes)
    changed[100] = (changed[100] as number) ^ 1
    expect(verifyManifest(changed, signature, packaged.publicKey)).toBe(false)
    const { files } = JSON.parse(bytes.toString()) as { files: { path: string; sha256?: string; link?: string }[] }
    for (const { path, sha256, link } of files) {
      const found = readFileSync(join(update, 'files', path))
      if (link) expect(found.toString()).toBe(link)
      else expect(createHash('sha256').update(found).digest('hex'), path).toBe(sha256)
      if (sha256 && path !== 'SHA256SUMS') expect(existsSync(join(installed, 'current', path)), path).toBe(true)
    }
  })
})
