import type { CallSite, Program } from '../../dex/program.ts'
import type { ClassDefinition, DexModel } from '../../dex-edit/dex-model.ts'
import { type CallTarget, newTarget, redirectCalls } from '../redirect-calls.ts'
import type { SeededRandom } from '../seeded-random.ts'

const CONTEXT = 'Landroid/content/Context;'
const TEXT = 'Ljava/lang/String;'
const PREFERENCES = 'Landroid/content/SharedPreferences;'
export const DEFAULTS = `Landroid/preference/PreferenceManager;->getDefaultSharedPreferences(${CONTEXT})${PREFERENCES}`

/** What code opens preferences by, and the signature of the method of ours that takes its place. */
const OPENS = {
  /** By a name. */
  named: { method: `getSharedPreferences(${TEXT}I)${PREFERENCES}`, signature: `(${CONTEXT}${TEXT}I)${PREFERENCES}` },
  /** Those of an activity. */
  own: { method: `getPreferences(I)${PREFERENCES}`, signature: `(Landroid/app/Activity;I)${PREFERENCES}` },
  /** Those of the app, by a static method. */
  defaults: { method: DEFAULTS.slice(DEFAULTS.indexOf('>') + 1), signature: `(${CONTEXT})${PREFERENCES}` },
} as const
export type OpenKind = keyof typeof OPENS

/** How a reference opens preferences, where it does. */
export function openKind(reference: string): OpenKind | undefined {
  if (reference === DEFAULTS) return 'defaults'
  const method = reference.slice(reference.indexOf('->') + 2)
  if (method === OPENS.named.method) return 'named'
  return method === OPENS.own.method ? 'own' : undefined
}

export const newPreferences = (folder: string, random: SeededRandom): CallTarget =>
  newTarget(
    folder,
    Object.values(OPENS).map(({ signature }) => signature),
    random,
  )

/**
 * Whether the class is Android's own or extends one: by these names and signatures Android has methods of contexts and activities alone. Not of the
 * support library, which is code of the app.
 */
export function isOfAndroid(program: Program, descriptor: string): boolean {
  let above = descriptor
  for (let found = program.classOf(above); found; found = program.classOf(above)) {
    if (!found.superclass || found.superclass === above) return false
    above = found.superclass
  }
  return above.startsWith('Landroid/') && !above.startsWith('Landroid/support/')
}

/** Whether a call that opens preferences can lead to ours. */
export const canRedirect = (program: Program, { kind, callee }: CallSite): boolean =>
  kind !== 'interface' && isOfAndroid(program, callee.slice(0, callee.indexOf('->')))

/** Lets classes open preferences by `target`. Answers the number of calls. */
export function redirectPreferences(
  model: DexModel,
  classes: readonly ClassDefinition[],
  target: CallTarget,
  program: Program,
): number {
  return redirectCalls(model, classes, target, {
    names: /^get(?:Shared|DefaultShared)?Preferences$/,
    signatureFor(reference) {
      const kind = openKind(reference)
      const isAndroids = isOfAndroid(program, reference.slice(0, reference.indexOf('->')))
      return kind && isAndroids ? OPENS[kind].signature : undefined
    },
    // No class between defines these methods, so that a call of a method above leads to Android's.
    supers: true,
  })
}
