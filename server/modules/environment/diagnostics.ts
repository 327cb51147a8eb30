import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { ZipFile } from 'yazl'
import { METRIC_NAMES } from '#domain/environment.ts'
import type { HttpDeps } from '../../http/http-deps.ts'
import { csvLine } from '../../platform/tables/csv.ts'
import { within } from '../../platform/within.ts'
import { knownSecrets, readVariables } from './known-secrets.ts'
import { readSpans } from './read-history.ts'
import { createScrubber } from './scrub.ts'
import { meanOf } from './summarise-samples.ts'

/** Of the end of each log file; at most so many files. */
const LOG_BYTES = 1_048_576
const LOG_FILES = 60
/** A line beyond it is cut. */
const LINE_CHARS = 16_384
const DAY_MS = 86_400_000
const ANSWER_MS = 5000
const ALERTS = 200

const README = `AppWarden 诊断包 / diagnostics

versions.json     版本与系统 / versions and system
health.json       /healthz
metrics.txt       /metrics
settings.json     平台设置 / platform settings
variables.json    已设置的环境变量（多数只有名称）/ environment variables that are set, most by name alone
migrations.json   数据库迁移 / migrations that ran
nodes.json        各节点最近一次采样：机器、进程、队列、存储 / last sample of each node: machine, processes, queues, stores
history.csv       24 小时的分钟均值 / means of minutes of 24 hours
alerts.json       阈值告警 / alerts
logs/             各进程日志的末尾 / end of the log of each process

密码、令牌、密钥、服务地址、账号、邮箱与网络地址已去除。
Passwords, tokens, keys, addresses of services, accounts, e-mail and network addresses were taken out.
`

/**
 * The diagnostics bundle as a ZIP, written as it is read: nothing of it is stored. Every text goes through the scrubber. A part that cannot
 * be read says why instead; only the values to look for must be known, or nothing is given out (rejects).
 */
export async function diagnosticsBundle(deps: HttpDeps, env: NodeJS.ProcessEnv): Promise<Readable> {
  const { meta, config } = deps
  const { db } = meta
  const scrub = createScrubber(await knownSecrets(deps, env))
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  const options = { mtime: new Date(deps.now()), compress: true }
  const addText = async (name: string, make: () => unknown) => {
    let value: unknown
    try {
      value = await within(ANSWER_MS, Promise.resolve(make()))
    } catch (error) {
      value = { error: (error as Error).message }
    }
    const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`
    zip.addBuffer(Buffer.from(scrub(text)), name, options)
  }
  const nodes = () => db.selectFrom('environment_nodes').selectAll().orderBy('first_at').execute()

  zip.addBuffer(Buffer.from(README), 'README.txt', options)
  await addText('versions.json', async () => {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
    return {
      appwarden: config.version,
      node: process.versions.node,
      system: `${process.platform} ${process.arch} ${release()}`,
      postgresql: rows[0]?.version ?? null,
      roles: config.roles,
      demo: config.demo,
    }
  })
  await addText('health.json', () => deps.health())
  await addText('metrics.txt', () => deps.metrics())
  await addText('settings.json', () => deps.settings())
  await addText('variables.json', () => readVariables(env))
  await addText('migrations.json', async () => {
    const { rows } = await sql`select name, timestamp from kysely_migration order by name`.execute(db)
    return rows
  })
  await addText('nodes.json', nodes)
  await addText('history.csv', async () => {
    const lines = [csvLine(['node', 'at', ...METRIC_NAMES.flatMap((metric) => [metric, `${metric} highest`])])]
    for (const { node } of await nodes())
      for (const { at, stats } of await readSpans(meta, node, 60, deps.now() - DAY_MS))
        lines.push(
          csvLine([
            node,
            new Date(at).toISOString(),
            ...METRIC_NAMES.flatMap((metric) => [meanOf(stats[metric]), stats[metric]?.[2] ?? null]),
          ]),
        )
    return lines.join('')
  })
  await addText('alerts.json', () =>
    db.selectFrom('environment_alerts').selectAll().orderBy('opened_at', 'desc').limit(ALERTS).execute(),
  )
  for (const name of await logFiles(config.paths.logs))
    zip.addReadStreamLazy(`logs/${name}`, options, (done) =>
      done(null, Readable.from(logTail(join(config.paths.logs, name), scrub), { objectMode: false })),
    )
  zip.end()
  return output
}

/** Names of the log files; none where the folder cannot be read. */
async function logFiles(folder: string): Promise<string[]> {
  // A bundle without logs is better than none.
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => /^[\w.-]+\.log$/.test(name))
    .sort()
    .slice(0, LOG_FILES)
}

/** Whole lines of the end of the file, scrubbed one by one. */
async function* logTail(path: string, scrub: (text: string) => string): AsyncGenerator<string> {
  try {
    const { size } = await stat(path)
    const start = Math.max(0, size - LOG_BYTES)
    let isFirst = start > 0
    for await (const line of createInterface({ input: createReadStream(path, { start, encoding: 'utf8' }) })) {
      // Where the end begins, most of a line is missing, and with it what would say that the rest is secret.
      if (!isFirst) yield `${scrub(line.slice(0, LINE_CHARS))}\n`
      isFirst = false
    }
  } catch (error) {
    yield `${(error as NodeJS.ErrnoException).code ?? 'error'}: this file could not be read\n`
  }
}
