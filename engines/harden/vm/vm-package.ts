import type { ApkFacts } from '../../apk/apk-facts.ts'
import { readAxml } from '../../axml/read-axml.ts'
import type { Program } from '../../dex/program.ts'
import { type ClassDefinition, type DexModel, methodsOf } from '../../dex-edit/dex-model.ts'
import { readDexModels } from '../../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../../dex-edit/write-dex.ts'
import { classNameOf } from '../edited-dex.ts'
import type { HardenText } from '../harden-texts.ts'
import type { HardenLog } from '../hardening.ts'
import { chosenBy, UnmatchedPatterns } from '../name-pattern.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { Virtualiser } from './virtualise.ts'
import { compiledLibrary, libraryOfBuild, VM_ABIS, type VmAbi } from './vm-library.ts'

const MANIFEST = 'AndroidManifest.xml'
/** Android 8: before, a thread may hold 512 references of native code at most, which calls that call themselves would reach. */
const HOLDS_REFERENCES = 26

interface DexFile {
  readonly name: string
  readonly content: Uint8Array
}

export interface VmRequest {
  readonly facts: ApkFacts
  readonly manifest: Uint8Array
  readonly minSdk: number
  readonly program: Program
  /** The files of the result so far, the one that Android loads first in front. */
  readonly dexFiles: readonly DexFile[]
  /** Patterns of classes (`a.B`) and methods (`a.B.c`). */
  readonly patterns: readonly string[]
  readonly mayChange: (descriptor: string) => boolean
  /** Descriptor of a class that is not there yet. */
  readonly owner: string
  readonly random: SeededRandom
  readonly onFile: (name: string) => void
}

export interface VirtualisedPackage {
  /** Files that were changed; one that was full became several. */
  readonly dexFiles: ReadonlyMap<string, readonly Uint8Array[]>
  /** Entries to add. */
  readonly libraries: readonly DexFile[]
}

type VmSite = { readonly refused: HardenText; readonly detail: string } | { readonly abis: readonly VmAbi[] }

/** For which ABIs the interpreter is added, or why the package cannot have it. */
function siteOf({ facts, manifest, minSdk, dexFiles }: VmRequest): VmSite {
  const refused = (text: HardenText, detail = '') => ({ refused: text, detail })
  const { root } = readAxml(manifest)
  const application = root.children.find(({ name }) => name === 'application')
  if (!dexFiles.length || !application) return refused('the package has no code')
  if (minSdk < HOLDS_REFERENCES)
    return refused(
      'Android before 8.0 limits the references that an interpreter holds (minSdkVersion {detail})',
      `${minSdk}`,
    )
  if (facts.isSplitRequired?.value || facts.metaData.some(({ name }) => name === 'com.android.vending.splits.required'))
    return refused('the package needs splits, which have the native libraries')
  const shared = application.children.find(({ name }) => /^(?:static-|sdk-)?library$/.test(name))
  if (shared) return refused('other packages load its code ({detail})', shared.name)
  const abis = [...new Set(facts.nativeLibraries.map(({ abi }) => abi))]
  const other = abis.find((abi) => !isVmAbi(abi))
  if (other !== undefined)
    return refused('the interpreter is not built for {detail}, which the package supports', other)
  return { abis: abis.length ? abis.filter(isVmAbi) : VM_ABIS }
}

const isVmAbi = (abi: string): abi is VmAbi => VM_ABIS.some((one) => one === abi)

const methodNames = (model: DexModel, one: ClassDefinition): string[] =>
  methodsOf(one).map(({ method }) => model.strings[model.methods[method]!.name]!)

/** Virtualises the chosen methods of a package; undefined where none could be, which is logged. */
export function virtualisePackage(request: VmRequest, log: HardenLog): VirtualisedPackage | undefined {
  const { program, dexFiles, patterns, mayChange, owner, random, facts } = request
  if (!patterns.some((pattern) => !pattern.startsWith('!'))) {
    log.skipped('dex_vmp', '', '', 'the policy names no method: nothing is virtualised')
    return undefined
  }
  const site = siteOf(request)
  if ('refused' in site) {
    log.skipped('dex_vmp', MANIFEST, '', site.refused, 1, site.detail)
    return undefined
  }
  const chooses = chosenBy(patterns)
  const unmatched = new UnmatchedPatterns(patterns)
  const vm = new Virtualiser(owner, program, random)
  const library = random.letters(8)
  const changed = new Map<string, readonly Uint8Array[]>()
  // The first file is the last one, since it gets the class that the others call.
  for (const file of [...dexFiles.slice(1), ...dexFiles.slice(0, 1)]) {
    request.onFile(file.name)
    const [model] = readDexModels(file.content)
    let left = 0
    for (const one of model!.classes) {
      const descriptor = model!.descriptor(one.type)
      const place = classNameOf(descriptor)
      // Classes that other options added are not those of the program.
      if (!program.classOf(descriptor)) continue
      const names = methodNames(model!, one)
      unmatched.see(place, ...names.map((name) => `${place}.${name}`))
      const isChosen = (name: string) => chooses(place, `${place}.${name}`)
      if (mayChange(descriptor)) vm.virtualise(model!, file.name, one, isChosen, log)
      else if (names.some(isChosen)) left++
    }
    log.skipped(
      ...([
        'dex_vmp',
        file.name,
        '',
        'classes of known libraries, or kept by rules, are left as they are',
        left,
      ] as const),
    )
    if (file === dexFiles[0]) {
      for (const pattern of unmatched.patterns)
        log.skipped('dex_vmp', '', '', 'the pattern {detail} matches no class or method', 1, pattern)
      if (!vm.methodCount) {
        log.skipped('dex_vmp', '', '', 'no chosen method can be virtualised')
        return undefined
      }
      vm.finish(model!, { by: 'name', text: library })
    }
    changed.set(file.name, writeDexFiles(model!))
  }
  if (!facts.nativeLibraries.length)
    log.skipped(
      'dex_vmp',
      '',
      '',
      'the package had no native library: devices with another processor than {detail} do not install it any more',
      1,
      VM_ABIS.join(', '),
    )
  log.skipped(
    ...(['dex_vmp', '', ''] as const),
    'proof on a device: the interpreter ran on a host Android runtime (x86_64) and on emulated ARM processors',
  )
  return {
    dexFiles: changed,
    libraries: site.abis.map((abi) => ({
      name: `lib/${abi}/lib${library}.so`,
      content: libraryOfBuild(compiledLibrary(abi), vm.key, owner),
    })),
  }
}
