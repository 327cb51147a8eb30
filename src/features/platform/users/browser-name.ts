/** Of these the first whose mark is in the agent counts: Edge and Opera name Chrome too, Chrome names Safari. */
const BROWSERS: readonly [name: string, mark: RegExp][] = [
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[.\d]* .*Safari\//],
]
const SYSTEMS: readonly [name: string, mark: RegExp][] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
]

/** `Chrome 131, Windows` of a user agent; undefined where no browser is recognised. */
export function browserName(agent: string): string | undefined {
  for (const [name, mark] of BROWSERS) {
    const version = mark.exec(agent)?.[1]
    if (!version) continue
    const system = SYSTEMS.find(([, one]) => one.test(agent))?.[0]
    return system ? `${name} ${version}, ${system}` : `${name} ${version}`
  }
  return undefined
}
