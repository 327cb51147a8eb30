import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { Insertable } from 'kysely'
import { FILE_TYPES, type FileType } from '#contracts/detection/kinds.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { ServerDeps } from '../../http/module.ts'
import type { Inspection } from './inspection.ts'
import { type PackageSource, runInspection } from './run-inspection.ts'

type StoredPackage = Omit<
  Insertable<Database['app_files']>,
  'application_id' | 'by_user' | 'type' | 'uploaded_at' | 'baseline_id'
>

/** Sets of splits are Android packages. */
const CONTAINERS: Readonly<Record<string, FileType>> = { apks: '1', xapk: '1' }

/**
 * Reads a package in a sandbox and takes its bytes and its icon into the file store, hashing them on the way.
 * Throws asset.unreadable or asset.unknown_kind; then nothing was kept.
 */
export async function storePackage(
  { files, dataFolder }: Pick<ServerDeps, 'files'> & { dataFolder: string },
  source: PackageSource,
  name: string,
): Promise<StoredPackage> {
  const fileName = cleanName(name)
  const found = await runInspection(source, fileName, dataFolder)
  const md5 = createHash('md5')
  const { sha256, size } = await files.put(
    (async function* () {
      for await (const chunk of source.stream()) {
        md5.update(chunk as Buffer)
        yield chunk as Buffer
      }
    })(),
  )
  const icon = found.icon === null ? null : (await files.put(once(Buffer.from(found.icon, 'base64')))).sha256
  return {
    name: (found.name || baseName(fileName)).slice(0, 120),
    file_name: fileName,
    version: found.version.slice(0, 64),
    version_code: found.versionCode.slice(0, 32),
    size,
    md5: md5.digest('hex'),
    sha256,
    package_name: found.packageName.slice(0, 256),
    kind: found.kind,
    file_type: fileTypeOf(found),
    platform: found.platform,
    protection: found.packer ? 'reinforced' : 'unreinforced',
    packer: found.packer,
    signers: found.signers,
    signature: found.signature,
    icon,
    facts: JSON.stringify(found.facts).replaceAll('\\u0000', ''),
  }
}

/** The package in a file of this machine. */
export const packageAt = (path: string): PackageSource => ({
  size: statSync(path).size,
  stream: () => createReadStream(path, { highWaterMark: 1024 * 1024 }),
})

function fileTypeOf({ kind }: Inspection): FileType {
  const types = Object.keys(FILE_TYPES) as FileType[]
  return types.find((one) => FILE_TYPES[one].kind === kind) ?? CONTAINERS[kind] ?? '1'
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The last part of a path, without characters that change what a reader sees. */
export function cleanName(name: string): string {
  const last = name.replace(/^.*[\\/]/, '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, '')
  return last.trim().slice(0, 200) || 'package'
}

function baseName(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') || fileName
}
