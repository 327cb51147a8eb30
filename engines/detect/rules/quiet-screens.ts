import { attributeName } from '../../axml/find-attribute.ts'
import { valueText } from '../../axml/typed-value.ts'
import type { CallSite, Value } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { elementsOf } from '../evidence/xml-text.ts'
import { callsIn, callsTo, classCalls, isOwn, outerClass, parameterTypes } from './code.ts'
import { BROUGHT } from './effects.ts'
import type { CodeContext } from './rule.ts'

/** Files that hold no names of classes as they are written. */
const NO_NAMES =
  /\.(?:arsc|png|jpe?g|webp|gif|bmp|ttf|otf|woff2?|mp[34]|ogg|wav|SF|MF|RSA|DSA|EC)$|(?:^|\/)(?:AndroidManifest\.xml|classes\d*\.dex)$/
const MOST_BYTES = 48 * 2 ** 20
/** Libraries whose names of screens come from the manifest or from Android, by their names and where those are shortened. */
const FROM_ANDROID = /^Lcom\/google\/(?:android\/gms|firebase)\//
const GENERAL = new Set(['androidx', 'support-lib', 'kotlin', 'gms-base'])
const STRING = 'Ljava/lang/String;'

/**
 * Declared screens (classes of activities) that only code of the package which names their class can start: not exported, without intent
 * filter and alias, and named by no other text of code, manifest, resources or files, not even without their package. None where names
 * of screens may come from elsewhere.
 */
export function quietScreens(context: CodeContext): ReadonlySet<string> {
  const { facts } = context
  // Packages of the same maker may start them all.
  if (!facts || facts.sharedUserId) return new Set()
  const aliased = new Set(facts.components.map(({ targetActivity }) => targetActivity))
  const declared = facts.components.filter(({ kind, name }) => kind === 'activity' && name !== '')
  const closed = declared.filter(
    ({ name, exported, intentFilters }) => !exported && intentFilters.length === 0 && !aliased.has(name),
  )
  // Without an entrance the application cannot be followed.
  if (closed.length === 0 || closed.length === declared.length || startsByName(context)) return new Set()
  const screens = new Set(closed.map(({ name }) => descriptorOf(name)))
  for (const screen of namedInTexts(context, screens)) screens.delete(screen)
  return screens
}

/** Calls that name a screen; `n` is the parameter of the name. */
const NAMING: readonly (readonly [pattern: string, n: number])[] = [
  ['Landroid/content/Intent;->setClassName(', 2],
  ['Landroid/content/ComponentName;-><init>(', 2],
  ['Landroid/content/ComponentName;->createRelative(', 2],
  ['Landroid/content/ComponentName;->unflattenFromString(', 1],
  ['Landroid/content/Intent;->parseUri(', 1],
  ['Landroid/content/Intent;->getIntent(', 1],
  ['Ljava/lang/Class;->forName(', 1],
  ['Ljava/lang/ClassLoader;->loadClass(', 1],
]
/** Where an intent of somebody else comes from. */
const GIVEN = ['->getParcelableExtra(', '->getParcelable(', '->readParcelable(', '->getSelector(']

/** May code start a screen whose name it is given, or pass on an intent that it is given? */
function startsByName(context: CodeContext): boolean {
  const { program } = context
  const isForeign = ({ method: { owner } }: CallSite) =>
    !BROUGHT.test(owner) && !FROM_ANDROID.test(owner) && !GENERAL.has(context.ownerOf(owner).sdk ?? '')
  const isOpen = (call: CallSite, n: number) =>
    parameterTypes(call.callee)[n - 1] === STRING &&
    program.possibleArguments(call, n).some((value) => !isKnownName(value))
  return (
    NAMING.some(([pattern, n]) =>
      callsTo(context, pattern).some(
        (call) =>
          isForeign(call) &&
          isOpen(call, n) &&
          // A library that makes a class but no intent starts no screen with it.
          (!pattern.startsWith('Ljava/') ||
            isOwn(context, call) ||
            classCalls(program, call.method.owner, 'Landroid/content/Intent;->')),
      ),
    ) ||
    callsTo(context, 'L*;->startActivity(', 'L*;->startActivityForResult(').some(
      (call) => isForeign(call) && callsIn(program, call.method, ...GIVEN),
    )
  )
}

/** A text, the name of a class that code names, or one that Android finds by a filter. */
const isKnownName = (value: Value): boolean =>
  value.kind === 'string' ||
  (value.kind === 'call' && /^Ljava\/lang\/Class;->get(?:Canonical)?Name\(/.test(value.callee)) ||
  (value.kind === 'field' && /^Landroid\/content\/pm\/\w+;->name:/.test(value.field))

/** Those whose name, without its package, is a word of some text beside their own code. */
function namedInTexts(context: CodeContext, screens: ReadonlySet<string>): ReadonlySet<string> {
  const { program, manifest, resources, entries, read } = context
  const words = new Map<string, string[]>()
  for (const screen of screens) {
    const word = screen.slice(screen.lastIndexOf('/') + 1, -1)
    words.set(word, [...(words.get(word) ?? []), screen])
  }
  const named = new Set<string>()
  const see = (value: string, outerOf: () => readonly string[] = () => ['']) => {
    for (const [word, of] of words)
      if (value.includes(word) && isWord(value, word))
        for (const screen of of) if (outerOf().some((outer) => outer !== outerClass(screen))) named.add(screen)
  }
  for (const { value, fields } of program.stringConstants())
    see(value, () =>
      [
        ...fields.map((field) => field.slice(0, field.indexOf('->'))),
        ...program.stringUses(value).map(({ method }) => method.owner),
      ].map(outerClass),
    )
  for (const { element } of manifest ? elementsOf(manifest) : [])
    for (const attribute of element.attributes)
      if (element.name !== 'activity' || attributeName(attribute) !== 'name') see(valueText(attribute.value))
  for (const { value } of resources?.all() ?? []) if (value?.text) see(value.text)
  let left = MOST_BYTES
  for (const { name, size } of entries) {
    if (NO_NAMES.test(name)) continue
    left -= size
    const bytes = left < 0 ? null : read(name)
    if (!bytes) return screens
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (const [word, of] of words)
      if (content.includes(word, 0, 'utf8') || content.includes(word, 0, 'utf16le'))
        for (const one of of) named.add(one)
  }
  return named
}

function isWord(value: string, word: string): boolean {
  for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1))
    if (!/[\w$]/.test(value[at - 1] ?? '') && !/[\w$]/.test(value[at + word.length] ?? '')) return true
  return false
}
