import { methodsOf } from '#engines/dex-edit/dex-model.ts'
import { packCode } from '#engines/dex-edit/pack-code.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import type { EditedDex } from '#engines/harden/edited-dex.ts'
import { HardenLog } from '#engines/harden/hardening.ts'
import { hideTexts } from '#engines/harden/hide-texts.ts'
import { addPredicateSource, addPredicates } from '#engines/harden/opaque-predicates.ts'
import { reduceDebug } from '#engines/harden/reduce-debug.ts'
import { type LogLevel, removeLogs } from '#engines/harden/remove-logs.ts'
import { SeededRandom } from '#engines/harden/seeded-random.ts'
import { addTextDecoder, makeTextKey } from '#engines/harden/text-decoder.ts'

export interface DexChanges {
  readonly texts?: boolean
  readonly predicates?: boolean
  readonly debug?: boolean
  readonly logs?: readonly LogLevel[]
}

/** Performs options on every class of a dex file; the first file of a package gets the classes that the others call. */
export function hardenDex(
  bytes: Uint8Array,
  changes: DexChanges,
  { seed = 1, withHelpers = true } = {},
): { files: Uint8Array[]; log: HardenLog } {
  const [model] = readDexModels(bytes)
  const random = new SeededRandom(Buffer.alloc(32, seed))
  const key = makeTextKey(random)
  const log = new HardenLog()
  const edited: EditedDex = { file: 'classes.dex', model: model!, classes: [...model!.classes] }
  const [decoder, source] = ['Lhelper/a;', 'Lhelper/b;']
  if (changes.logs) removeLogs(edited, new Set(changes.logs), log)
  if (changes.texts) {
    const reference = `${decoder}->a(Ljava/lang/String;)Ljava/lang/String;`
    hideTexts(edited, { decoder: reference, key, random, hidden: new Map(), isStored: () => false }, log)
    if (withHelpers) addTextDecoder(model!, decoder, key)
  }
  if (changes.predicates) {
    addPredicates(edited, source, log)
    if (withHelpers) addPredicateSource(model!, source, random)
  }
  if (changes.debug) reduceDebug(edited, log)
  for (const one of model!.classes) for (const method of methodsOf(one)) packCode(model!, method)
  return { files: writeDexFiles(model!), log }
}
