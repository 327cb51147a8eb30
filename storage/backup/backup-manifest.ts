import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { listFiles } from './copy-tree.ts'

/** Written last: a folder without it is no backup. */
export const MANIFEST_FILE = 'backup.json'

const ManifestSchema = z.object({
  product: z.literal('appwarden'),
  version: z.string(),
  /** Epoch milliseconds. */
  createdAt: z.number(),
  /** Epoch milliseconds; personal data may not outlive it, so a later restore is refused. */
  expiresAt: z.number(),
  /** False where DATABASE_URL names a server of its own: its tables are backed up with that server's tools. */
  metadata: z.boolean(),
  files: z.array(z.object({ path: z.string(), size: z.number(), sha256: z.string() })),
})
export type BackupManifest = z.infer<typeof ManifestSchema>

/** Hashes every file below the folder and writes the manifest. */
export async function writeManifest(
  folder: string,
  head: Omit<BackupManifest, 'files' | 'product'>,
): Promise<BackupManifest> {
  const manifest: BackupManifest = { product: 'appwarden', ...head, files: await hashFiles(folder) }
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
  return manifest
}

/** Throws Error where the folder holds no backup. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined) // said below
  if (text === undefined) throw new Error(`${folder} holds no finished backup: ${MANIFEST_FILE} is missing`)
  const parsed = ManifestSchema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(`${join(folder, MANIFEST_FILE)} is not a manifest of a backup`)
  return parsed.data
}

/** Compares every file with the manifest. Throws Error that names the first file that is missing, changed or not listed. */
export async function verifyFiles(folder: string, manifest: BackupManifest): Promise<void> {
  const found = new Map((await hashFiles(folder)).map((file) => [file.path, file]))
  for (const { path, size, sha256 } of manifest.files) {
    const file = found.get(path)
    if (!file) throw new Error(`The backup is damaged: ${path} is missing`)
    if (file.size !== size || file.sha256 !== sha256) throw new Error(`The backup is damaged: ${path} was changed`)
    found.delete(path)
  }
  const [extra] = found.keys()
  if (extra !== undefined) throw new Error(`The backup is damaged: ${extra} is not listed in ${MANIFEST_FILE}`)
}

async function hashFiles(folder: string): Promise<BackupManifest['files']> {
  const files: BackupManifest['files'] = []
  for (const { path, size } of await listFiles(folder)) {
    if (path === MANIFEST_FILE) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    files.push({ path, size, sha256: hash.digest('hex') })
  }
  return files
}
