import { FormatError } from '#engines/bytes/format-error.ts'
import { processOptions } from '#runtime/start-process.ts'
import { checkPackage, readPackageFile, sizeOf, unpackPackage } from './read-package.ts'
import type { UpdateTask, UpdateTaskAnswer } from './update-tasks.ts'

/** One task of an update, then it ends: it has read a whole package and what came with it. */
const order = processOptions<UpdateTask>()
process.on('disconnect', () => process.exit(1)) // its parent ended
const answer = await perform(order).catch((error: unknown): UpdateTaskAnswer => {
  const detail = error instanceof Error ? error.message : String(error)
  return { failed: error instanceof FormatError ? 'damaged' : 'internal', detail: detail.slice(0, 2000) }
})
if (process.send) process.send(answer, () => process.exit(0))
else console.log(JSON.stringify(answer))

async function perform(task: UpdateTask): Promise<UpdateTaskAnswer> {
  if (task.task === 'formats') return { formats: (await import('./data-formats.ts')).dataFormats() }
  if (task.task === 'migrate-back') {
    const { migrateBack } = await import('#storage/postgres/migrate-back.ts')
    return { done: (await migrateBack(task.address, task.kept)).join(', ') }
  }
  const bytes = readPackageFile(task.file)
  if (task.task === 'unpack') {
    const manifest = unpackPackage(bytes, task.keys, task.folder)
    return { done: `${manifest.files.length} files, ${(sizeOf(manifest) / 1e6).toFixed(1)} MB` }
  }
  const { dataFormats } = await import('./data-formats.ts')
  const { version, keys, externalDatabase } = task
  const platform = `${process.platform}-${process.arch}`
  return { check: checkPackage(bytes, keys, { version, platform, formats: dataFormats(), externalDatabase }) }
}
