import type { Program } from '../../dex/program.ts'
import type { ClassDefinition, DexModel } from '../../dex-edit/dex-model.ts'
import { type CallTarget, newTarget, redirectCalls } from '../redirect-calls.ts'
import type { SeededRandom } from '../seeded-random.ts'

export const ASSETS = 'Landroid/content/res/AssetManager;'
export const RESOURCES = 'Landroid/content/res/Resources;'
const STREAM = 'Ljava/io/InputStream;'

/** What code opens files by, and the signature of the reader's method that takes its place. */
const OPENS: readonly { readonly owner: string; readonly method: string; readonly signature: string }[] = [
  { owner: ASSETS, method: `open(Ljava/lang/String;)${STREAM}`, signature: `(${ASSETS}Ljava/lang/String;)${STREAM}` },
  { owner: ASSETS, method: `open(Ljava/lang/String;I)${STREAM}`, signature: `(${ASSETS}Ljava/lang/String;I)${STREAM}` },
  { owner: RESOURCES, method: `openRawResource(I)${STREAM}`, signature: `(${RESOURCES}I)${STREAM}` },
  {
    owner: RESOURCES,
    method: `openRawResource(ILandroid/util/TypedValue;)${STREAM}`,
    signature: `(${RESOURCES}ILandroid/util/TypedValue;)${STREAM}`,
  },
]

export const newReader = (folder: string, random: SeededRandom): CallTarget =>
  newTarget(
    folder,
    OPENS.map(({ signature }) => signature),
    random,
  )

/**
 * Lets the reader open what classes open. A call of a method above (`super`) stays: what it gives is decrypted where the call that led there was
 * made. Answers the number of calls.
 */
export function redirectOpens(
  model: DexModel,
  classes: readonly ClassDefinition[],
  reader: CallTarget,
  program: Program,
): number {
  return redirectCalls(model, classes, reader, {
    names: /^open(?:RawResource)?$/,
    signatureFor(reference) {
      const [owner, method] = reference.split('->') as [string, string]
      return OPENS.find((one) => one.method === method && (one.owner === owner || program.isA(owner, one.owner)))
        ?.signature
    },
  })
}
