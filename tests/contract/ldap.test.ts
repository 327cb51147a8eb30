import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changePass, userGroup } from '#contracts/http/accounts.ts'
import { type LdapChange, ldapSettings, saveLdap, type TestedStage, testLdap } from '#contracts/http/ldap.ts'
import { beginSecondFactor } from '#contracts/http/second-factor.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { changeUser, inviteUser, resetUser, type User, users } from '#contracts/http/users.ts'
import { recheckDirectory } from '#server/modules/ldap/recheck-directory.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { BASE, NO_SLAPD, READER, type Slapd, startSlapd } from '#tests/support/slapd.ts'

const STAR = 'Star*(Harbour)\\27'
let app: HttpApp
let slapd: Slapd
let admin: ConsoleClient
let settings: LdapChange
let operators: string

describe.skipIf(NO_SLAPD)(`sign-in with an LDAP directory${NO_SLAPD ? `: ${NO_SLAPD}` : ''}`, () => {
  beforeAll(async () => {
    ;[app, slapd] = await Promise.all([startHttpApp(), startSlapd()])
    await app.addUser('admin@example.com', 'administrator')
    admin = new ConsoleClient(app.url)
    await admin.signIn('admin@example.com', PASSWORD, CODE)
    const ann = await slapd.addPerson('ann', 'ann@example.com', STAR)
    await slapd.addPerson('bob', 'bob@example.com', PASSWORD)
    const cleo = await slapd.addPerson('cleo', 'cleo@example.com', PASSWORD)
    await slapd.addPerson('admin', 'admin@example.com', 'Directory-Admin-1')
    // Names beyond ASCII are found, as entry and as member.
    const wang = await slapd.addPerson('王-lučić', 'wang@example.com', PASSWORD)
    operators = await slapd.addGroup('Operators', [ann, cleo, wang])
    settings = {
      enabled: true,
      url: slapd.ldaps,
      start_tls: true,
      allow_plain: false,
      ca: slapd.ca,
      bind_dn: READER.dn,
      bind_password: READER.password,
      base_dn: `ou=people,${BASE}`,
      user_filter: '(&(objectClass=person)(mail={username}))',
      name_attribute: 'mail',
      id_attribute: 'entryUUID',
      group_attribute: 'memberOf',
      group_base_dn: '',
      member_attribute: 'member',
      roles: [{ group: operators.toUpperCase().replace(',', ' , '), role: 'operator' }],
    }
  })
  afterAll(async () => {
    await app?.close()
    await slapd?.close()
  })
  beforeEach(async () => {
    await app.meta.db.deleteFrom('login_failures').execute()
    await save()
  })

  const call = async (endpoint: Parameters<ConsoleClient['call']>[0], body: unknown) =>
    (await admin.call(endpoint, { body }, { headers: { 'accept-language': 'en' } })).body
  async function save(change: Partial<LdapChange> = {}): Promise<Record<string, unknown>> {
    return call(saveLdap, { ...settings, ...change })
  }
  async function signIn(username: string, password: string) {
    const client = new ConsoleClient(app.url)
    return { client, body: (await client.signIn(username, password, CODE)).body }
  }
  async function find(search: string): Promise<User> {
    const { data } = (await admin.call(users, { query: { search } })).body as { data: User[] }
    return data[0] as User
  }
  async function tryStages(change: Partial<LdapChange> = {}, username = '', password = '') {
    const answer = await call(testLdap, { settings: { ...settings, ...change }, username, password })
    const stages = answer['data'] as TestedStage[]
    return Object.fromEntries(stages.map(({ stage, state }) => [stage, state]))
  }

  test('[LOGIN-02] [USER-01] a first sign-in makes an account without local password, with its origin and the role of its group', async () => {
    const { client, body } = await signIn('ANN@example.com', STAR)
    expect(body).toEqual({ username: 'ann@example.com', must_change_password: false })
    expect((await client.call(userGroup)).body).toMatchObject({ role: 'operator' })
    const account = await find('ann@')
    expect(account).toMatchObject({ origin: 'ldap', state: 'active', role: 'operator' })
    const row = await app.meta.db.selectFrom('users').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow()
    expect([row.password_hash, row.password_history]).toEqual(['', []])
    await signIn('ann@example.com', STAR)
    expect((await find('ann@')).id).toBe(account.id)
    const made = await app.meta.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'account.external')
      .execute()
    expect(made).toEqual([{ detail: 'ldap operator' }])
  })

  test('[LOGIN-02] a wrong, an empty and another password, an unknown name and filter characters get one answer, counted as for passwords', async () => {
    for (const [name, password] of [
      ['ann@example.com', 'wrong'],
      ['unknown@example.com', STAR],
      ['*@example.com', STAR],
      ['a)(mail=ann@example.com', STAR],
    ] as const)
      expect((await signIn(name, password)).body, name).toMatchObject({ key: 'login.wrong' })
    expect((await signIn('ann@example.com', '')).body).toMatchObject({ key: 'login.password_empty' })
    for (let n = 0; n < 4; n++) await signIn('ann@example.com', 'wrong')
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ key: 'login.locked' })
  })

  test('somebody without a mapped group is refused after the right password alone, and gets no account', async () => {
    expect((await signIn('bob@example.com', PASSWORD)).body).toMatchObject({ key: 'login.no_role' })
    expect((await signIn('bob@example.com', 'wrong')).body).toMatchObject({ key: 'login.wrong' })
    expect(await find('bob@')).toBeUndefined()
  })

  test('the name of a local account is checked locally and never by the directory', async () => {
    expect((await signIn('admin@example.com', 'Directory-Admin-1')).body).toMatchObject({ key: 'login.wrong' })
    await admin.signIn('admin@example.com', PASSWORD, CODE)
    // An entry that claims the name of a local account.
    const dora = await slapd.addPerson('dora', 'admin@example.com', PASSWORD)
    const others = ['ann', 'cleo', '王-lučić'].map((uid) => `uid=${uid},ou=people,${BASE}`)
    await slapd.setMembers(operators, [dora, ...others])
    await save({ user_filter: '(|(mail={username})(uid=dora))', base_dn: dora })
    expect((await signIn('dora@example.com', PASSWORD)).body).toMatchObject({ key: 'login.name_taken' })
    await slapd.remove(dora)
  })

  test('a directory that is away: its accounts read why, local accounts sign in, and nothing is counted as a failure', async () => {
    await slapd.stop()
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ key: 'login.directory_away' })
    expect((await admin.signIn('admin@example.com', PASSWORD, CODE)).body).toMatchObject({
      username: 'admin@example.com',
    })
    expect(await app.meta.db.selectFrom('login_failures').selectAll().execute()).toEqual([])
    await expect(recheckDirectory(app.deps)).rejects.toThrow()
    await slapd.start()
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ username: 'ann@example.com' })
  })

  test('[LOGIN-03] a removed group ends session and access tokens at the next recheck and refuses the next sign-in; another group is another role', async () => {
    const cleo = `uid=cleo,ou=people,${BASE}`
    const ann = `uid=ann,ou=people,${BASE}`
    const { client } = await signIn('cleo@example.com', PASSWORD)
    const { client: annClient } = await signIn('ann@example.com', STAR)
    const body = { name: 'script', scopes: ['events.read'], days: 1 }
    const { token } = (await client.call(createAccessToken, { body })).body as { token: string }
    const bearer = () =>
      new ConsoleClient(app.url).send('GET', userGroup.path, '', { authorization: `Bearer ${token}` })
    await recheckDirectory(app.deps)
    expect((await client.call(userGroup)).status).toBe(200)
    expect((await bearer()).status).toBe(200)
    await slapd.setMembers(operators, [ann])
    await recheckDirectory(app.deps)
    expect((await client.call(userGroup)).status).toBe(401)
    expect((await bearer()).status).toBe(401)
    expect((await annClient.call(userGroup)).status).toBe(200)
    expect((await signIn('cleo@example.com', PASSWORD)).body).toMatchObject({ key: 'login.no_role' })
    await save({ roles: [{ group: operators, role: 'auditor' }] })
    await recheckDirectory(app.deps)
    expect((await annClient.call(userGroup)).body).toMatchObject({ role: 'auditor' })
    await slapd.setMembers(operators, [ann, cleo, `uid=王-lučić,ou=people,${BASE}`])
  })

  test('[USER-03] password and role of such an account are not changed here; a new first-step secret needs the password of the directory', async () => {
    const { client } = await signIn('ann@example.com', STAR)
    const { id } = await find('ann@')
    expect(await call(resetUser, { id })).toMatchObject({ key: 'user.external' })
    expect(await call(inviteUser, { id })).toMatchObject({ key: 'user.external' })
    expect(await call(changeUser, { id, role: 'auditor' })).toMatchObject({ key: 'user.external' })
    expect(await call(changeUser, { id, remarks: 'from the directory' })).toMatchObject({ code: 0 })
    const change = { old_password: STAR.replace('*', ''), new_password1: PASSWORD, new_password2: PASSWORD }
    expect((await client.call(changePass, { body: change })).body).toMatchObject({ key: 'user.external' })
    expect((await client.call(beginSecondFactor, { body: { password: PASSWORD } })).body).toMatchObject({
      key: 'password.old_wrong',
    })
    expect((await client.call(beginSecondFactor, { body: { password: STAR } })).body).toMatchObject({ code: 0 })
  })

  test('groups are found by their members too, and without a place where groups are found there are none', async () => {
    await save({ group_attribute: '', group_base_dn: `ou=groups,${BASE}` })
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ username: 'ann@example.com' })
    const filter = '(|(mail={username})(uid=王-lučić))'
    await save({ group_attribute: '', group_base_dn: `ou=groups,${BASE}`, user_filter: filter })
    expect((await signIn('none@example.com', PASSWORD)).body).toMatchObject({ username: 'wang@example.com' })
    await save({ group_attribute: '', group_base_dn: '' })
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ key: 'login.no_role' })
  })

  test('StartTLS encrypts before anything is sent; without encryption, and with a certificate that is not known, nothing is', async () => {
    await save({ url: slapd.ldap })
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ username: 'ann@example.com' })
    await save({ ca: '' })
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ key: 'login.directory_away' })
    for (const url of [slapd.ldap, slapd.ldaps]) {
      const stages = await tryStages({ url, ca: '' })
      expect(stages).toMatchObject({ connect: 'ok', encrypt: 'failed', search: 'skipped' })
    }
    const foreign = { url: 'ldap://directory.example.com', start_tls: false }
    expect(await save(foreign)).toMatchObject({ key: 'ldap.plain' })
    expect(await save({ ...foreign, allow_plain: true })).toMatchObject({ code: 0 })
    expect(await save({ url: slapd.ldap, start_tls: false })).toMatchObject({ code: 0 })
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ username: 'ann@example.com' })
  })

  test('the bind password is never answered nor logged, is encrypted at rest, and is not sent to another address unless entered again', async () => {
    const answer = await admin.call(ldapSettings)
    expect(answer.body).toMatchObject({ data: { password_set: true, bind_dn: READER.dn } })
    const stored = await app.meta.db.selectFrom('settings').selectAll().execute()
    const logged = await app.meta.db.selectFrom('audit_log').selectAll().execute()
    for (const text of [answer.text, JSON.stringify(stored), JSON.stringify(logged)])
      expect(text).not.toContain(READER.password)
    const kept = { bind_password: undefined }
    expect(await save(kept)).toMatchObject({ code: 0, data: { password_set: true } })
    expect((await signIn('ann@example.com', STAR)).body).toMatchObject({ username: 'ann@example.com' })
    for (const moved of [{ url: 'ldaps://evil.example.com' }, { ca: '' }, { bind_dn: `cn=other,${BASE}` }]) {
      expect(await save({ ...kept, ...moved })).toMatchObject({ key: 'source.secret_again' })
      const tried = { settings: { ...settings, ...kept, ...moved }, username: '', password: '' }
      expect(await call(testLdap, tried)).toMatchObject({ key: 'source.secret_again' })
    }
  })

  test('settings are refused where they cannot work: filter, addresses, roles that are unknown or more than the caller has', async () => {
    for (const bad of [
      { user_filter: '(mail=ann@example.com)' },
      { user_filter: '(|(mail={username})(uid={username}))' },
      { user_filter: 'mail={username}' },
      { url: 'https://example.com' },
      { url: '' },
      { base_dn: 'example' },
      { ca: 'no certificate' },
      { id_attribute: 'a)(b' },
    ])
      expect(await save(bad), JSON.stringify(bad)).toMatchObject({ key: 'input.invalid' })
    expect(await save({ roles: [{ group: 'g=1', role: 'captain' }] })).toMatchObject({ key: 'user.role_unknown' })
  })

  test('a test shows each stage: reached, encrypted, bound, found, groups, role, password', async () => {
    const all = { address: 'ok', connect: 'ok', encrypt: 'ok', bind: 'ok', search: 'ok', groups: 'ok', role: 'ok' }
    expect(await tryStages({}, 'ann@example.com', STAR)).toEqual({ ...all, password: 'ok' })
    expect(await tryStages({}, 'ann@example.com', 'wrong')).toEqual({ ...all, password: 'failed' })
    expect(await tryStages({}, 'bob@example.com')).toEqual({ ...all, role: 'failed', password: 'skipped' })
    expect(await tryStages({}, 'unknown@example.com')).toMatchObject({
      bind: 'ok',
      search: 'failed',
      groups: 'skipped',
    })
    expect(await tryStages({ bind_password: 'wrong' })).toMatchObject({ connect: 'ok', bind: 'failed' })
    expect(await tryStages({ url: 'ldaps://127.0.0.1:1' })).toMatchObject({ address: 'ok', connect: 'failed' })
    expect(await tryStages({ url: 'ldaps://no-such-host.invalid' })).toMatchObject({ address: 'failed' })
    // Metadata services of clouds are never asked.
    expect(await tryStages({ url: 'ldaps://169.254.169.254' })).toMatchObject({ address: 'failed' })
    expect(await tryStages({ user_filter: '(&(mail={username})(|(a=1)' }, 'x@example.com')).toMatchObject({
      search: 'failed',
    })
  })
})
