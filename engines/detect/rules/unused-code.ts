import type { CallSite, ClassFacts, CodeLocation, MethodFacts, Program } from '../../dex/program.ts'
import { PAGE_ENGINES, SCRIPT_ENGINES } from '../catalogue/script-engines.ts'
import { PLUGIN_CLASSES, pluginsTakeNames } from '../evidence/cordova-plugins.ts'
import { dotted } from '../evidence/locations.ts'
import { CALLBACKS, CALLED_BY_NAME, FRAMEWORK, GENERATED, OBJECT, SILENT_ANNOTATION } from './called-by-android.ts'
import { callsTo, isOwn, outerClass } from './code.ts'
import { quietScreens } from './quiet-screens.ts'
import type { CodeContext } from './rule.ts'
import { ALL, namesInNativeCode, namesOutsideCode } from './unused-names.ts'

/** A constructor that takes them makes what layouts and files of preferences name. */
const ATTRIBUTES = 'Landroid/util/AttributeSet;'
/** Its heirs are made, and their methods called, by name. */
const TEST = 'Ljunit/framework/Test;'
/** Methods looked at for one question and for all of a package; what more may lead to counts as used. */
const MOST_METHODS = 150
const MOST_IN_ALL = 1000
/** Ways to one method of which each is asked whether all objects on it are made. */
const MOST_WAYS = 4
const STATIC = 0x08
const PRIVATE = 0x02
const NATIVE = 0x100
const ABSTRACT = 0x400

const COMPONENTS = [
  'Landroid/app/Activity;',
  'Landroid/app/Service;',
  'Landroid/content/BroadcastReceiver;',
  'Landroid/content/ContentProvider;',
  'Landroid/app/Application;',
]

const known = {
  all: new WeakMap<Program, UnusedCode>(),
  ofCordova: new WeakMap<Program, UnusedCode>(),
  started: new WeakMap<Program, UnusedCode>(),
}

/**
 * Is it certain that no code of an application leads to a method: neither a call, nor a declared component, nor an object that Android
 * then calls? Where reflection, native code, a script engine, a missing part of the code or the users of a library may call it, it is not.
 */
export function isUnused(context: CodeContext, method: MethodFacts): boolean {
  const ofCordova = CORDOVA.test(method.owner)
  const answers = ofCordova ? known.ofCordova : known.all
  const code = answers.get(context.program) ?? new UnusedCode(context, ofCordova)
  answers.set(context.program, code)
  return code.isUnused(method)
}

/** All calls that lead to a method of an application; undefined where more than they may. */
export function callsOf(context: CodeContext, method: MethodFacts): readonly CallSite[] | undefined {
  const code = known.all.get(context.program) ?? new UnusedCode(context, false)
  known.all.set(context.program, code)
  return code.callsOf(method)
}

/**
 * The same where declared screens that only code of the package can start count as used only if some code that is used names their class: no
 * other way leads to the method.
 */
export function isUnstarted(context: CodeContext, method: MethodFacts): boolean {
  const code = known.started.get(context.program) ?? new UnusedCode(context, false, quietScreens(context))
  known.started.set(context.program, code)
  return code.hasQuiet && code.isUnused(method)
}

/** What makes and is the web view of Cordova. An application that shows its pages in another one, as Capacitor's do, has it without use. */
const CORDOVA = /^Lorg\/apache\/cordova\/(?:engine\/)?[^/]+;$/

/** Runtimes that call methods by names that code, blocks or scripts put together. */
const CALL_BY_NAME = [
  'Lanywheresoftware/b4a/BA;',
  'Lcom/google/appinventor/components/runtime/Form;',
  'Lgnu/expr/ModuleBody;',
  'Lorg/mozilla/javascript/Context;',
  'Lbsh/Interpreter;',
]

/** What loads code that is not in the package, where the application itself uses it: that code may call anything here. */
const CODE_LOADERS = ['Ldalvik/system/DexClassLoader;-><init>(', 'Ldalvik/system/InMemoryDexClassLoader;-><init>(']

/**
 * Can anything be said of the use of code?
 * @param byPages may pages of Cordova run, too? They reach what plug-ins and annotations give them.
 */
export function isDecided(context: CodeContext, byPages = true): boolean {
  const { facts, kind, codeGap, packer, sdks, program } = context
  if (!facts || facts.split || codeGap || packer || kind === 'aar' || kind === 'jar' || kind === 'so') return false
  if (CALL_BY_NAME.some((name) => program.classOf(name)) || pluginsTakeNames(program)) return false
  if (callsTo(context, ...CODE_LOADERS).some((call) => isOwn(context, call))) return false
  return !sdks.some(
    ({ id, category }) =>
      (SCRIPT_ENGINES.has(id) && !(byPages && PAGE_ENGINES.has(id))) ||
      (category === 'packer' && id !== 'pk-andresguard') ||
      category === 'hook_plugin' ||
      category === 'hotfix' ||
      category === 'game',
  )
}

const LOOK_UPS = [
  'Ljava/lang/Class;->getMethod(',
  'Ljava/lang/Class;->getDeclaredMethod(',
  'Ljava/lang/invoke/MethodHandles$Lookup;->findStatic(',
  'Ljava/lang/invoke/MethodHandles$Lookup;->findVirtual(',
]
const FIELD_TYPES = ['Ljava/lang/reflect/Field;->getType(', 'Ljava/lang/reflect/Field;->getGenericType(']
/** What makes objects out of bytes, without a call of their constructors. */
const RESTORES = [
  'L*;->readObject()Ljava/lang/Object;',
  'L*;->getSerializableExtra(',
  'Landroid/os/Bundle;->getSerializable(',
  'Landroid/os/Parcel;->readSerializable(',
]

/** Goes back from a method to what may call it. */
export class UnusedCode {
  private readonly context: CodeContext
  private readonly program: Program
  private readonly decided: boolean
  /** Then what other code does is not followed: it counts as used. */
  private readonly ofCordova: boolean
  /** Declared screens that count as made where code that is used names their class. */
  private readonly quiet: ReadonlySet<string>
  private readonly used = new Set<MethodFacts>()
  private readonly unused = new Set<MethodFacts>()
  private readonly neverMade = new Map<string, boolean>()
  private readonly ancestry = new Map<string, 'none' | 'framework' | 'other'>()
  /** Names of what Android may call on objects of a class, where all of them are known. */
  private readonly callbacks = new Map<string, ReadonlySet<string>>()
  private readonly nameable = new Map<string, boolean>()
  private names: ReadonlySet<string> | undefined
  private natives: ReadonlySet<string> | undefined
  private given: boolean | undefined
  private restores: boolean | undefined
  private fieldTypes: ReadonlySet<string> | undefined
  private lookUps: ReadonlySet<string> | undefined
  private anyName: boolean | undefined
  private left = MOST_IN_ALL

  constructor(context: CodeContext, ofCordova: boolean, quiet: ReadonlySet<string> = new Set()) {
    this.context = context
    this.quiet = quiet
    this.program = context.program
    this.ofCordova = ofCordova
    // A page may ask a plug-in to start a screen that it names.
    this.decided = isDecided(context, quiet.size === 0)
  }

  get hasQuiet(): boolean {
    return this.quiet.size > 0
  }

  /** No code leads to it, or no code makes an object that has it. */
  isUnused(method: MethodFacts): boolean {
    if (!this.decided) return false
    return this.isUnreached(method) || this.isNeverMade(method)
  }

  /** All calls that lead to it; undefined where more than calls do. */
  callsOf(method: MethodFacts): readonly CallSite[] | undefined {
    if (!this.decided || this.isEntry(method) || this.isNamedByNativeCode(method.owner)) return undefined
    const signature = method.reference.slice(method.reference.indexOf('->'))
    const calls = this.before(method).map((one) =>
      this.program.callsFrom(one).filter(({ callee }) => callee.endsWith(signature)),
    )
    return calls.every(({ length }) => length > 0) ? calls.flat() : undefined
  }

  private isUnreached(method: MethodFacts): boolean {
    if (this.used.has(method)) return false
    for (let ways = 0; !this.unused.has(method); ways++) {
      const way = this.wayTo(method)
      if (!way) return true
      // A call may mean this method of a class of which no object is made, though one of another class that has it too.
      const idle = ways < MOST_WAYS ? way.find((one) => this.isNeverMade(one)) : undefined
      if (!idle) {
        for (const one of way) this.used.add(one)
        return false
      }
      this.unused.add(idle)
    }
    return true
  }

  /** Methods from one that is used to this one; null where none is: then all that would lead here are unused. */
  private wayTo(method: MethodFacts): readonly MethodFacts[] | null {
    const next = new Map<MethodFacts, MethodFacts | null>([[method, null]])
    if (this.isEntry(method)) return [method]
    for (const at of next.keys())
      for (const before of this.before(at)) {
        if (next.has(before) || this.unused.has(before)) continue
        next.set(before, at)
        if (next.size > MOST_METHODS || this.left-- <= 0 || this.used.has(before) || this.isEntry(before))
          return this.way(before, next)
      }
    // Last, since libraries are large.
    for (const one of next.keys()) if (this.isNamedByNativeCode(one.owner)) return this.way(one, next)
    for (const one of next.keys()) this.unused.add(one)
    return null
  }

  /** Is it a method of objects, and does nothing make one? What is asked for itself meanwhile counts as made. */
  private isNeverMade(method: MethodFacts): boolean {
    if (method.accessFlags & STATIC || method.name.startsWith('<')) return false
    const { owner } = method
    const before = this.neverMade.get(owner)
    if (before !== undefined) return before
    this.neverMade.set(owner, false)
    const makers = this.makersOf(method)
    const never = makers.length > 0 && makers.every((one) => this.isUnreached(one))
    this.neverMade.set(owner, never)
    return never
  }

  private makersOf({ owner }: MethodFacts): readonly MethodFacts[] {
    return this.program.classOf(owner)?.methods.filter((one) => one.name === '<init>') ?? []
  }

  private way(from: MethodFacts, next: ReadonlyMap<MethodFacts, MethodFacts | null>): MethodFacts[] {
    const way: MethodFacts[] = []
    for (let at: MethodFacts | null = from; at; at = next.get(at) ?? null) way.push(at)
    return way
  }

  /** May something that is no code of the package call it? What is called on an object counts where the object is made. */
  private isEntry(method: MethodFacts): boolean {
    const { owner, name, accessFlags } = method
    const found = this.program.classOf(owner)
    if (!found || (this.ofCordova && !CORDOVA.test(owner))) return true
    // An abstract class has no objects by name: the constructors of its heirs call this one.
    if (name === '<init>' && found.accessFlags & ABSTRACT) return false
    if (name.startsWith('<')) return method.parameters.includes(ATTRIBUTES) || this.isNameable(found)
    if (found.methods.some((one) => one.accessFlags & NATIVE)) return true
    // Left in place by a build that keeps `invoke-custom`, which is not among the calls.
    if (name.startsWith('lambda$') && !this.program.callersOf(method, 1).length) return true
    // Deserialisation calls it without a constructor.
    if (CALLED_BY_NAME.test(name) && this.isRestored(owner)) return true
    if (accessFlags & STATIC) return this.isCalledByName(method) || (this.looksUpAnyName() && this.isInTexts(owner))
    if (accessFlags & PRIVATE) return false
    const ancestry = this.ancestryOf(owner)
    return ancestry === 'other' || (ancestry === 'framework' && !this.makersOf(method).length)
  }

  private before(method: MethodFacts): readonly MethodFacts[] {
    const { owner, name, accessFlags } = method
    const found = this.program.classOf(owner)
    if (!found) return []
    if (name === '<clinit>')
      return [...found.methods.filter((one) => one !== method), ...methodsOf(this.program.fieldUses(`${owner}->`))]
    const callers = () => this.program.callersOf(method, 1)
    // Who has an abstract class makes no objects of it.
    if (name === '<init>') return [...callers(), ...(found.accessFlags & ABSTRACT ? [] : this.reflectors(found))]
    // Who has the class may call what it finds there by a name that comes from elsewhere.
    const holders = () =>
      this.looksUpAnyName() ? this.reflectors(found).filter((one) => outerClass(one.owner) !== outerClass(owner)) : []
    if (accessFlags & STATIC) return [...callers(), ...holders()]
    if (CALLED_BY_NAME.test(name)) return this.makersOf(method)
    if (!(accessFlags & PRIVATE) && this.isCallback(owner, name)) return this.makersOf(method)
    // Some plug-ins look for a method of theirs by the name that a page says.
    const byPages = () => this.givesObjectsToScripts() || PLUGIN_CLASSES.some((one) => this.program.isA(owner, one))
    return this.isCalledByName(method) || (!(accessFlags & PRIVATE) && byPages())
      ? [...callers(), ...this.makersOf(method)]
      : callers()
  }

  /** By reflection, or by who reads its annotation: Android or a missing library, or code that names the annotation. */
  private isCalledByName({ name, annotations }: MethodFacts): boolean {
    const isRead = (one: string) => !this.program.classOf(one) || this.program.typeUses(one).length > 0
    if (annotations.some((one) => !SILENT_ANNOTATION.test(one) && isRead(one))) return true
    const uses = this.program.stringUses(name)
    if (!uses.length) return false
    const lookUps = this.lookUpClasses()
    return uses.some(
      ({ method }) =>
        lookUps.has(method.owner) ||
        this.program.callsFrom(method).some(({ callee }) => lookUps.has(callee.slice(0, callee.indexOf('->')))),
    )
  }

  /** Classes that look for methods by name. */
  private lookUpClasses(): ReadonlySet<string> {
    this.lookUps ??= new Set(
      [...LOOK_UPS, 'Ljava/lang/Class;->getMethods(', 'Ljava/lang/Class;->getDeclaredMethods(']
        .flatMap((name) => this.program.callsTo(name))
        .map(({ method }) => method.owner),
    )
    return this.lookUps
  }

  /** Does code look for methods by a name that is no constant? */
  private looksUpAnyName(): boolean {
    this.anyName ??= LOOK_UPS.flatMap((name) => this.program.callsTo(name)).some(
      (call) => this.program.argument(call, call.callee.includes('MethodHandles') ? 2 : 1).kind !== 'string',
    )
    return this.anyName
  }

  /** Methods that hand the class itself to somebody, who may make objects of it. Android does so with declared components alone. */
  private reflectors({ descriptor }: ClassFacts): readonly MethodFacts[] {
    if (!this.quiet.has(descriptor) && COMPONENTS.some((one) => this.program.isA(descriptor, one))) return []
    const uses = this.program.typeUses(descriptor)
    return methodsOf(uses.filter((use) => this.program.listing(use, 1)[0]?.includes('const-class')))
  }

  /** Before Android 4.2, and below target SDK 17, a page may call every public method of an object that it was given. */
  private givesObjectsToScripts(): boolean {
    const { minSdk, targetSdk } = this.context
    this.given ??= (minSdk < 17 || targetSdk < 17) && this.program.callsTo('L*;->addJavascriptInterface(').length > 0
    return this.given
  }

  /** Classes that native code names: it may call every method of theirs, and make objects of them. */
  private isNamedByNativeCode(descriptor: string): boolean {
    this.natives ??= namesInNativeCode(this.context)
    return this.natives.has(ALL) || this.natives.has(descriptor.slice(1, -1))
  }

  /** May objects of it come out of bytes? Kotlin’s functions are serialisable, but are not stored. */
  private isRestored(descriptor: string): boolean {
    const isA = (ancestor: string) => this.program.isA(descriptor, ancestor)
    if (!isA('Ljava/io/Serializable;') && !isA('Ljava/io/Externalizable;')) return false
    if (isA('Lkotlin/jvm/internal/Lambda;') || isA('Ljava/lang/Enum;')) return false
    this.restores ??= RESTORES.some((name) => this.program.callsTo(name).length > 0)
    return this.restores
  }

  /** Readers of JSON and the like make an object of the type that a field has. */
  private isMadeForField(descriptor: string): boolean {
    this.fieldTypes ??= new Set(
      FIELD_TYPES.some((name) => this.program.callsTo(name).length > 0)
        ? [...this.program.classes()].flatMap(({ fields }) => fields.map(({ type }) => type.replace(/^\[+/, '')))
        : [],
    )
    return this.fieldTypes.has(descriptor)
  }

  /** What a class, and those that inherit its methods, extend and implement beyond the package. */
  private ancestryOf(descriptor: string): 'none' | 'framework' | 'other' {
    const before = this.ancestry.get(descriptor)
    if (before) return before
    const outside = new Set<string>()
    const queue = new Set([descriptor, ...this.program.subclassesOf(descriptor).map((one) => one.descriptor)])
    for (const at of queue) {
      const found = at === OBJECT ? undefined : this.program.classOf(at)
      if ((!found && at !== OBJECT) || at === TEST) outside.add(at)
      if (found?.superclass) queue.add(found.superclass)
      for (const one of found?.interfaces ?? []) queue.add(one)
    }
    const kind = outside.size === 0 ? 'none' : [...outside].every((one) => FRAMEWORK.test(one)) ? 'framework' : 'other'
    this.ancestry.set(descriptor, kind)
    if ([...outside].every((one) => one in CALLBACKS))
      this.callbacks.set(descriptor, new Set([...outside].flatMap((one) => CALLBACKS[one]!)))
    return kind
  }

  /** May Android call a method of that name, since the class has something of it? */
  private isCallback(descriptor: string, name: string): boolean {
    return this.ancestryOf(descriptor) === 'framework' && (this.callbacks.get(descriptor)?.has(name) ?? true)
  }

  /** May something make objects of a class by its name? */
  private isNameable(found: ClassFacts): boolean {
    const { descriptor } = found
    const answer = this.nameable.get(descriptor) ?? this.isNamed(found)
    this.nameable.set(descriptor, answer)
    return answer
  }

  private isNamed({ descriptor, annotations, accessFlags }: ClassFacts): boolean {
    const isA = (ancestor: string) => this.program.isA(descriptor, ancestor)
    if (GENERATED.test(descriptor) || accessFlags & 0x200 || annotations.some((one) => /\/Keep;$/.test(one)))
      return true
    if (this.ancestryOf(descriptor) === 'other') return true
    // Nothing but its class names it.
    if (this.quiet.has(descriptor)) return false
    // Stored objects, and fragments, which layouts name.
    const isComponent = COMPONENTS.some(isA)
    if (isA('Landroid/os/Parcelable;') || (isA('Landroid/content/ComponentCallbacks;') && !isComponent)) return true
    return this.isRestored(descriptor) || this.isMadeForField(descriptor) || this.isInTexts(descriptor)
  }

  /** Is its name a text of code or of a file? */
  private isInTexts(descriptor: string): boolean {
    this.names ??= namesOutsideCode(this.context)
    const { names } = this
    const forms = [dotted(descriptor), descriptor.slice(1, -1)]
    return names.has(ALL) || forms.some((name) => names.has(name) || this.program.stringUses(name).length > 0)
  }
}

const methodsOf = (locations: readonly CodeLocation[]): MethodFacts[] => [
  ...new Map(locations.map(({ method }) => [method.reference, method])).values(),
]
