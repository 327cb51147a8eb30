import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FormatError } from '#engines/bytes/format-error.ts'
import type { Owner } from '#engines/detect/input/inspected-package.ts'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import { readContext } from '#engines/detect/read-context.ts'
import type { ClassFacts, Program } from '#engines/dex/program.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import type { ReportPackage } from './report-packages.ts'

const KINDS = ['own', 'sdk', 'unknown'] as const
const OF_A_KIND = 30
const MOST_OF_A_PACKAGE = 8
/** So many classes without a readable package make a package with shrunk code. */
const LEAST_RENAMED = 100
const MOST_PACKAGES = 10
const LINES = 40

interface DrawnClass {
  readonly program: Program
  readonly owner: Owner
  readonly found: ClassFacts
  readonly of: string
  readonly ownerOf: (descriptor: string) => Owner
}

/** Names that renaming leaves: every part of the package has two letters at most. */
const isRenamed = ({ descriptor }: ClassFacts): boolean =>
  descriptor
    .slice(1, -1)
    .split('/')
    .slice(0, -1)
    .every((part) => part.length <= 2)

/**
 * Draws classes of each owner from packages with shrunk code, and writes for each what a reader needs to say whose code it is. Every second
 * class of own code is one that lost its name, as far as there are any: names that say it themselves prove little.
 */
export function writeOwners(into: string, seed: number, packages: readonly ReportPackage[]): void {
  mkdirSync(into, { recursive: true })
  const ids = new Set<string>()
  const chosen: DrawnClass[][] = []
  for (const one of packages) {
    const classes = classesOf(one, ids)
    if (classes) chosen.push(classes)
  }
  const renamed = (classes: readonly DrawnClass[]) => classes.filter(({ found }) => isRenamed(found)).length
  const shrunk = chosen.toSorted((a, b) => renamed(b) - renamed(a)).slice(0, MOST_PACKAGES)
  for (const classes of shrunk) {
    const counts = KINDS.map((kind) => `${kind} ${classes.filter(({ owner }) => owner.kind === kind).length}`)
    console.log(`${classes[0]!.of}: ${classes.length} classes, ${renamed(classes)} renamed, ${counts.join(', ')}`)
  }
  const random = new Random(seed)
  let number = 0
  for (const kind of KINDS) {
    const of = new Map<string, number>()
    const pool = shrunk.flat().filter(({ owner }) => owner.kind === kind)
    const lost = pool.filter(({ found }) => isRenamed(found))
    const named = pool.filter(({ found }) => !isRenamed(found))
    for (let drawn = 0; drawn < OF_A_KIND && pool.length; ) {
      const from = (drawn % 2 === 0 && lost.length) || !named.length ? lost : named
      if (!from.length) break
      const [one] = from.splice(random.below(from.length), 1)
      const here = of.get(one!.of) ?? 0
      if (here >= MOST_OF_A_PACKAGE) continue
      of.set(one!.of, here + 1)
      drawn++
      number++
      writeFileSync(join(into, `${String(number).padStart(2, '0')}-${kind}.txt`), textOf(one!))
    }
  }
}

function classesOf(one: ReportPackage, ids: Set<string>): DrawnClass[] | null {
  try {
    const source = readPackage(one.bytes(), one.name)
    if (source.kind === 'ipa') return null
    const { rules } = readContext(source, { ...SCAN_CHOICES }, () => undefined)
    const program = rules?.program
    if (!rules || !program) return null
    const classes = [...program.classes()]
    if (classes.filter(isRenamed).length < LEAST_RENAMED) return null
    const id = 'facts' in source && source.platform === 'android' ? (source.facts.package?.value ?? one.name) : one.name
    if (ids.has(id)) return null
    ids.add(id)
    const ownerOf = (descriptor: string) => rules.ownerOf(descriptor)
    return classes.map((found) => ({ program, found, owner: ownerOf(found.descriptor), of: one.name, ownerOf }))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return null
  }
}

function textOf({ program, found, owner, of, ownerOf }: DrawnClass): string {
  const named = [...program.typesNamedBy(found)].map(
    (type) => `${type}${program.classOf(type) ? ` ${ownerOf(type).kind}` : ''}`,
  )
  const by = [...program.classesNaming(found.descriptor)].slice(0, 12).map((type) => `${type} ${ownerOf(type).kind}`)
  const texts: string[] = []
  for (const { value, locations } of program.stringConstants())
    if (locations.some(({ method }) => method.reference.startsWith(`${found.descriptor}->`)))
      texts.push(JSON.stringify(value.slice(0, 80)))
  return [
    `${of}\n${found.descriptor} ${owner.kind} ${owner.sdk ?? ''} extends ${found.superclass} implements ${found.interfaces.join(' ')} source ${found.sourceFile}`,
    `members ${[...found.fields.map(({ name, type }) => `${name}:${type}`), ...found.methods.map(({ reference }) => reference.split('->')[1])].slice(0, LINES).join(' ')}`,
    `texts ${texts.slice(0, LINES).join(' ')}`,
    `names ${named.slice(0, LINES).join(' ')}`,
    `named by ${by.join(' ')}\n`,
  ].join('\n')
}
