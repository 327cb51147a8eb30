import type { Filter } from '#domain/query.ts'
import {
  buildKey,
  EXPAND_LIMITS,
  LINK_KINDS,
  type LinkEdge,
  type LinkKind,
  type LinkNode,
  type LinkRef,
  type Links,
  type LinksAsk,
  linkId,
  parseBuildKey,
  SHARED_DEVICES,
} from '#domain/trail.ts'
import type { Select } from '../duckdb/select.ts'
import type { StoreQuery } from '../port.ts'
import { whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { MAPPINGS } from '../query/dimensions.ts'

/** Neighbours shown for each neighbour that was not expanded. */
const NEIGHBOURS_PER_HOP = 3
/** Neighbours that may lead to others. Builds do not: nearly every device has the released ones. */
const FOLLOWED: Record<LinkKind, readonly LinkKind[]> = {
  device: ['user', 'address'],
  user: ['device'],
  address: ['device'],
  build: ['device'],
}
const SIGNER = `CASE WHEN extra = '' THEN '' ELSE coalesce(json_extract_string(extra, '$.signer'), '') END`
const BUILD = `app || '|' || ${SIGNER} || '|' || version`
/** SQL of a node's key; NULL when an event has none. */
const KEY: Record<LinkKind, string> = {
  device: MAPPINGS.device.column,
  user: MAPPINGS.user.column,
  address: `nullif(address, '')`,
  build: BUILD,
}

type Found = { key: string; events: number; firstAt: number; lastAt: number }
/** Neighbours of one kind: the most frequent ones, and how many there are. */
type Neighbours = { found: Found[]; total: number }

/** The graph around a subject: its neighbours by weight, and who else is tied to those. Bounded, and the same for the same rows. */
export async function selectLinks(query: StoreQuery, ask: LinksAsk, select: Select, dialect: Dialect): Promise<Links> {
  const { subject } = ask
  const graph = new Graph(subject)
  const reader = new Reader(query, select, dialect)
  const totals = { device: 0, user: 0, address: 0, build: 0 }
  const kinds = LINK_KINDS.filter((kind) => kind !== subject.kind)
  const own = (await reader.neighbours(subject.kind, [subject.key], kinds, ask.limit)).get(subject.key)
  for (const kind of kinds) {
    const { found, total } = own?.[kind] ?? NO_NEIGHBOURS
    totals[kind] = total
    for (const one of found) graph.add({ kind, ...one }, 1, subject)
  }
  const expanded = new Set(ask.expand.map(linkId))
  await follow(graph.nodes.filter((node) => node.hop === 1 && (node.kind !== 'build' || expanded.has(linkId(node)))))
  // An expanded node may itself have been found by an expansion.
  await follow(graph.nodes.filter((node) => node.hop === 2 && expanded.has(linkId(node))))
  await reader.countDevices(graph.nodes)
  return { nodes: graph.nodes, edges: graph.edges, totals }

  /** One query for all nodes of a kind; also counts the devices of each. */
  async function follow(nodes: readonly LinkNode[]): Promise<void> {
    for (const kind of LINK_KINDS) {
      const parents = nodes.filter((node) => node.kind === kind)
      // The subject itself is among the neighbours: one more.
      const keys = parents.map(({ key }) => key)
      const answer = await reader.neighbours(kind, keys, FOLLOWED[kind], EXPAND_LIMITS.neighbours + 1)
      for (const node of parents) {
        const near = answer.get(node.key) ?? {}
        if (kind !== 'device' && kind !== 'build') setDevices(node, near.device?.total ?? 0)
        const wanted = expanded.has(linkId(node)) ? EXPAND_LIMITS.neighbours : node.shared ? 0 : NEIGHBOURS_PER_HOP
        for (const other of FOLLOWED[kind]) {
          const { found } = near[other] ?? NO_NEIGHBOURS
          const others = found.filter(({ key }) => other !== subject.kind || key !== subject.key)
          for (const one of others.slice(0, wanted)) graph.add({ kind: other, ...one }, 2, node)
        }
      }
    }
  }
}

const NO_NEIGHBOURS: Neighbours = { found: [], total: 0 }

function setDevices(node: LinkNode, devices: number): void {
  node.devices = devices
  node.shared = node.kind === 'address' && (devices > SHARED_DEVICES || node.key.includes('/'))
}

class Graph {
  readonly nodes: LinkNode[] = []
  readonly edges: LinkEdge[] = []
  private readonly byId = new Map<string, LinkNode>()
  private readonly tied = new Set<string>()

  constructor(subject: LinkRef) {
    this.put({ ...subject, hop: 0, events: 0, firstAt: 0, lastAt: 0, devices: 0, shared: false })
  }

  add(one: LinkRef & Found, hop: 1 | 2, through: LinkRef): void {
    if (!this.byId.has(linkId(one))) {
      if (this.nodes.length >= EXPAND_LIMITS.graph) return
      this.put({ ...one, hop, devices: 0, shared: false })
    }
    const [from, to] = [linkId(through), linkId(one)]
    if (this.tied.has(`${to}\0${from}`) || this.tied.has(`${from}\0${to}`)) return
    this.tied.add(`${from}\0${to}`)
    this.edges.push({ from, to, events: one.events })
  }

  private put(node: LinkNode): void {
    this.nodes.push(node)
    this.byId.set(linkId(node), node)
  }
}

class Reader {
  private readonly query: StoreQuery
  private readonly select: Select
  private readonly dialect: Dialect

  constructor(query: StoreQuery, select: Select, dialect: Dialect) {
    this.query = query
    this.select = select
    this.dialect = dialect
  }

  /** What occurs together with each of these keys, most frequent first: one scan for all keys and kinds. */
  async neighbours(
    parent: LinkKind,
    keys: readonly string[],
    kinds: readonly LinkKind[],
    limit: number,
  ): Promise<Map<string, Partial<Record<LinkKind, Neighbours>>>> {
    const answer = new Map<string, Partial<Record<LinkKind, Neighbours>>>()
    if (keys.length === 0) return answer
    const names = kinds.map((_, index) => `k${index}`)
    // GROUPING sets the bit of each column that a set leaves out, the first column the highest.
    const set = (index: number) => 2 ** kinds.length - 1 - 2 ** (kinds.length - 1 - index)
    const rows = `SELECT ${KEY[parent]} AS p, ${kinds.map((kind, index) => `${KEY[kind]} AS k${index}`).join(', ')}, occurred FROM events WHERE ${this.where(parent, keys)}`
    const groups = `SELECT p, ${names.join(', ')}, GROUPING(${names.join(', ')}) AS g, count(*) AS c, min(occurred) AS lo, max(occurred) AS hi FROM (${rows}) s GROUP BY GROUPING SETS (${names.map((name) => `(p, ${name})`).join(', ')})`
    const present = names.map((name, index) => `(g = ${set(index)} AND ${name} IS NOT NULL)`).join(' OR ')
    const ranked = `SELECT *, row_number() OVER (PARTITION BY p, g ORDER BY c DESC, ${names.join(', ')}) AS n, count(*) OVER (PARTITION BY p, g) AS total FROM (${groups}) t WHERE ${present}`
    const lines = await this.select(
      `SELECT p, g, c, lo, hi, total, ${names.join(', ')} FROM (${ranked}) r WHERE n <= ${limit} ORDER BY p, g, n`,
    )
    for (const line of lines) {
      const index = kinds.findIndex((_, at) => set(at) === Number(line[1]))
      const kind = kinds[index] as LinkKind
      const near = answer.get(this.text(parent, line[0])) ?? {}
      answer.set(this.text(parent, line[0]), near)
      near[kind] ??= { found: [], total: Number(line[5]) }
      near[kind].found.push({
        key: this.text(kind, line[6 + index]),
        events: Number(line[2]),
        firstAt: Number(line[3]),
        lastAt: Number(line[4]),
      })
    }
    return answer
  }

  /** Counts the devices of users and addresses that were not followed. */
  async countDevices(nodes: readonly LinkNode[]): Promise<void> {
    for (const kind of ['user', 'address'] as const) {
      const open = nodes.filter((node) => node.kind === kind && node.hop === 2 && node.devices === 0)
      if (open.length === 0) continue
      const keys = open.map(({ key }) => key)
      const rows = await this.select(
        `SELECT ${KEY[kind]} AS k, count(DISTINCT device) FROM events WHERE ${this.where(kind, keys)} GROUP BY k`,
      )
      const counts = new Map(rows.map((row) => [this.text(kind, row[0]), Number(row[1])]))
      for (const node of open) setDevices(node, counts.get(node.key) ?? 0)
    }
    for (const node of nodes) if (node.kind === 'device') node.devices = 1
  }

  private text(kind: LinkKind, raw: unknown): string {
    return kind === 'address' || kind === 'build' ? String(raw) : this.dialect.keyText(raw)
  }

  private where(kind: LinkKind, keys: readonly string[]): string {
    const { span, basis, zone, scope, filters } = this.query
    const { lit } = this.dialect
    if (kind !== 'build') {
      const these: Filter = { field: kind, op: 'is', values: [...keys] }
      return whereSql({ span, basis, zone, scope, filters: [...filters, these] }, this.dialect)
    }
    // The cheap columns first: few rows are left to be read as JSON.
    const builds = keys.flatMap((key) => {
      const build = parseBuildKey(key)
      if (!build) return []
      const { app, version, signer } = build
      return `(app = ${lit(Number(app))} AND version = ${lit(version)} AND ${BUILD} = ${lit(buildKey(app, version, signer))})`
    })
    return `${whereSql({ span, basis, zone, scope, filters }, this.dialect)} AND (${builds.join(' OR ') || 'FALSE'})`
  }
}
