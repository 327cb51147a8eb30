import type { Program, StringConstant } from '../../dex/program.ts'
import data from '../data/library-marks.json' with { type: 'json' }
import { lostName } from './lost-name.ts'

/** Log tags and messages of well-known libraries as whole texts -> id of the SDK. Renaming leaves texts as they are. */
const TEXTS = new Map(
  Object.entries(data as Readonly<Record<string, readonly string[]>>).flatMap(([id, texts]) =>
    texts.map((text): [string, string] => [text, id]),
  ),
)

/** Texts that carry the name of the library: interfaces between processes, keys of states, versions. */
const NAMED: readonly (readonly [pattern: RegExp, id: string])[] = [
  [/^okhttp\/\d+\.\d+/, 'okhttp'],
  [/^ExoPlayerLib\/\d|^AndroidXMedia3\/\d/, 'exoplayer'],
  [/^androidx\.(?:[a-z]\w*\.)+[A-Z]\w*\.[\w.]+$/, 'androidx'],
  [/^android\.support\.v\d+\.(?:[a-z]\w*\.)+I[A-Z]\w*$/, 'support-lib'],
  [/^android\.support\.(?:customtabs|wearable)\.(?:[a-z]\w*\.)*I[A-Z]\w*$/, 'support-lib'],
  [/^com\.google\.android\.gms\.(?:[a-z]\w*\.)*internal\.I[A-Z]\w*$/, 'gms-base'],
  [/^com\.google\.firebase\.(?:[a-z]\w*\.)*internal\.I[A-Z]\w*$/, 'firebase-core'],
]
const BEGIN = /^(?:okhttp\/|ExoPlayerLib\/|AndroidXMedia3\/|androidx\.|android\.support\.|com\.google\.)/
/** AndroidX has the texts of the Support Library that it came from. */
const TWINS = new Set(['androidx', 'support-lib'])

/** Id of the library whose code alone holds such a text; null for all others. */
export function libraryOfText(text: string): string | null {
  const whole = TEXTS.get(text)
  if (whole || !BEGIN.test(text)) return whole ?? null
  return NAMED.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Each class that loads a text of a library, with the library; the pair comes once for each such text. */
export function* librariesOfTexts(program: Program): Generator<readonly [descriptor: string, id: string]> {
  for (const { id, constant } of textsOfLibraries(program))
    for (const { method } of constant.locations) yield [method.owner, id]
}

/** Libraries that renaming hides, each with the first of its texts in renamed classes: two texts, or one with its name and version. */
export function* shownByTexts(program: Program): Generator<readonly [id: string, constant: StringConstant]> {
  const first = new Map<string, StringConstant>()
  const shown = new Set<string>()
  for (const { id, constant } of textsOfLibraries(program)) {
    if (shown.has(id) || !constant.first || !lostName(constant.first.method.owner.slice(1, -1))) continue
    const known = first.get(id) ?? constant
    first.set(id, known)
    if (known === constant && !WITH_VERSION.test(constant.value)) continue
    shown.add(id)
    yield [id, known]
  }
}

const WITH_VERSION = /^(?:okhttp|ExoPlayerLib|AndroidXMedia3)\/\d/

function* textsOfLibraries(program: Program): Generator<{ readonly id: string; readonly constant: StringConstant }> {
  let twin: string | undefined
  for (const constant of program.stringConstants()) {
    const id = libraryOfText(constant.value)
    if (!id) continue
    if (TWINS.has(id)) twin ??= oldSupport(program) ? 'support-lib' : 'androidx'
    yield { id: TWINS.has(id) ? twin! : id, constant }
  }
}

/** Some classes of either keep their names, as layouts and manifests name them. */
function oldSupport(program: Program): boolean {
  let support = false
  for (const { descriptor } of program.classes()) {
    if (descriptor.startsWith('Landroidx/')) return false
    support ||= descriptor.startsWith('Landroid/support/')
  }
  return support
}
