import type { CallSite, ClassFacts, Program } from '../../dex/program.ts'
import { loadedCode } from '../files/file-readers.ts'
import type { SkipReason } from '../files/file-rule.ts'
import type { HardenText } from '../harden-texts.ts'
import { canRedirect, DEFAULTS, isOfAndroid, type OpenKind, openKind } from './redirect-preferences.ts'

interface Given {
  readonly program: Program
  /** '' where the manifest has none. */
  readonly packageName: string
  readonly targetSdk: number
  readonly keeps: (descriptor: string) => boolean
}

/** What stays readable: everything, or files by their name. */
export interface OtherOpeners {
  readonly refused?: SkipReason | undefined
  readonly left: ReadonlyMap<string, SkipReason>
  /** Whether a call of this class is redirected. */
  readonly isChanged: (descriptor: string) => boolean
}

const reason = (text: HardenText, detail = ''): SkipReason => ({ text, detail })
/** MODE_WORLD_READABLE, MODE_WORLD_WRITEABLE, MODE_MULTI_PROCESS. */
const SHARED_MODES = 7
/** From here on Android refuses to open files to other apps. */
const NO_WORLD = 24
const INTERFACE = 0x200
const STATIC = 0x8
const PRIVATE = 0x2
/** Loads code of Google Play services, which may open what the SDKs in the package open. */
const DYNAMITE = 'Lcom/google/android/gms/dynamite/'
const PLAY_SERVICES = 'Lcom/google/android/gms/'
const MANAGER = 'Landroid/preference/PreferenceManager;->'

/**
 * Everything that may open preferences otherwise than by a call that is redirected. A file that both open would lose what one of them writes: so its name
 * stays for both, and where the name is not known, all do.
 */
export function otherOpeners(given: Given): OtherOpeners {
  return new Openers(given).judge()
}

class Openers {
  private readonly given: Given
  private readonly program: Program
  private readonly left = new Map<string, SkipReason>()
  private refused: SkipReason | undefined
  private readonly calls: readonly { readonly call: CallSite; readonly opens: OpenKind }[]
  private readonly isService: (descriptor: string) => boolean

  constructor(given: Given) {
    this.given = given
    const { program } = given
    this.program = program
    this.calls = ['L*;->getSharedPreferences', 'L*;->getPreferences', DEFAULTS]
      .flatMap((pattern) => [...program.callsTo(pattern)])
      .flatMap((call) => {
        const opens = openKind(call.callee)
        return opens ? [{ call, opens }] : []
      })
    const hasServices = [...program.classes()].some(({ descriptor }) => descriptor.startsWith(DYNAMITE))
    this.isService = (descriptor) => hasServices && descriptor.startsWith(PLAY_SERVICES)
  }

  judge(): OtherOpeners {
    const { program, left } = this
    const isChanged = (descriptor: string) => !this.given.keeps(descriptor) && !this.isService(descriptor)
    const isRedirected = (call: CallSite) => isChanged(call.method.owner) && canRedirect(program, call)
    if (!this.calls.some(({ call }) => isRedirected(call)))
      this.refuse(reason('no call of the package opens preferences'))
    this.overriding()
    const loading = loadedCode(program)
    if (loading) this.refuse(reason('code that {detail} loads may open it', loading.method.owner))
    this.reflection()
    for (const { call, opens } of this.calls) if (!isRedirected(call)) this.leaveCall(call, opens)
    this.modes()
    this.pages()
    for (const call of program.callsTo('L*;->moveSharedPreferencesFrom'))
      this.leave(call, 2, '{detail} moves it to another storage area')
    for (const use of program.stringUses('WebViewChromiumPrefs').slice(0, 1))
      left.set('WebViewChromiumPrefs', reason('the web view of Android writes it', use.method.owner))
    return { refused: this.refused, left, isChanged }
  }

  /** The first reason is given. */
  private refuse(found: SkipReason): void {
    this.refused ??= found
  }

  /** The files that a parameter of a call names stay; all do where it does not say which. */
  private leave(call: CallSite, parameter: number, text: HardenText): void {
    const found = reason(text, call.method.owner)
    for (const name of this.namesAt(call, parameter))
      if (name === undefined) this.refuse(found)
      else if (!this.left.has(name)) this.left.set(name, found)
  }

  /** A call that stays as it is. */
  private leaveCall(call: CallSite, opens: OpenKind): void {
    const { owner } = call.method
    // A name that the SDK makes up is known to it and to the code that it loads alone.
    const isService = this.isService(owner) && !this.given.keeps(owner)
    const text = this.given.keeps(owner)
      ? 'it is opened by {detail}, which a rule keeps'
      : isService
        ? 'code of Google Play services may open it, too ({detail})'
        : 'it is opened by {detail} in another way'
    if (opens === 'defaults') this.leaveDefaults(reason(text, owner))
    else if (opens === 'own') this.refuse(reason(text, owner))
    else if (!isService || this.namesAt(call, 1).every((name) => name !== undefined)) this.leave(call, 1, text)
  }

  private leaveDefaults(found: SkipReason): void {
    const name = `${this.given.packageName}_preferences`
    if (!this.left.has(name)) this.left.set(name, found)
  }

  /** A class that answers the question itself may open another file than it is asked for. */
  private overriding(): void {
    const { program } = this
    const answers = ({ descriptor, accessFlags, methods }: ClassFacts) =>
      methods.some((one) => !(one.accessFlags & STATIC) && openKind(one.reference) === 'named') &&
      (accessFlags & INTERFACE || isOfAndroid(program, descriptor))
    const found = [...program.classes()].find(answers)
    if (found) this.refuse(reason('{detail} decides itself which preferences are opened', found.descriptor))
  }

  private reflection(): void {
    const [asked] = REFLECTED.flatMap((text) => this.program.stringUses(text))
    if (asked) this.refuse(reason('{detail} may open it by reflection', asked.method.owner))
    for (const { value, first } of this.program.stringConstants()) {
      const owner = first?.method.owner ?? ''
      if (value.includes('shared_prefs') && !LEAVES_CONTENT.test(owner))
        this.refuse(reason('it is opened by {detail} in another way', owner))
    }
  }

  /** What the app shares with other apps, or says that several processes write. */
  private modes(): void {
    for (const { call, opens } of this.calls) {
      if (opens === 'defaults') continue
      const values = valuesOf(this.program, call, opens === 'named' ? 2 : 1)
      // Where the mode is not known it can only be that of several processes, which the class of ours heeds.
      const isShared = values.some((value) =>
        value.kind === 'number' ? Number(value.value) & SHARED_MODES : this.given.targetSdk < NO_WORLD,
      )
      const text = '{detail} opens it for several processes or other apps'
      if (!isShared) continue
      if (opens === 'own') this.refuse(reason(text, call.method.owner))
      else this.leave(call, 1, text)
    }
  }

  /** Android's own settings pages, and their manager, read and write the file that they are for. */
  private pages(): void {
    const { program } = this
    const used = program.callsTo(MANAGER).filter(({ callee }) => !callee.startsWith(`${MANAGER}getDefault`))
    const [page] = ['PreferenceActivity', 'PreferenceFragment'].flatMap((name) => [
      ...program.subclassesOf(`Landroid/preference/${name};`),
    ])
    const owner = page?.descriptor ?? used[0]?.method.owner
    if (owner === undefined) return
    const text = 'settings pages of Android write it themselves ({detail})'
    this.leaveDefaults(reason(text, owner))
    for (const call of used) {
      if (call.callee === `${MANAGER}setSharedPreferencesName(Ljava/lang/String;)V`) this.leave(call, 1, text)
      if (call.callee.startsWith(`${MANAGER}setDefaultValues(Landroid/content/Context;Ljava/lang/String;`))
        this.leave(call, 2, text)
    }
  }

  /** Undefined among them where one is not known. */
  private namesAt(call: CallSite, parameter: number): (string | undefined)[] {
    return valuesOf(this.program, call, parameter).map((value) => {
      if (value.kind === 'string') return value.value
      return value.kind === 'null' ? 'null' : undefined
    })
  }
}

/** By which code asks for methods that open, or for what Android keeps of them. */
const REFLECTED = [
  ...['getSharedPreferences', 'getDefaultSharedPreferences', 'getSharedPreferencesPath', 'getSharedPrefsFile'],
  ...['android.app.SharedPreferencesImpl', 'mSharedPrefsPaths', 'sSharedPrefs', 'sSharedPrefsCache'],
]

/** DataStore deletes files that it has taken over; the utility of Play services sets rights of the folder. */
const LEAVES_CONTENT = /^L(?:androidx\/datastore\/|com\/google\/android\/gms\/common\/util\/SharedPreferencesUtils;)/

const MOST_CALLERS = 3

/** The values of a parameter, followed to the callers of a method that is given it and that no other can take the place of. */
function valuesOf(
  program: Program,
  call: CallSite,
  parameter: number,
  depth = 0,
): ReturnType<Program['possibleArguments']> {
  return program.possibleArguments(call, parameter).flatMap((value) => {
    const { method } = call
    const isOnlyCalled = (method.accessFlags & (STATIC | PRIVATE)) !== 0 && depth < MOST_CALLERS
    if (value.kind !== 'parameter' || value.index === 0 || !isOnlyCalled) return [value]
    const callers = program.callsTo(method.reference)
    return callers.length ? callers.flatMap((one) => valuesOf(program, one, value.index, depth + 1)) : [value]
  })
}
