import { isOwn } from './own-code.ts'
import type { Frame, Segment, Stack } from './stack.ts'

/**
 * Which frames make a group: the first own ones of the innermost cause. Line numbers, lambda and synthetic numbers, addresses, ids and
 * messages do not count, so that one defect stays one group from build to build. Shrunk names mean nothing outside their build: there
 * the version and the line count as well, until a mapping resolves them.
 */
const FRAMES = 4
const LIBRARY_FRAMES = 6

export type StackIdentity = {
  /** 16 hex digits. */
  fingerprint: string
  /** The frame that names the group, if any. */
  culprit: Frame | undefined
  /** The segment whose frames count. */
  cause: Segment | undefined
  /** Names are those of a shrunk build. */
  obfuscated: boolean
}

/** `salt` parts what must never meet in one group (application, event type); `version` is that of the build. */
export function identifyStack(
  stack: Stack,
  {
    salt,
    version,
    packageName = '',
    reason = '',
  }: { salt: string; version: string; packageName?: string; reason?: string },
): StackIdentity {
  const causes = stack.segments.filter((one) => one.relation === 'thrown' || one.relation === 'caused')
  const withFrames = (causes.length > 0 ? causes : stack.segments).filter((one) => one.frames.length > 0)
  // Threads: the first one is the blocked one. Causes: the last one began it.
  const cause = causes.length > 0 ? withFrames.at(-1) : withFrames[0]
  const own = ownFrames(cause, packageName)
  const elsewhere = own.length > 0 ? own : withFrames.toReversed().flatMap((one) => ownFrames(one, packageName))
  const chosen = distinct(elsewhere.length > 0 ? elsewhere : (cause?.frames ?? [])).slice(
    0,
    elsewhere.length > 0 ? FRAMES : LIBRARY_FRAMES,
  )
  const obfuscated = chosen.length > 0 && chosen.some(isShrunk)
  const type = cause?.relation === 'thread' ? reason : cause?.type || causes.at(-1)?.type || reason
  const parts = [salt, normalName(type), ...chosen.map((frame) => frameText(frame, obfuscated))]
  if (obfuscated) parts.push(version)
  return { fingerprint: hash64(parts.join('\n')), culprit: chosen[0], cause, obfuscated }
}

/** A group for a failure that has no stack: what it says it was, and where. */
export function fingerprintOf(salt: string, reason: string): string {
  return hash64(`${salt}\n${normalName(reason)}`)
}

function ownFrames(segment: Segment | undefined, packageName: string): Frame[] {
  return segment?.frames.filter((frame) => isOwn(frame, packageName) && !isGenerated(frame)) ?? []
}

/** Recursion repeats frames; each counts where it comes first. */
function distinct(frames: readonly Frame[]): Frame[] {
  const seen = new Set<string>()
  return frames.filter((frame) => {
    const text = frameText(frame, false)
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}

/** Bridges that compilers put between what people wrote: they come and go with the build. */
function isGenerated({ name, module }: Frame): boolean {
  return (
    name.startsWith('access$') ||
    name.startsWith('$r8$lambda$') ||
    module.includes('$$ExternalSynthetic') ||
    module.includes('$$Lambda') ||
    module.includes('$$InternalSynthetic')
  )
}

function frameText(frame: Frame, exact: boolean): string {
  if (frame.language === 'native' && frame.name === '') return `${baseName(frame.module)}+${frame.address}`
  const module = frame.language === 'java' ? normalName(frame.module) : normalName(baseName(frame.module))
  const position = exact ? `:${frame.line}:${frame.column}` : ''
  return `${module}#${normalName(frame.name)}${position}`
}

/** Class and function names without what differs from build to build. */
function normalName(name: string): string {
  return name
    .replace(/0x[0-9a-fA-F]+|@[0-9a-f]{4,}/g, '')
    .replace(/\$\$(?:ExternalSynthetic)?Lambda[$\d/]*[\w$]*/g, '$$lambda')
    .replace(/lambda\$([\w$]*?)\$\d+/g, 'lambda$$$1')
    .replace(/[.\-_][0-9a-f]{8,}(?=\b)/g, '')
    .replace(/\$\d+/g, '$$n')
    .replace(/\d{4,}/g, '')
}

/** Whether names of the frame are those of a shrinker or a minifier: nearly all are one to three small letters. */
function isShrunk(frame: Frame): boolean {
  if (frame.language === 'native') return frame.name === ''
  if (frame.language === 'js')
    return frame.line > 0 && frame.column > 0 && (isHashed(frame.module) || frame.column > 400)
  const parts = frame.module.split(/[.$]/)
  const short = parts.filter((part) => /^[a-z][a-z0-9]{0,2}$/.test(part)).length
  const last = parts.at(-1) ?? ''
  return (
    /^[a-z]{1,2}\d?$/.test(last) &&
    short * 2 >= parts.length &&
    /^(?:[a-z]{1,2}\d?|<init>|<clinit>|run|invoke\w*|onClick)$/.test(frame.name)
  )
}

/** `app.3fa91c77.js`, `index-BvK2x9Qz.js`, `app.min.js`: made by a bundler. */
function isHashed(module: string): boolean {
  return /[.\-_](?:[0-9a-f]{8,}|min|(?=[\w-]{0,7}\d)(?=[\w-]{0,7}[A-Z])[\w-]{8})\.m?js$/.test(baseName(module))
}

function baseName(path: string): string {
  const bare = path.split(/[?#]/, 1)[0] as string
  return bare.slice(bare.lastIndexOf('/') + 1)
}

/** Two 32-bit hashes that mix each other at the end; equal texts only, within all groups that one installation ever has. */
function hash64(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}
