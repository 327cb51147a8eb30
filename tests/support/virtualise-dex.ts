import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readProgram } from '#engines/dex/read-program.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { HardenLog } from '#engines/harden/hardening.ts'
import { SeededRandom } from '#engines/harden/seeded-random.ts'
import { Virtualiser } from '#engines/harden/vm/virtualise.ts'
import { compiledLibrary, libraryOfBuild } from '#engines/harden/vm/vm-library.ts'

/** The folder that libraries of this process lie in; it goes with the process. */
let folder: string | undefined
let made = 0

/**
 * Virtualises every method of dex files that can be, with an interpreter for this machine. `chooses`: by class and method, `a.B.c`; `compiled`: another
 * interpreter than that of the product.
 */
export function virtualiseDex(
  dexFiles: readonly Uint8Array[],
  {
    seed = 1,
    chooses = () => true,
    compiled = compiledLibrary('x86_64'),
  }: { seed?: number; chooses?: (name: string) => boolean; compiled?: Uint8Array } = {},
): { files: Uint8Array[]; log: HardenLog; library: Uint8Array; count: number } {
  const program = readProgram(dexFiles.map((bytes, i) => ({ entry: `classes${i || ''}.dex`, bytes })))
  const vm = new Virtualiser('Lvm/a;', program, new SeededRandom(Buffer.alloc(32, seed)))
  const log = new HardenLog()
  if (!folder) {
    const own = mkdtempSync(join(tmpdir(), 'aw-vm-'))
    folder = own
    process.once('exit', () => rmSync(own, { recursive: true }))
  }
  const path = join(folder, `vm${made++}.so`)
  const library = libraryOfBuild(compiled, vm.key, vm.owner)
  writeFileSync(path, library)
  const models = dexFiles.map((bytes) => readDexModels(bytes)[0]!)
  for (const [i, model] of models.entries())
    for (const one of model.classes) {
      const place = model.descriptor(one.type).slice(1, -1).replaceAll('/', '.')
      vm.virtualise(model, `classes${i || ''}.dex`, one, (name) => chooses(`${place}.${name}`), log)
    }
  vm.finish(models[0]!, { by: 'path', text: path })
  return { files: models.flatMap(writeDexFiles), log, library, count: vm.methodCount }
}
