#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import type { Config } from '#server/config.ts'
import packageFile from '../package.json' with { type: 'json' }

const HELP = `appwarden ${packageFile.version}

  token create [--name N] [--scopes all|a,b] [--days 90] [--user E]   make an access token (of the first administrator)
  user add EMAIL [--role R]                                           make an account (operator), with a generated password
  admin reset                                                         new password for the first administrator
  settings [NAME [VALUE]]                                             show the settings, or change one (VALUE is JSON, '[]' for none)
  verify FILE [--format text|json] [--min-sdk N] [--max-sdk N]        what Android says of the signatures of a package
  sign IN --out OUT --key KEYSTORE [--alias A] [--scheme v1,v2,v3,v4]   sign an APK, AAB, AAR or JAR; passwords in APPWARDEN_KEY_PASSWORD
  harden IN --out OUT [--policy FILE] [--key KEYSTORE --alias A]      reinforce an APK by a policy, and sign it
  channels IN --list FILE.txt --out FOLDER                            a package for each promotion channel, from a signed APK
  key new OUT | check FILE | convert FILE OUT                         make, open or rewrite a key store (PKCS#12, JKS, BKS, PEM)
  scan FILE [--strategy S] [--gate G] [--format text|json|sarif]      examine a package; exit code 0 passes the gate, 1 does not
  compare A B [--gate G] [--format text|json]                         what changed from one package or result to another
  jsguard IN --out OUT [--preset low|medium|high]                     protect scripts: a file, an archive or a folder; exit code 1: not all
  logs [--follow] [--level L] [--process P] [--lines N] [--json]      the log of all processes
  backup --to FOLDER [--keep-days 30]                                 copy everything, also while the server runs
  restore BACKUP                                                      put a backup in place of the data folder; the server must be stopped
  licence check FILE | new-key | issue                                what a licence says and whether it holds; for vendors: make one
  gateway --upstream URL [--listen HOST:PORT] [--policy P]            open sealed requests of apps for the server behind (README)
  doctor                                                              examine this installation
  repair [--from BACKUP/events.duckdb]                                replace a damaged event store, replay the journal
  pages                                                               pages of the console that are not built yet
  help                                                                this text

The data folder is APPWARDEN_DATA (default: data). A running server does the work; without one the stores are opened here.`

/** Not there yet: they say so instead of pretending. */
const NOT_BUILT = ['update', 'import']

/** Commands whose exit code 1 is an answer, and `logs`: what goes wrong with them is exit code 2. */
const JUDGES = ['verify', 'sign', 'harden', 'channels', 'key', 'scan', 'compare', 'jsguard', 'logs', 'licence']

/** How signed packages name what signed them. */
const MAKER = `AppWarden ${packageFile.version}`

const given = process.argv.slice(2)
process.exitCode = await main(given).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  const misread = (error as { code?: string } | null)?.code?.startsWith('ERR_PARSE_ARGS')
  return misread || JUDGES.includes(given[0] ?? '') ? 2 : 1
})

/** Answers the exit code: 0 done, 1 failed, 2 not understood or not built. Each command loads what it needs and no more. */
async function main(args: string[]): Promise<number> {
  if (args[0] === 'verify') return (await import('./verify.ts')).verifyCommand(args.slice(1), console.log)
  if (args[0] === 'sign')
    return (await import('./sign.ts')).signCommand(args.slice(1), process.env, Date.now(), MAKER, console.log)
  if (args[0] === 'harden')
    return (await import('./harden.ts')).hardenCommand(args.slice(1), process.env, Date.now, MAKER, console.log)
  if (args[0] === 'channels') return (await import('./channels.ts')).channelsCommand(args.slice(1), console.log)
  if (args[0] === 'key')
    return (await import('./key.ts')).keyCommand(args.slice(1), process.env, Date.now(), console.log)
  if (args[0] === 'scan') return (await import('./scan.ts')).scanCommand(args.slice(1), console.log, Date.now())
  if (args[0] === 'compare')
    return (await import('./compare.ts')).compareCommand(args.slice(1), console.log, Date.now())
  if (args[0] === 'jsguard') return (await import('./jsguard.ts')).jsguardCommand(args.slice(1), console.log)
  if (args[0] === 'licence')
    return (await import('./licence.ts')).licenceCommand(args.slice(1), process.env, Date.now(), console.log)
  if (args[0] === 'logs') return logs(args.slice(1))
  if (args[0] === 'gateway')
    return (await import('./gateway.ts')).gatewayCommand(args.slice(1), await configuration(), process.env)
  if (args[0] === 'backup')
    return (await import('./backup.ts')).backupCommand(args.slice(1), await configuration(), Date.now(), console.log)
  if (args[0] === 'restore')
    return (await import('./restore.ts')).restoreCommand(args.slice(1), await configuration(), Date.now(), console.log)
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scopes: { type: 'string' },
      days: { type: 'string' },
      user: { type: 'string' },
      role: { type: 'string' },
      from: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { help, ...options } = values
  const command = positionals.join(' ')
  if (help || command === 'help' || command === '') return print([HELP])
  if (command === 'pages') return print(unbuiltPages())
  if (command === 'doctor') return doctor(await configuration())
  if (command === 'repair')
    return print(await (await import('./repair.ts')).repairStore(await configuration(), options.from))
  if (positionals[0] === 'user' && positionals[1] === 'add' && positionals.length === 3) {
    const { runOnServer } = await import('./run-on-server.ts')
    const { lines, secret } = await runOnServer(await configuration(), {
      command: 'user.add',
      options: { user: positionals[2] as string, ...(options.role && { role: options.role }) },
    })
    return print([...lines, secret as string])
  }
  if (positionals[0] === 'settings' && positionals.length <= 3) {
    const { runOnServer } = await import('./run-on-server.ts')
    const [, name, value] = positionals
    const { lines } = await runOnServer(await configuration(), {
      command: value === undefined ? 'settings.show' : 'settings.set',
      options: { ...(name !== undefined && { name }), ...(value !== undefined && { value }) },
    })
    return print(lines)
  }
  if (command === 'token create' || command === 'admin reset') {
    const { runOnServer } = await import('./run-on-server.ts')
    const { lines, secret } = await runOnServer(await configuration(), {
      command: command === 'token create' ? 'token.create' : 'admin.reset',
      options: Object.fromEntries(
        Object.entries(options).filter((one): one is [string, string] => one[1] !== undefined),
      ),
    })
    return print(secret ? [...lines, secret] : lines)
  }
  console.error(
    NOT_BUILT.includes(positionals[0] ?? '')
      ? `${positionals[0]}: not built yet`
      : `Unknown command: ${command}\n\n${HELP}`,
  )
  return 2
}

async function logs(args: string[]): Promise<number> {
  const { logsCommand } = await import('./logs.ts')
  const stop = new AbortController()
  process.on('SIGINT', () => stop.abort())
  process.stdout.on('error', () => process.exit(0)) // `| head` has read enough
  return logsCommand(args, (await configuration()).paths.logs, console.log, stop.signal)
}

async function doctor(config: Config): Promise<number> {
  const { examine } = await import('./doctor.ts')
  const findings = await examine(config)
  print(findings.map(({ what, state, detail }) => `${state.padEnd(8)} ${what.padEnd(20)} ${detail}`))
  return findings.some(({ state }) => state === 'failed') ? 1 : 0
}

function unbuiltPages(): string[] {
  const left = PAGE_NAMES.filter((name) => !PAGES[name].built)
  if (left.length === 0) return ['Every page is built.']
  return left.map((name) => `${PAGES[name].path.padEnd(36)} ${PAGES[name].en}`)
}

async function configuration(): Promise<Config> {
  const { readConfig } = await import('#server/config.ts')
  return readConfig(process.env, packageFile.version)
}

function print(lines: string[]): number {
  console.log(lines.join('\n'))
  return 0
}
