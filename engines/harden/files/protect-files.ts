import type { Program } from '../../dex/program.ts'
import type { ClassDefinition, DexModel } from '../../dex-edit/dex-model.ts'
import type { AndroidPackage } from '../../package/package.ts'
import type { ZipArchive } from '../../zip/zip-facts.ts'
import { classNameOf } from '../edited-dex.ts'
import type { HardenText } from '../harden-texts.ts'
import type { HardenLog } from '../hardening.ts'
import type { KeepRules } from '../keep-rules.ts'
import type { CallTarget } from '../redirect-calls.ts'
import { filesDex } from '../runtime-dex.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type ChosenFile, chooseFiles, type FileOption, type WantedFiles } from './choose-files.ts'
import { otherReaders } from './file-readers.ts'
import type { SkipReason } from './file-rule.ts'
import { ASSETS, newReader, redirectOpens } from './redirect-opens.ts'
import { FileSeal } from './seal-file.ts'

/** What a change of all classes that adds a class of ours is planned with. */
export interface PlanGiven {
  readonly source: AndroidPackage
  readonly zip: ZipArchive
  readonly program: Program
  readonly minSdk: number
  readonly keep: KeepRules
  readonly random: SeededRandom
  readonly log: HardenLog
  /** Name of a package that no class of the app lies in. */
  newPackage(): string
}

/** Files of the package that are encrypted, and the change of code that goes with it. */
export class FileProtection {
  private readonly given: PlanGiven
  private readonly files: readonly ChosenFile[]
  private readonly reader: CallTarget

  private constructor(given: PlanGiven, files: readonly ChosenFile[]) {
    this.given = given
    this.files = files
    this.reader = newReader(given.newPackage(), given.random)
  }

  /** Undefined where no file can be encrypted; each that is chosen and stays is in the log, with the reason. */
  static plan(wanted: WantedFiles, given: PlanGiven): FileProtection | undefined {
    const { source, zip, program, keep, log } = given
    const options: FileOption[] = []
    if (wanted.resources) options.push('resource_protection')
    if (wanted.certificates) options.push('cer_protection')
    if (!options.length) return undefined
    const chosen = chooseFiles(source, zip, wanted, log)
    for (const option of options)
      if (!chosen.some((one) => one.options.includes(option)))
        log.skipped(
          option,
          '',
          '',
          option === 'cer_protection' ? 'no certificate or key file can be encrypted' : 'no file is chosen',
        )
    const keeps = (descriptor: string) => keep.keeps(classNameOf(descriptor))
    const refused = refusedPackage(given)
    const rules = refused || !chosen.length ? [] : otherReaders({ source, zip, program, keeps })
    const files = chosen.filter((file) => {
      const reason = refused ?? rules.flatMap((rule) => rule(file) ?? []).at(0)
      if (reason)
        for (const option of file.options) log.skipped(option, file.entry.name, '', reason.text, 1, reason.detail)
      return !reason
    })
    return files.length ? new FileProtection(given, files) : undefined
  }

  /** Whether code of a dex file may open files: it names a class that does. */
  concerns(dex: Uint8Array): boolean {
    const bytes = Buffer.from(dex.buffer, dex.byteOffset, dex.length)
    return [ASSETS, 'openRawResource'].some((name) => bytes.includes(name))
  }

  /** Lets the reader open what code opens, that of libraries too; `file`: the dex file. */
  redirect(file: string, model: DexModel): void {
    const { keep, log, program } = this.given
    const classes = model.classes.filter(({ type }) => !keep.keeps(classNameOf(model.descriptor(type))))
    const count = redirectOpens(model, classes as ClassDefinition[], this.reader, program)
    log.applied(this.files[0]!.options[0]!, file, '', 'calls that open files redirected', count)
  }

  /** The encrypted files by their entry, and the dex file of the class that opens them. `read`: an entry as the result would have it. */
  seal(read: (entry: string) => Uint8Array): {
    readonly sealed: ReadonlyMap<string, Uint8Array>
    readonly dex: Uint8Array
  } {
    const { log, program, random } = this.given
    const seal = new FileSeal(random)
    const sealed = new Map<string, Uint8Array>()
    for (const { entry, name, options } of this.files) {
      sealed.set(entry.name, seal.seal(name, read(entry.name)))
      for (const option of options) log.applied(option, entry.name, '', 'file encrypted')
    }
    const listed = (kind: ChosenFile['kind']) => {
      const names = new Set(this.files.filter((one) => one.kind === kind).map(({ name }) => name))
      return names.size ? `\n${[...names].join('\n')}\n` : ''
    }
    const constants = {
      ...{ secret: seal.secret, names: listed('asset'), ids: listed('resource') },
      others: opensOthers(program) ? '1' : '',
    }
    return { sealed, dex: filesDex(this.reader, constants, random) }
  }
}

/** By which an app reaches files of other packages, which may have the same names. */
const OF_OTHERS: readonly string[] = [
  'L*;->createPackageContext',
  'L*;->createApplicationContext',
  'L*;->createContextForSplit',
  'L*;->getResourcesForApplication',
  'L*;->getResourcesForActivity',
]

/** They ask other packages for pictures, texts and code alone. */
const NO_FILES = /^L(?:androidx|android\/support|com\/google\/android\/gms)\//

const opensOthers = (program: Program): boolean =>
  program.stringUses('addAssetPath').length > 0 ||
  OF_OTHERS.some((pattern) => program.callsTo(pattern).some(({ method }) => !NO_FILES.test(method.owner)))

/** Why no file or entry of a package can be opened by code of ours alone. */
export function refusedPackage({ source, minSdk }: Pick<PlanGiven, 'source' | 'minSdk'>): SkipReason | undefined {
  const { facts } = source
  const refused = (text: HardenText, detail = '') => ({ text, detail })
  if (minSdk < 21) return refused('Android before 5.0 loads the first dex file alone')
  if (!facts.dexEntries.length) return refused('the package has no code')
  if (facts.isSplitRequired?.value || facts.metaData.some(({ name }) => name === 'com.android.vending.splits.required'))
    return refused('the package needs splits, whose code would open encrypted files')
  const application = source.manifest.root.children.find(({ name }) => name === 'application')
  const shared = application?.children.find(({ name }) => /^(?:static-|sdk-)?library$/.test(name))
  return shared && refused('other packages load its code ({detail})', shared.name)
}
