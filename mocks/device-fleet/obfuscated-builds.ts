import { DEFECTS } from './defects.ts'
import { type AppProfile, DEMO_APPS } from './demo-apps.ts'

/**
 * Every other release of the first application comes out shrunk, as if by R8: own classes and methods have one or two letters, another
 * set in each version, and lines count from 1 in each method. `mappingText` is what its build left behind.
 */
export function isObfuscated(app: AppProfile, version: string): boolean {
  return app === DEMO_APPS[0] && Number(version.split('.')[1]) % 2 === 1
}

type Method = { name: string; file: string; line: number; short: string; at: number }
type Shrunk = { types: Map<string, { short: string; file: string; methods: Method[] }> }
const builds = new Map<string, Shrunk>()
const FRAME = /^(.+)\.([^.]+)\(([^:]+):L(\d+)\)$/

function shrink(app: AppProfile, version: string): Shrunk {
  const known = builds.get(version)
  if (known) return known
  const frames = DEFECTS.filter((one) => one.platform === 'android').flatMap((one) => [
    ...one.frames,
    ...(one.cause?.frames ?? []),
  ])
  const types: Shrunk['types'] = new Map()
  const shift = [...version].reduce((sum, digit) => sum + digit.charCodeAt(0), 0)
  for (const frame of frames) {
    const match = frame.startsWith('~') ? FRAME.exec(frame) : null
    if (!match) continue
    const [, path, name, file, line] = match as unknown as [string, string, string, string, string]
    const type = path.replace('~', app.package)
    const found = types.get(type) ?? { short: `a.${letters(types.size + shift)}`, file, methods: [] }
    types.set(type, found)
    if (found.methods.some((one) => one.name === name && one.line === Number(line))) continue
    found.methods.push({
      name,
      file,
      line: Number(line),
      short: letters(found.methods.length),
      at: found.methods.length + 1,
    })
  }
  const build = { types }
  builds.set(version, build)
  return build
}

/** a, b … z, ba, bb … */
function letters(number: number): string {
  const last = String.fromCharCode(97 + (number % 26))
  return number < 26 ? last : letters(Math.floor(number / 26)) + last
}

/** The frame as the shrunk build prints it; `text` is the plain one. */
export function obfuscatedFrame(app: AppProfile, version: string, text: string): string {
  const match = /^(.+)\.([^.]+)\([^:]+:\d+\)$/.exec(text)
  const type = match && shrink(app, version).types.get(match[1] as string)
  const method = type?.methods.find((one) => one.name === match?.[2])
  return type && method ? `${type.short}.${method.short}(SourceFile:${method.at})` : text
}

/** Exceptions of the platform keep their names. */
export function obfuscatedType(app: AppProfile, version: string, type: string): string {
  return shrink(app, version).types.get(type)?.short ?? type
}

/** The mapping.txt of a shrunk version. */
export function mappingText(app: AppProfile, version: string, moved: number): string {
  const lines = [
    '# compiler: R8',
    '# compiler_version: 8.5.35',
    '# {"id":"com.android.tools.r8.mapping","version":"2.2"}',
  ]
  for (const [type, { short, file, methods }] of shrink(app, version).types) {
    lines.push(`${type} -> ${short}:`, `# {"id":"sourceFile","fileName":"${file}"}`)
    for (const { name, line, short: renamed, at } of methods)
      lines.push(`    ${at}:${at}:void ${name}():${line + moved}:${line + moved} -> ${renamed}`)
  }
  return `${lines.join('\n')}\n`
}
