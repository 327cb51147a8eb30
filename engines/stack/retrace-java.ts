import type { ClassMapping, MethodRange } from './mapping.ts'
import type { Frame, Segment, Stack } from './stack.ts'

/** Classes of the stack that a mapping may know. */
export function javaClassesOf(stack: Stack): Set<string> {
  const names = new Set<string>()
  for (const { type, frames } of stack.segments) {
    if (type.includes('.') || /^[a-z]\w{0,3}$/i.test(type)) names.add(type)
    for (const frame of frames) if (frame.language === 'java') names.add(frame.module)
  }
  return names
}

/** The stack as it would read had the build not been shrunk: one frame may become several, in the order innermost first. */
export function retraceJava(stack: Stack, classes: ReadonlyMap<string, ClassMapping>): Stack {
  return { ...stack, segments: stack.segments.map((segment) => retraceSegment(segment, classes)) }
}

function retraceSegment(segment: Segment, classes: ReadonlyMap<string, ClassMapping>): Segment {
  const type = classes.get(segment.type)?.original ?? segment.type
  const frames: Frame[] = []
  /** Line within an outline whose caller comes next. */
  let outlined = 0
  segment.frames.forEach((frame, index) => {
    const mapping = frame.language === 'java' ? classes.get(frame.module) : undefined
    if (!mapping) {
      frames.push(frame)
      return
    }
    const line = outlined
    outlined = 0
    const found = rangesOf(mapping, frame, line)
    if (found.ranges.some((one) => one.outline)) {
      outlined = frame.line
      return
    }
    frames.push(...framesOf(frame, mapping, found, index === 0 ? type : ''))
  })
  return { ...segment, type, frames }
}

type Found = { ranges: readonly MethodRange[]; line: number }

/** The entries that hold for the frame's line, innermost method first: neighbours with the same range are one inlined into the next. */
function rangesOf({ methods }: ClassMapping, frame: Frame, outlined: number): Found {
  const named = methods.filter((one) => one.obfuscated === frame.name)
  const callsite = named.find((one) => one.callsites?.[outlined] !== undefined && holds(one, frame.line))
  const line = (outlined > 0 && callsite?.callsites?.[outlined]) || frame.line
  const at = named.findIndex((one) => line > 0 && one.from > 0 && holds(one, line))
  if (at >= 0) {
    const first = named[at] as MethodRange
    let end = at + 1
    while (named[end]?.from === first.from && named[end]?.to === first.to) end++
    return { ranges: named.slice(at, end), line }
  }
  const ranged = named.filter((one) => one.from > 0)
  // Without a line, or with one that no range has: the method is reported where only one can be meant.
  const loose = named.filter((one) => one.from === 0)
  const candidates = loose.length > 0 ? loose : ranged.slice(-1)
  return { ranges: candidates.slice(0, 1), line: loose.length > 0 ? line : 0 }
}

const holds = ({ from, to }: MethodRange, line: number) => line >= from && line <= to

function framesOf(frame: Frame, mapping: ClassMapping, { ranges, line }: Found, thrown: string): Frame[] {
  if (ranges.length === 0) return [{ ...frame, module: mapping.original, file: fileOf(mapping, mapping.original) }]
  const descriptor = `L${thrown.replaceAll('.', '/')};`
  const removed = ranges.at(-1)?.rewrites?.find((one) => one.throws === descriptor)?.remove ?? 0
  const written = ranges.slice(Math.min(removed, ranges.length - 1)).filter((one) => !one.synthesized)
  // What only the compiler wrote is left out, but never all of a frame.
  return (written.length > 0 ? written : ranges.slice(-1)).map((range, index, all) => {
    const module = range.owner || mapping.original
    const original: Frame = {
      ...frame,
      module,
      name: range.name,
      file: fileOf(mapping, module),
      line: lineOf(range, line),
    }
    return index < all.length - 1 ? { ...original, inlined: true as const } : original
  })
}

function lineOf({ from, originalFrom, originalTo }: MethodRange, line: number): number {
  if (originalFrom === 0) return from > 0 ? 0 : line
  if (originalTo <= originalFrom || line === 0 || from === 0) return originalFrom
  return Math.min(originalTo, originalFrom + (line - from))
}

/** The class's own file from the mapping; of others the name that compilers give it. */
function fileOf({ original, sourceFile }: ClassMapping, module: string): string {
  if (sourceFile !== '' && (module === original || module.startsWith(`${original}$`))) return sourceFile
  const simple = module.slice(module.lastIndexOf('.') + 1).split('$', 1)[0] as string
  const extension = sourceFile.endsWith('.kt') ? 'kt' : 'java'
  return simple.endsWith('Kt') && extension === 'kt' ? `${simple.slice(0, -2)}.kt` : `${simple}.${extension}`
}
