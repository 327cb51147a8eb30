import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { applyProblem, LICENCE_MODULES, type Machine, MODULE_NAMES, readRequest } from '#domain/licence.ts'
import { DEFAULT_ZONE, nextDay, startOfDay } from '#domain/time-range.ts'
import {
  keyFingerprint,
  type LicenceTerms,
  MAC,
  PRODUCT_CODE,
  readLicence,
  writeLicence,
} from '#engines/licence/licence-code.ts'
import { licenceFile } from '#server/modules/licence/licence-file.ts'
import { readMacs } from '#server/platform/licence/machine.ts'
import { vendorKeys } from '#server/platform/licence/vendor-keys.ts'
import { readKeyFile, writeKeyFile } from './licence-key.ts'
import { readWhole } from './open-file.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage-error.ts'

export const LICENCE_USAGE = `appwarden licence check FILE [--public-key HEX] [--product CODE] [--here] [--format text|json]
appwarden licence new-key --out FILE
appwarden licence issue --key FILE (--request TEXT | --product CODE --mac M,M) --customer NAME --until YYYY-MM-DD [--from YYYY-MM-DD]
                        [--zone Z] [--applications N] [--users N] [--devices N] [--events-per-day N] [--modules a,b|all] [--id ID] [--out FILE]

check: exit code 0 the licence holds, 1 it does not, 2 not understood. --here compares with the network adapters of this machine.
The password of the key: APPWARDEN_LICENCE_PASSWORD, --password-file FILE, or asked for. Modules: ${MODULE_NAMES.join(', ')} (default all).`

const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }
const text = { type: 'string' } as const
const OPTIONS = {
  out: text,
  key: text,
  'password-file': text,
  'public-key': text,
  request: text,
  product: text,
  mac: text,
  customer: text,
  from: text,
  until: text,
  zone: text,
  applications: text,
  users: text,
  devices: text,
  'events-per-day': text,
  modules: text,
  id: text,
  format: text,
  here: { type: 'boolean' },
} as const

type Options = ReturnType<typeof parse>['values']
type Print = (line: string) => void

/** `appwarden licence …`, offline and without a server. Answers the exit code. */
export async function licenceCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  now: number,
  print: Print,
): Promise<number> {
  try {
    const { values, positionals } = parse(args)
    const [what, file, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many arguments')
    if (what === 'check' && file !== undefined) return check(file, values, env, now, print)
    if (what === 'new-key' && file === undefined) return await newKey(values, env, print)
    if (what === 'issue' && file === undefined) return await issue(values, env, now, print)
    throw new UsageError('check FILE, new-key or issue is wanted')
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS'))
      print(`${printable(message)}\n\n${LICENCE_USAGE}`)
    else if (syscall !== undefined) print(printable(message))
    else throw error
    return 2
  }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
}

async function newKey(options: Options, env: NodeJS.ProcessEnv, print: Print): Promise<number> {
  const file = wanted(options, 'out')
  const key = writeKeyFile(file, await password(options, env))
  print(`Private key: ${file} (keep it off the product's machines, and its password apart from it)`)
  print(`Fingerprint: ${keyFingerprint(gm, Buffer.from(key, 'hex'))}`)
  print('Public key, for VENDOR_KEYS in server/platform/licence/vendor-keys.ts:')
  print(key)
  return 0
}

async function issue(options: Options, env: NodeJS.ProcessEnv, now: number, print: Print): Promise<number> {
  const zone = zoneOf(options.zone ?? DEFAULT_ZONE)
  const { product, macs } = machineOf(options)
  const terms: LicenceTerms = {
    v: 1,
    id:
      options.id ??
      `L${new Date(now).toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(4).toString('hex')}`,
    customer: wanted(options, 'customer').trim(),
    product,
    macs: [...macs],
    modules: modulesOf(options.modules),
    applications: numberOf(options, 'applications'),
    users: numberOf(options, 'users'),
    devices: numberOf(options, 'devices'),
    events_per_day: numberOf(options, 'events-per-day'),
    issued_at: now,
    not_before: options.from === undefined ? startOfDay(now, zone) : startOfDay(noon(options.from, zone), zone),
    not_after: nextDay(startOfDay(noon(wanted(options, 'until'), zone), zone), zone) - 1,
  }
  if (terms.not_after < now) throw new UsageError('--until is in the past')
  if (terms.not_after < terms.not_before) throw new UsageError('--until is before --from')
  const key = readKeyFile(wanted(options, 'key'), await password(options, env))
  let code: string
  try {
    code = writeLicence(terms, key, gm, randomBytes)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const file = licenceFile(terms, code)
  if (options.out === undefined) print(file.trimEnd())
  else {
    writeFileSync(options.out, file, { flag: 'wx' })
    print(`${options.out}: ${terms.id} for ${printable(terms.customer)} until ${iso(terms.not_after)}`)
  }
  return 0
}

function check(path: string, options: Options, env: NodeJS.ProcessEnv, now: number, print: Print): number {
  const given = options['public-key'] ?? env['APPWARDEN_LICENCE_KEYS']
  const listed = (given ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (!listed.every((one) => /^04[0-9a-f]{128}$/i.test(one)))
    throw new UsageError('A public key has 130 hexadecimal digits that begin with 04')
  const keys = options['public-key'] === undefined ? vendorKeys(listed) : listed.map((one) => Buffer.from(one, 'hex'))
  if (keys.length === 0) throw new UsageError('This build holds no vendor key: name one with --public-key')
  const { format = 'text' } = options
  if (format !== 'text' && format !== 'json') throw new UsageError(`Unknown format: ${format}`)
  const reading = readLicence(readWhole(path).toString('utf8'), keys, gm)
  const terms = reading.ok ? reading.terms : null
  const problem = reading.ok
    ? applyProblem(reading.terms, {
        machine: {
          product: options.product ?? reading.terms.product,
          macs: options.here ? readMacs() : reading.terms.macs,
        },
        now,
        current: null,
      })
    : reading.problem
  const signer = reading.ok ? reading.signer : null
  print(
    format === 'json'
      ? JSON.stringify({ valid: problem === null, problem, signer, terms }, null, 2)
      : textOf(path, problem, signer, terms),
  )
  return problem === null ? 0 : 1
}

const REASONS: Readonly<Record<string, string>> = {
  empty: 'the file is empty',
  format: 'this is no licence',
  version: 'another format version: a newer product reads it',
  signature: 'changed, or not signed by a vendor key',
  other_product: 'for another product code',
  other_machine: 'for another machine',
  not_yet: 'not valid yet',
  expired: 'expired',
}

function textOf(path: string, problem: string | null, signer: string | null, terms: LicenceTerms | null): string {
  const limit = (value: number | null) => (value === null ? 'no limit' : String(value))
  const lines: [string, string][] = [
    [problem === null ? 'valid' : 'NOT VALID', problem === null ? printable(path) : (REASONS[problem] ?? problem)],
  ]
  if (terms)
    lines.push(
      ['licence', terms.id],
      ['customer', printable(terms.customer)],
      ['product', terms.product],
      ['MAC', terms.macs.join(' ')],
      ['valid', `${iso(terms.not_before)} to ${iso(terms.not_after)}`],
      ['issued', iso(terms.issued_at)],
      ['modules', terms.modules === null ? 'all' : terms.modules.join(', ') || 'none beside the base'],
      ['applications', limit(terms.applications)],
      ['users', limit(terms.users)],
      ['devices', limit(terms.devices)],
      ['events a day', limit(terms.events_per_day)],
      ['signed by', signer ?? ''],
    )
  return lines.map(([name, value]) => `${name.padEnd(13)} ${value}`).join('\n')
}

function machineOf(options: Options): Machine {
  if (options.request !== undefined) {
    const machine = readRequest(options.request)
    if (!machine) throw new UsageError('--request takes the text of the authorization page: AWR1/…')
    return machine
  }
  const product = wanted(options, 'product').trim().toUpperCase()
  const macs = wanted(options, 'mac')
    .toLowerCase()
    .replaceAll('-', ':')
    .split(',')
    .map((one) => one.trim())
  if (!PRODUCT_CODE.test(product)) throw new UsageError('--product takes a product code: AW-XXXX-XXXX-XXXX-XXXX')
  if (!macs.every((one) => MAC.test(one))) throw new UsageError('--mac takes addresses such as 3c:ec:ef:5a:81:d4')
  return { product, macs: [...new Set(macs)] }
}

function modulesOf(given = 'all'): string[] | null {
  if (given === 'all') return null
  const names = [
    ...new Set(
      given
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ]
  const unknown = names.find((one) => !Object.hasOwn(LICENCE_MODULES, one))
  if (unknown !== undefined) throw new UsageError(`Unknown module: ${unknown}`)
  return names
}

function numberOf(options: Options, name: 'applications' | 'users' | 'devices' | 'events-per-day'): number | null {
  const given = options[name]
  if (given === undefined) return null
  if (!/^\d{1,12}$/.test(given)) throw new UsageError(`--${name} takes a number`)
  return Number(given)
}

/** Noon of a date in the zone, so that no change of the clocks makes it another day. */
function noon(date: string, zone: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T12:00:00Z`) : Number.NaN
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date)
    throw new UsageError(`No such date: ${date}`)
  const shown = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
  return shown === date ? at : at - 12 * 3_600_000
}

function zoneOf(zone: string): string {
  try {
    new Intl.DateTimeFormat('en-CA', { timeZone: zone })
    return zone
  } catch {
    throw new UsageError(`No such zone: ${printable(zone)}`)
  }
}

function wanted(options: Options, name: 'out' | 'key' | 'product' | 'mac' | 'customer' | 'until'): string {
  const given = options[name]
  if (given === undefined || given.trim() === '') throw new UsageError(`--${name} is wanted`)
  return given
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

async function password(options: Options, env: NodeJS.ProcessEnv): Promise<string> {
  const file = options['password-file']
  if (file !== undefined) return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  return env['APPWARDEN_LICENCE_PASSWORD'] || askPassword()
}

/** Asks at the terminal without showing what is typed. */
async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('A password is wanted: APPWARDEN_LICENCE_PASSWORD or --password-file')
  process.stderr.write('Password of the key: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const given = await new Promise<string>((answer) => lines.question('', answer))
  lines.close()
  process.stderr.write('\n')
  return given
}
