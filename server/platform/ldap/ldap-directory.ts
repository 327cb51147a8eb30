import { lookup as resolveName } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { Client, type Entry, InvalidCredentialsError } from 'ldapts'
import type { LdapStage } from '#contracts/http/ldap.ts'
import { mayConnect } from '../outgoing/target-check.ts'
import { escapeFilterValue, userFilter } from './ldap-filter.ts'
import type { OpenLdapSettings } from './ldap-settings.ts'

/** One answer of the directory, and everything of one sign-in (unless `limitMs` says otherwise). */
const ANSWER_MS = 5000
const ALL_MS = 15_000
const GROUPS = 1000

/** Why the directory gave no answer; `stage` is the step that failed. The message is the directory's or the system's. */
export class LdapProblem extends Error {
  readonly stage: LdapStage
  constructor(stage: LdapStage, message: string) {
    super(message)
    this.stage = stage
  }
}

/** A person of the directory. */
export type LdapPerson = {
  dn: string
  /** Value of the id attribute; hexadecimal where it is not text. */
  subject: string
  /** Value of the name attribute. */
  name: string
  groups: readonly string[]
}

export type Directory = {
  /** The one person whom the user filter finds; undefined for none, and where it finds several. Throws LdapProblem. */
  find(username: string): Promise<Omit<LdapPerson, 'groups'> | undefined>
  /** Throws LdapProblem. */
  groupsOf(dn: string): Promise<readonly string[]>
  /** Whether the password is the entry's. An empty one never is: a bind without a password succeeds for every name (RFC 4513, 5.1.2). Throws LdapProblem. */
  checkPassword(dn: string, password: string): Promise<boolean>
}

/** A step is over: for the test of settings. */
type OnStage = (stage: LdapStage, detail: string) => void

/**
 * Connects, encrypts, binds with the account that reads the directory, and hands the directory to `use`; closes the connections at its end.
 * Nothing is sent before the connection is encrypted, certificates are always verified, referrals are not followed. Throws LdapProblem.
 */
export async function withDirectory<T>(
  settings: OpenLdapSettings,
  use: (directory: Directory) => Promise<T>,
  { onStage = () => {}, limitMs = ALL_MS }: { onStage?: OnStage; limitMs?: number } = {},
): Promise<T> {
  const target = await resolveTarget(settings)
  onStage('address', `${target.address}:${target.port}`)
  const clients: Client[] = []
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LdapProblem('connect', 'timeout')), limitMs)
  })
  async function open(): Promise<Client> {
    const client = new Client({
      url: target.url,
      timeout: ANSWER_MS,
      connectTimeout: ANSWER_MS,
      // Given for ldap:// they would mean TLS from the start.
      ...(target.secure && { tlsOptions: target.tls }),
    })
    clients.push(client)
    if (!target.secure && settings.start_tls) await step('encrypt', () => client.startTLS({ ...target.tls }))
    return client
  }
  const work = async () => {
    await step('connect', () => probe(target.address, target.port))
    onStage('connect', '')
    const reader = await open()
    if (!target.secure && settings.start_tls) onStage('encrypt', 'StartTLS')
    if (settings.bind_dn !== '') {
      if (settings.bind_password === '') throw new LdapProblem('bind', 'no password')
      await step('bind', () => reader.bind(settings.bind_dn, settings.bind_password))
    } else await step('bind', () => reader.search('', { scope: 'base', attributes: ['1.1'] }))
    if (target.secure) onStage('encrypt', 'TLS')
    onStage('bind', settings.bind_dn)
    return use(makeDirectory(settings, reader, open))
  }
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
    // A connection that is already gone needs no end.
    for (const client of clients) void client.unbind().catch(() => {})
  }
}

function makeDirectory(settings: OpenLdapSettings, reader: Client, open: () => Promise<Client>): Directory {
  const { base_dn, name_attribute, id_attribute, group_attribute, group_base_dn, member_attribute } = settings
  return {
    async find(username) {
      const { searchEntries } = await step('search', () =>
        reader.search(base_dn, {
          scope: 'sub',
          filter: userFilter(settings.user_filter, username),
          attributes: [name_attribute, id_attribute],
          explicitBufferAttributes: [id_attribute],
          sizeLimit: 2,
        }),
      )
      const [entry, second] = searchEntries
      if (!entry) return undefined
      if (second) throw new LdapProblem('search', 'the filter finds several entries')
      const subject = idOf(entry, id_attribute)
      if (subject === '') throw new LdapProblem('search', `${entry.dn} has no ${id_attribute}`)
      return { dn: entry.dn, subject, name: valuesOf(entry, name_attribute)[0] ?? '' }
    },
    async groupsOf(dn) {
      const groups: string[] = []
      if (group_attribute !== '') {
        const { searchEntries } = await step('groups', () =>
          reader.search(dn, { scope: 'base', attributes: [group_attribute] }),
        )
        groups.push(...searchEntries.flatMap((entry) => valuesOf(entry, group_attribute)))
      }
      if (group_base_dn !== '') {
        const { searchEntries } = await step('groups', () =>
          reader.search(group_base_dn, {
            scope: 'sub',
            filter: `(${member_attribute}=${escapeFilterValue(dn)})`,
            attributes: ['1.1'],
            sizeLimit: GROUPS,
          }),
        )
        groups.push(...searchEntries.map((entry) => entry.dn))
      }
      return groups
    },
    async checkPassword(dn, password) {
      if (password === '' || dn === '') return false
      const own = await open()
      try {
        await own.bind(dn, password)
        return true
      } catch (error) {
        if (error instanceof InvalidCredentialsError) return false
        throw problemOf('password', error)
      }
    },
  }
}

/** The name is looked up once; the connection goes to an address that was checked, and the certificate must be for the name. */
async function resolveTarget({ url: text, ca }: OpenLdapSettings) {
  const url = new URL(text)
  const secure = url.protocol === 'ldaps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (secure ? 636 : 389))
  const found = isIP(host)
    ? [{ address: host }]
    : await step('address', () => withTimeout(resolveName(host, { all: true }), ANSWER_MS))
  const address = found.find((one) => mayConnect(one.address, true))?.address
  if (!address) throw new LdapProblem('address', 'address refused')
  const tls: ConnectionOptions = {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca !== '' && { ca }),
    // Node compares the certificate with this name; an address has none.
    ...(isIP(host) ? { host } : { servername: host }),
  }
  const written = isIP(address) === 6 ? `[${address}]` : address
  return { address, port, secure, tls, url: `${url.protocol}//${written}:${port}` }
}

/** Whether somebody listens there, so that a test can distinguish this from a failure of TLS. */
function probe(address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address)
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('timeout')))
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function step<T>(stage: LdapStage, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw problemOf(stage, error)
  }
}

/** Errors of TLS appear wherever the first bytes are sent. */
function problemOf(stage: LdapStage, error: unknown): LdapProblem {
  if (error instanceof LdapProblem) return error
  const { code, message } = error as { code?: unknown; message?: string }
  const isTls = typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(code)
  const text = (message || (error as Error).name || 'failed').slice(0, 300)
  return new LdapProblem(isTls ? 'encrypt' : stage, text)
}

/** Attribute names come back in the spelling of the directory. */
function valuesOf(entry: Entry, name: string): string[] {
  const key = Object.keys(entry).find((one) => one !== 'dn' && one.toLowerCase() === name.toLowerCase())
  const value = key === undefined ? [] : entry[key]
  return (Array.isArray(value) ? value : [value]).map(String).filter(Boolean)
}

function idOf(entry: Entry, name: string): string {
  const key = Object.keys(entry).find((one) => one !== 'dn' && one.toLowerCase() === name.toLowerCase())
  const value = key === undefined ? undefined : entry[key]
  const one = Array.isArray(value) ? value[0] : value
  if (one === undefined) return ''
  const bytes = Buffer.isBuffer(one) ? one : Buffer.from(one, 'utf8')
  const text = bytes.toString('latin1')
  return /^[\x20-\x7e]*$/.test(text) ? text : bytes.toString('hex')
}
