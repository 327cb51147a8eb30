import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environmentDiagnostics } from '#contracts/http/environment.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { sealTarget } from '#server/modules/alerts/channel-target.ts'
import { readLdapSettings, writeLdapSettings } from '#server/platform/ldap/ldap-settings.ts'
import { readOidcSettings, writeOidcSettings } from '#server/platform/oidc/oidc-settings.ts'
import { writeSettings } from '#server/platform/settings.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

/** Everything that must be in no bundle, by where it comes from; `word` is what is looked for. */
const PLANTED = {
  'password of the environment': 'Garnet-Pillow-31',
  'password in DATABASE_URL': 'walnut%2Ffence',
  'the same, decoded': 'walnut/fence',
  'password in the mail address': 'Cedar-Quiver-09',
  'key-encryption key': 'a2V5LWVuY3J5cHRpb24ta2V5LW9mLXRoaXMtdGVzdA',
  'webhook of an alert channel': 'https://hooks.example.com/services/T0PLANTED/B0PLANTED',
  'its path': 'T0PLANTED/B0PLANTED',
  'receiver of a mail channel': 'duty.officer@bank.example.cn',
  'client secret of OIDC': 'oidc-sunflower',
  'bind password of LDAP': 'ldap-periwinkle',
  'a user': 'ann.lee@customer.example.com',
  'a user without e-mail address': 'zhangwei77',
  'access token': 'aw_at_Pl4ntedT0kenOfATest',
  'session cookie': 'c2Vzc2lvbi1jb29raWUtb2YtYS10ZXN0LTEyMzQ1Njc4OTA',
  'private key': 'MHcCAQEEIPlantedPrivateKey',
  'address of a person': '203.0.113.77',
  'address, version 6': '2001:db8:77::9',
} as const
const NAMES = ['APPWARDEN_ADMIN_PASSWORD', 'DATABASE_URL', 'APPWARDEN_SMTP_URL', 'APPWARDEN_KEK'] as const
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]))
let app: HttpApp
let admin: ConsoleClient
let operator: ConsoleClient

async function signedIn(username: string, role: string): Promise<ConsoleClient> {
  await app.addUser(username, role)
  const client = new ConsoleClient(app.url)
  await client.signIn(username, PASSWORD, CODE)
  return client
}
beforeAll(async () => {
  app = await startHttpApp()
  admin = await signedIn('admin@example.com', 'administrator')
  operator = await signedIn('operator@example.com', 'operator')
  await app.addUser(PLANTED['a user'], 'operator')
  await app.addUser(PLANTED['a user without e-mail address'], 'operator')
  const { deps } = app
  await writeLdapSettings(deps, {
    ...(await readLdapSettings(deps)),
    bind_password: PLANTED['bind password of LDAP'],
  })
  await writeOidcSettings(deps, {
    ...(await readOidcSettings(deps)),
    client_secret: PLANTED['client secret of OIDC'],
  })
  for (const [kind, target] of [
    ['webhook', PLANTED['webhook of an alert channel']],
    ['mail', PLANTED['receiver of a mail channel']],
  ] as const)
    await app.meta.db
      .insertInto('alert_channels')
      .values({
        id: kind,
        kind,
        name: kind,
        target: sealTarget(deps.secret, target),
        enabled: true,
        turn: 1,
        owner_id: null,
        shared: true,
        created_by: 'admin@example.com',
        created_at: 0,
        deleted_at: null,
      })
      .execute()
  await writeSettings(app.meta, { console_addresses: ['203.0.113.77/32', '127.0.0.0/8'] })
  await deps.refreshSettings()
  // As lines of a version that did not redact would be, each value in a sentence, in a field and in JSON inside of JSON.
  const lines = Object.values(PLANTED)
    .filter((value) => value !== PLANTED['private key'])
    .flatMap((value) => [
      JSON.stringify({ level: 40, time: Date.now(), process: 'console', msg: `seen ${value} today` }),
      JSON.stringify({ level: 50, value, err: { message: JSON.stringify({ inner: value }) } }),
      `postgres: ${value}`,
    ])
  lines.push(
    JSON.stringify({ msg: `-----BEGIN EC PRIVATE KEY-----\n${PLANTED['private key']}\n-----END EC PRIVATE KEY-----` }),
    JSON.stringify({ level: 30, msg: 'collector: took 12 events in 3 ms' }),
  )
  mkdirSync(app.config.paths.logs, { recursive: true })
  writeFileSync(join(app.config.paths.logs, 'console.log'), `${lines.join('\n')}\n`)
  writeFileSync(join(app.config.paths.logs, 'console.1.log'), `${'x'.repeat(1_200_000)}\nlast line\n`)
  Object.assign(process.env, {
    APPWARDEN_ADMIN_PASSWORD: PLANTED['password of the environment'],
    DATABASE_URL: `postgres://owner:${PLANTED['password in DATABASE_URL']}@db.example.com/appwarden`,
    APPWARDEN_SMTP_URL: `smtps://mailer:${PLANTED['password in the mail address']}@mail.example.com`,
    APPWARDEN_KEK: PLANTED['key-encryption key'],
  })
})
afterAll(async () => {
  for (const name of NAMES)
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  await app.close()
})

async function bundle(): Promise<{ answer: Response; parts: Map<string, string> }> {
  const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ')
  const answer = await fetch(app.url + environmentDiagnostics.path, { headers: { cookie } })
  const zip = readZip(new Uint8Array(await answer.arrayBuffer()))
  return {
    answer,
    parts: new Map(zip.entries.map((entry) => [entry.name, Buffer.from(entryBytes(zip, entry)).toString()])),
  }
}

test('[ENV-01] the diagnostics bundle holds versions, health, metrics, settings, migrations, samples and logs, and is in the audit trail', async () => {
  const { answer, parts } = await bundle()
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toMatch(/appwarden-diagnostics-\d{12}\.zip/)
  expect([...parts.keys()].sort()).toEqual(
    [
      'README.txt',
      'alerts.json',
      'health.json',
      'history.csv',
      'logs/console.1.log',
      'logs/console.log',
      'metrics.txt',
      'migrations.json',
      'nodes.json',
      'settings.json',
      'variables.json',
      'versions.json',
    ].sort(),
  )
  expect(JSON.parse(parts.get('versions.json') ?? '')).toMatchObject({ appwarden: '1.5.3' })
  expect(JSON.parse(parts.get('health.json') ?? '')).toMatchObject({ state: 'ok' })
  expect(JSON.parse(parts.get('settings.json') ?? '')).toMatchObject({ event_days: 184 })
  expect(parts.get('metrics.txt')).toContain('appwarden_up 1')
  expect(parts.get('migrations.json')).toContain('0042-environment')
  expect(parts.get('variables.json')).toContain('APPWARDEN_KEK')
  expect(parts.get('logs/console.log')).toContain('collector: took 12 events in 3 ms')
  // Of a long file the end, in whole lines.
  expect(parts.get('logs/console.1.log')).toBe('last line\n')
  const entry = await app.meta.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'environmentDiagnostics')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ account: 'admin@example.com', result: 'ok' })
})

test('[ENV-01] none of the secrets and persons that were planted in settings, logs and environment is in the bundle', async () => {
  const { parts } = await bundle()
  const found = [...parts].flatMap(([name, text]) =>
    Object.entries(PLANTED).flatMap(([what, value]) =>
      text.toLowerCase().includes(value.toLowerCase()) ? [`${what} in ${name}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('[ENV-01] who may not maintain the platform gets no bundle', async () => {
  expect((await operator.call(environmentDiagnostics)).status).toBe(403)
  expect((await new ConsoleClient(app.url).call(environmentDiagnostics)).status).toBe(401)
})
