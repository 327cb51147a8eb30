import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sm2 } from 'sm-crypto'

const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
export type Packaged = {
  /** Folder of what `npm run package` writes. */
  output: string
  archive: string
  /** Signed with the vendor key of this folder. */
  update: string
  version: string
  /** Uncompressed point in hexadecimal. */
  publicKey: string
}

/** Packages of this checkout, which was built, and with `next` of the version after it. What an earlier call wrote to the folder is taken. */
export function buildPackages(folder: string): Packaged
export function buildPackages(folder: string, next: 'next'): Packaged & { next: Packaged }
export function buildPackages(folder: string, next?: 'next'): Packaged | (Packaged & { next: Packaged }) {
  const keyFile = join(folder, 'key')
  if (!existsSync(keyFile)) {
    mkdirSync(folder, { recursive: true })
    const { privateKey, publicKey } = sm2.generateKeyPairHex()
    writeFileSync(`${keyFile}.public`, publicKey)
    writeFileSync(keyFile, privateKey, { mode: 0o600 })
  }
  const publicKey = readFileSync(`${keyFile}.public`, 'utf8')
  const packaged = (output: string, version: string): Packaged => ({
    output,
    archive: join(output, `appwarden-${version}-linux-x64.tar.gz`),
    update: join(output, `appwarden-update-${version}-linux-x64.zip`),
    version,
    publicKey,
  })
  const first = packaged(join(folder, 'first'), VERSION)
  if (!existsSync(join(first.output, 'SHA256SUMS'))) buildPackage(first.output, keyFile)
  if (!next) return first
  const second = packaged(join(folder, 'next'), VERSION.replace(/\.\d+$/, '.99'))
  if (!existsSync(join(second.output, 'SHA256SUMS')))
    buildNextPackage(join(folder, 'source'), second.output, second.version, keyFile)
  return { ...first, next: second }
}

function buildPackage(output: string, keyFile: string): void {
  const env = { ...process.env, APPWARDEN_SIGNING_KEY_FILE: keyFile }
  execFileSync(process.execPath, ['scripts/package.mjs', output], { stdio: 'inherit', env })
}

/**
 * Builds and packages the version after this one: this checkout with a higher version and one more migration, which adds a table and a
 * column to a table with rows and can be undone.
 */
function buildNextPackage(checkout: string, output: string, version: string, keyFile: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64e6,
  })
  for (const path of listed.split('\0').filter(isBuilt)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    cpSync(path, join(checkout, path))
  }
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'))
  const edit = (path: string, change: (text: string) => string) => {
    const before = readFileSync(join(checkout, path), 'utf8')
    const after = change(before)
    if (after === before) throw new Error(`${path} is not what this test expects`)
    writeFileSync(join(checkout, path), after)
  }
  edit('package.json', (text) => text.replace(`"version": "${VERSION}"`, `"version": "${version}"`))
  writeFileSync(join(checkout, 'storage/postgres/migrations/9000-next-version.ts'), MIGRATION)
  edit('storage/postgres/database.ts', (text) =>
    text
      .replace(/^import /m, "import * as nextVersion from './migrations/9000-next-version.ts'\nimport ")
      .replace(/(MIGRATIONS: [^\n]*\{\n[\s\S]*?\n)\}\n/, "$1  '9000-next-version': nextVersion,\n}\n"),
  )
  const env = { ...process.env, APPWARDEN_SIGNING_KEY_FILE: keyFile }
  execFileSync(process.execPath, ['scripts/bootstrap.mjs', 'package', output], { stdio: 'inherit', env, cwd: checkout })
}

/** Tests and pictures of documents are not built. */
const isBuilt = (path: string) => path !== '' && !/^(tests|docs\/screens)\//.test(path)

const MIGRATION = `import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create table next_version (id int primary key, made_at int8 not null)').execute(db)
  await sql.raw("alter table users add column next_version text not null default 'next'").execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table users drop column next_version').execute(db)
  await sql.raw('drop table next_version').execute(db)
}
`
