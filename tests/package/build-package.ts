import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
export const archiveOf = (output: string, version: string) => join(output, `appwarden-${version}-linux-x64.tar.gz`)
export const updateOf = (output: string, version: string) => join(output, `appwarden-update-${version}-linux-x64.zip`)

/** `npm run package` of this checkout, which was built, into the folder. `keyFile`: the SM2 key that signs the update. */
export function buildPackage(output: string, keyFile: string): void {
  const env = { ...process.env, APPWARDEN_SIGNING_KEY_FILE: keyFile }
  execFileSync(process.execPath, ['scripts/package.mjs', output], { stdio: 'inherit', env })
}

/**
 * Builds and packages the version after this one: this checkout with a higher version and one more migration, which adds a table and a
 * column to a table with rows and can be undone. Answers the version.
 */
export function buildNextPackage(checkout: string, output: string, keyFile: string): string {
  const version = VERSION.replace(/\.\d+$/, '.99')
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
  return version
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
