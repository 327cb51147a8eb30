/** What robots.txt (RFC 9309) says to one client. */
export interface RobotRules {
  readonly rules: readonly { readonly allow: boolean; readonly path: string }[]
  /** Seconds between two requests; 0 where it says none. */
  readonly delay: number
}

const LARGEST = 500 * 1024
const MOST_RULES = 2000
const LONGEST_DELAY = 60

/** The rules of the group that names the client, else of the group for all. @param agent product name of the client, without version */
export function readRobots(text: string, agent: string): RobotRules {
  const groups: { agents: string[]; rules: RobotRules['rules'][number][]; delay: number }[] = []
  let group: (typeof groups)[number] | undefined
  let isNaming = false
  let count = 0
  for (const line of text.slice(0, LARGEST).split(/\r\n?|\n/)) {
    const [key, value] = pairOf(line)
    switch (key) {
      case 'user-agent':
        if (!isNaming || !group) {
          group = { agents: [], rules: [], delay: 0 }
          groups.push(group)
        }
        group.agents.push(value.toLowerCase())
        isNaming = true
        break
      case 'allow':
      case 'disallow':
        isNaming = false
        if (group && value && count++ < MOST_RULES) group.rules.push({ allow: key === 'allow', path: value })
        break
      case 'crawl-delay':
        isNaming = false
        if (group) group.delay = Math.min(LONGEST_DELAY, Math.max(0, Number(value) || 0))
        break
    }
  }
  const wanted = agent.toLowerCase()
  const named = groups.filter(({ agents }) => agents.some((one) => one !== '*' && wanted.startsWith(one)))
  const chosen = named.length ? named : groups.filter(({ agents }) => agents.includes('*'))
  return { rules: chosen.flatMap(({ rules }) => rules), delay: Math.max(0, ...chosen.map(({ delay }) => delay)) }
}

/** `Key: value # comment`; without a colon there is no value. */
function pairOf(line: string): [key: string, value: string] {
  const [content = ''] = line.split('#', 1)
  const colon = content.indexOf(':')
  return colon < 0 ? ['', ''] : [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()]
}

/** May the path (with its query) be asked for? The longest rule that fits decides; of two as long the one that allows. */
export function robotsAllow({ rules }: RobotRules, path: string): boolean {
  let length = -1
  let allowed = true
  for (const rule of rules) {
    if (!fits(rule.path, path)) continue
    if (rule.path.length > length || (rule.path.length === length && rule.allow)) {
      length = rule.path.length
      allowed = rule.allow
    }
  }
  return allowed
}

/** `*` matches any characters, `$` at the end for the end; without backtracking, as rules come from anyone. */
function fits(rule: string, path: string): boolean {
  const whole = rule.endsWith('$')
  const pieces = (whole ? rule.slice(0, -1) : rule).split('*')
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) {
      if (!path.startsWith(piece)) return false
      at = piece.length
    } else if (whole && index === pieces.length - 1) {
      if (path.length - piece.length < at || !path.endsWith(piece)) return false
      at = path.length
    } else {
      const found = path.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
  }
  return !whole || at === path.length
}
