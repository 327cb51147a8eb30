import type { ClassDefinition, DexModel } from '../../dex-edit/dex-model.ts'
import type { AndroidPackage } from '../../package/package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { classNameOf } from '../edited-dex.ts'
import type { SkipReason } from '../files/file-rule.ts'
import { type PlanGiven, refusedPackage } from '../files/protect-files.ts'
import type { HardenText } from '../harden-texts.ts'
import type { CallTarget } from '../redirect-calls.ts'
import { preferencesDex } from '../runtime-dex.ts'
import { otherOpeners } from './preference-openers.ts'
import { newPreferences, redirectPreferences } from './redirect-preferences.ts'

interface Given extends PlanGiven {
  /** The result does not allow backups, whatever the package does. */
  readonly endsBackup: boolean
}

const OPTION = 'db_protection'
const MANIFEST = 'AndroidManifest.xml'

/** Preferences that the app keeps encrypted, by a class of ours that opens them (engines/harden/preferences, in smali). */
export class PreferenceProtection {
  private readonly given: Given
  private readonly target: CallTarget
  private readonly left: readonly string[]
  private readonly isChanged: (descriptor: string) => boolean

  private constructor(given: Given, left: readonly string[], isChanged: (descriptor: string) => boolean) {
    this.given = given
    this.left = left
    this.isChanged = isChanged
    this.target = newPreferences(given.newPackage(), given.random)
  }

  /** Undefined where none can be encrypted; what stays readable is in the log, with the reason. */
  static plan(given: Given): PreferenceProtection | undefined {
    const { source, program, keep, log } = given
    const { facts } = source
    const refuse = ({ text, detail }: SkipReason) => {
      log.skipped(OPTION, '', '', text, 1, detail)
      return undefined
    }
    const refused = refusedPackage(given) ?? sharedUser(source) ?? nativeOpener(given)
    if (refused) return refuse(refused)
    const others = otherOpeners({
      program,
      packageName: facts.package?.value ?? '',
      targetSdk: facts.effectiveTargetSdk,
      keeps: (descriptor) => keep.keeps(classNameOf(descriptor)),
    })
    if (others.refused) return refuse(others.refused)
    for (const [name, { text, detail }] of others.left) log.skipped(OPTION, '', name, text, 1, detail)
    if (facts.allowBackup?.value !== false && !given.endsBackup)
      log.skipped(
        OPTION,
        MANIFEST,
        'allowBackup',
        'the app allows backups: encrypted preferences that another phone restores count as absent',
      )
    log.absent(OPTION, 'encryption of databases and of other files that the app writes')
    return new PreferenceProtection(given, [...others.left.keys()], others.isChanged)
  }

  /** Whether code of a dex file may open preferences. */
  concerns(dex: Uint8Array): boolean {
    return Buffer.from(dex.buffer, dex.byteOffset, dex.length).includes('Landroid/content/SharedPreferences;')
  }

  /** Lets ours open what code opens, that of libraries too; `file`: the dex file. */
  redirect(file: string, model: DexModel): void {
    const classes = model.classes.filter(({ type }) => this.isChanged(model.descriptor(type)))
    const count = redirectPreferences(model, classes as ClassDefinition[], this.target, this.given.program)
    this.given.log.applied(OPTION, file, '', 'calls that open preferences redirected', count)
  }

  /** The dex file of the classes that open preferences. */
  dex(): Uint8Array {
    const left = this.left.length ? `\n${this.left.join('\n')}\n` : ''
    const { source, random } = this.given
    return preferencesDex(this.target, { own: source.facts.package?.value ?? '', left }, random)
  }
}

function sharedUser({ facts }: AndroidPackage): SkipReason | undefined {
  return (
    (facts.sharedUserId && {
      text: 'packages of the same user id may open preferences ({detail})',
      detail: facts.sharedUserId.value,
    }) ??
    undefined
  )
}

const NAMES = [
  'android/content/SharedPreferences',
  'getSharedPreferences',
  'getDefaultSharedPreferences',
  'shared_prefs',
]
/** What cannot hold code or the names that code of another language asks Java for. */
const NO_CODE = /\.(?:png|jpe?g|gif|webp|avif|bmp|svg|mp3|mp4|m4a|aac|ogg|oga|wav|flac|mid|midi|3gp|webm|mkv|ttf|otf)$/i

/** Native libraries, and scripts and managed code that runs in them. */
function nativeOpener({ source, zip }: Given): SkipReason | undefined {
  const text: HardenText = 'native code or scripts may open preferences ({detail})'
  for (const entry of zip.entries) {
    const { name, isDirectory } = entry
    if (isDirectory || source.facts.dexEntries.includes(name) || NO_CODE.test(name)) continue
    if (/^(?:META-INF|res)\//.test(name) || name === MANIFEST || name === 'resources.arsc') continue
    const bytes = Buffer.from(entryBytes(zip, entry))
    if (NAMES.some((one) => bytes.includes(one))) return { text, detail: name }
  }
  return undefined
}
