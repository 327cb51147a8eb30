import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Attribute, Change, Client } from 'ldapts'
import { selfSigned } from '#server/platform/tls/self-signed.ts'

const SLAPD = '/usr/sbin/slapd'
/** Why a directory cannot run here; undefined where it can. npm test installs one where it may (scripts/test.mjs). */
export const NO_SLAPD = existsSync(SLAPD)
  ? undefined
  : 'no slapd here and it could not be installed (apt-get install slapd)'

export const BASE = 'dc=example,dc=com'
export const READER = { dn: `cn=reader,${BASE}`, password: 'Reader-(1)' }
const ROOT = { dn: `cn=root,${BASE}`, password: 'root' }

export type Slapd = {
  ldap: string
  ldaps: string
  /** Its certificate, for localhost and 127.0.0.1. */
  ca: string
  addPerson(uid: string, mail: string, password: string): Promise<string>
  addGroup(cn: string, members: readonly string[]): Promise<string>
  setMembers(group: string, members: readonly string[]): Promise<void>
  remove(dn: string): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** OpenLDAP's server with a folder and ports of its own: people below ou=people, groups with the memberOf overlay below ou=groups. */
export async function startSlapd(): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'aw-slapd-'))
  const { cert, key } = await selfSigned(['localhost', '127.0.0.1'], 30, Date.now())
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  mkdirSync(join(folder, 'db'))
  const config = file(
    'slapd.conf',
    `${['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${join(folder, 'pid')}
TLSCertificateFile ${file('cert.pem', cert)}
TLSCertificateKeyFile ${file('key.pem', key)}
database mdb
suffix "${BASE}"
rootdn "${ROOT.dn}"
rootpw ${ROOT.password}
directory ${join(folder, 'db')}
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by * none
`,
  )
  const [plain, secure] = [await freePort(), await freePort()]
  const ldap = `ldap://localhost:${plain}`
  let process: ChildProcess | undefined
  async function start(): Promise<void> {
    const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`
    process = spawn(SLAPD, ['-d', '0', '-f', config, '-h', urls], { stdio: 'ignore' })
    for (let tries = 0; tries < 100; tries++) {
      if (await asRoot((client) => client.bind(ROOT.dn, ROOT.password)).then(Boolean, () => false)) return
      await delay(100)
    }
    throw new Error('slapd does not listen')
  }
  async function stop(): Promise<void> {
    if (!process || process.exitCode !== null) return
    const ended = new Promise((resolve) => process?.once('exit', resolve))
    process.kill('SIGTERM')
    await ended
  }
  async function asRoot(work: (client: Client) => Promise<unknown>): Promise<true> {
    const client = new Client({ url: `ldap://127.0.0.1:${plain}`, timeout: 5000, connectTimeout: 5000 })
    try {
      await client.bind(ROOT.dn, ROOT.password)
      await work(client)
    } finally {
      await client.unbind()
    }
    return true
  }
  const add = (dn: string, attributes: Record<string, string | string[]>) =>
    asRoot((client) => client.add(dn, attributes)).then(() => dn)
  const inet = ['inetOrgPerson', 'organizationalPerson', 'person', 'top']

  await start()
  await add(BASE, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
  for (const ou of ['people', 'groups'])
    await add(`ou=${ou},${BASE}`, { objectClass: ['organizationalUnit', 'top'], ou })
  await add(READER.dn, { objectClass: inet, cn: 'reader', sn: 'reader', userPassword: READER.password })
  return {
    ldap,
    ldaps: `ldaps://localhost:${secure}`,
    ca: cert,
    addPerson: (uid, mail, userPassword) =>
      add(`uid=${uid},ou=people,${BASE}`, { objectClass: inet, uid, cn: uid, sn: uid, mail, userPassword }),
    addGroup: (cn, member) =>
      add(`cn=${cn},ou=groups,${BASE}`, { objectClass: ['groupOfNames', 'top'], cn, member: [...member] }),
    async setMembers(group, values) {
      const modification = new Attribute({ type: 'member', values: [...values] })
      await asRoot((client) => client.modify(group, new Change({ operation: 'replace', modification })))
    },
    async remove(dn) {
      await asRoot((client) => client.del(dn))
    },
    stop,
    start,
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
