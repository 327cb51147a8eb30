import { FOLDERS, git, gitDirectory } from './report-packages.ts'

const REPOSITORY = 'MobSF/Mobile-Security-Framework-MobSF'
const FILE = 'mobsf/StaticAnalyzer/views/android/rules/android_rules.yaml'

/** A rule on Java sources: patterns, and how they are joined (`Regex`, `RegexAnd`, `RegexOr`, `RegexAndOr`). */
interface MobsfRule {
  readonly id: string
  readonly type: string
  readonly patterns: readonly (readonly RegExp[])[]
}

/** MobSF's public rules, read from a copy of their repository beside the project; the reason where no copy is there. */
export function readMobsfRules(): readonly MobsfRule[] | { readonly skipped: string } {
  const directory = FOLDERS.mirrors && gitDirectory(FOLDERS.mirrors, REPOSITORY)
  if (!directory) return { skipped: `no copy of ${REPOSITORY} in MIRRORS_DIR` }
  const text = git(directory, 'show', `HEAD:${FILE}`).toString('utf8')
  return text.split(/^(?=- id: )/m).flatMap(ruleOf)
}

/** Ids of the rules that hold in one of the sources. */
export function mobsfHits(rules: readonly MobsfRule[], sources: readonly string[]): Set<string> {
  return new Set(rules.filter((rule) => sources.some((source) => holds(rule, source))).map(({ id }) => id))
}

function holds({ type, patterns }: MobsfRule, source: string): boolean {
  const any = (list: readonly RegExp[]) => list.some((one) => one.test(source))
  if (type === 'RegexOr') return patterns.some(any)
  return patterns.length > 0 && patterns.every(any)
}

/** The subset of YAML that those rules use: plain, quoted and folded texts, and lists of them, also nested once. */
function ruleOf(text: string): MobsfRule[] {
  const id = /^- id: (\S+)/.exec(text)?.[1]
  const type = /^ {2}type: (\S+)/m.exec(text)?.[1]
  const body = /^ {2}pattern:([\s\S]*?)(?=^ {2}\w|(?![\s\S]))/m.exec(text)?.[1]
  if (!id || !type || body === undefined) return []
  const isList = /^\s*\n\s+- /.test(body)
  const groups = isList ? body.split(/^ {4}- /m).slice(1) : [body]
  const ignoresCase = /input_case: (?:lower|upper)/.test(text)
  const patterns = groups.map((group) => {
    const inner = /^\s*- /.test(group) ? group.split(/^\s*- /m).filter((one) => one.trim()) : [group]
    return inner.flatMap((one) => expression(scalar(one), ignoresCase))
  })
  return [{ id, type, patterns }]
}

function scalar(text: string): string {
  const folded = text
    .replace(/^\s*[>|]-?\s*\n/, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
  if (/^'.*'$/s.test(folded)) return folded.slice(1, -1).replaceAll("''", "'")
  return /^".*"$/s.test(folded) ? (JSON.parse(folded) as string) : folded
}

/** Python's inline flags are not part of the syntax here. */
function expression(pattern: string, ignoresCase: boolean): RegExp[] {
  const flags = ignoresCase || pattern.startsWith('(?i)') ? 'i' : ''
  try {
    return [new RegExp(pattern.replace(/^\(\?i\)/, ''), flags)]
  } catch {
    return []
  }
}
