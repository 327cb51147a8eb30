import type { Filter } from '#contracts/query.ts'
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
  subjectFilter,
} from '#contracts/trail.ts'
import { whereSql } from './compile-query.ts'
import type { Dialect } from './dialect.ts'
import { MAPPINGS } from './dimensions.ts'
import type { StoreQuery } from './port.ts'
import type { Select } from './select-rows.ts'

/** Found through a neighbour that nobody expanded: so many of each. */
const THROUGH = 3
/** The neighbours that may tell who else was there. Builds do not: nearly everyone has the released ones. */
const FOLLOWED: Record<LinkKind, readonly LinkKind[]> = {
  device: ['user', 'address'],
  user: ['device'],
  address: ['device'],
  build: ['device'],
}
const SIGNER = `CASE WHEN extra = '' THEN '' ELSE coalesce(json_extract_string(extra, '$.signer'), '') END`
const BUILD = `app || '|' || ${SIGNER} || '|' || version`

type Found = { key: string; events: number; firstAt: number; lastAt: number }

/** The graph around a subject: its neighbours by weight, and who else is tied to those. Bounded, and the same for the same rows. */
export async function selectLinks(query: StoreQuery, ask: LinksAsk, select: Select, dialect: Dialect): Promise<Links> {
  const { subject } = ask
  const graph = new Graph(subject)
  const reader = new Reader(query, select, dialect)
  const totals = { device: 0, user: 0, address: 0, build: 0 }
  for (const kind of LINK_KINDS) {
    if (kind === subject.kind) continue
    const { found, total } = await reader.neighbours(subjectFilter(subject), kind, ask.limit)
    totals[kind] = total
    for (const one of found) graph.add({ kind, ...one }, 1, subject)
  }
  await reader.countDevices(graph.nodes)
  const expanded = new Set(ask.expand.map(linkId))
  const open = (node: LinkNode) =>
    expanded.has(linkId(node)) || (node.hop === 1 && node.kind !== 'build' && !node.shared)
  for (const node of graph.nodes.filter(open)) {
    const limit = expanded.has(linkId(node)) ? EXPAND_LIMITS.neighbours : THROUGH
    await follow(node, limit)
  }
  // What was expanded may itself have been found by an expansion.
  for (const node of graph.nodes.filter((one) => one.hop === 2 && expanded.has(linkId(one))))
    await follow(node, EXPAND_LIMITS.neighbours)
  await reader.countDevices(graph.nodes)
  return { nodes: graph.nodes, edges: graph.edges, totals }

  async function follow(node: LinkNode, limit: number): Promise<void> {
    for (const kind of FOLLOWED[node.kind]) {
      // One more, since the subject itself is among them.
      const { found } = await reader.neighbours(nodeFilter(node), kind, limit + 1)
      const others = found.filter(({ key }) => kind !== subject.kind || key !== subject.key).slice(0, limit)
      for (const one of others) graph.add({ kind, ...one }, 2, node)
    }
  }
}

type NodeFilter = Filter | { build: string }

function nodeFilter({ kind, key }: LinkRef): NodeFilter {
  return kind === 'build' ? { build: key } : { field: kind, op: 'is', values: [key] }
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

  /** What stands together with it in events, the most frequent first. */
  async neighbours(filter: NodeFilter, kind: LinkKind, limit: number): Promise<{ found: Found[]; total: number }> {
    const column = kind === 'build' ? BUILD : MAPPINGS[kind].column
    const present = kind === 'address' ? `address <> ''` : kind === 'build' ? '' : `${column} IS NOT NULL`
    const where = [this.where(filter), present].filter(Boolean).join(' AND ')
    const rows = await this.select(
      `SELECT ${column} AS k, count(*) AS c, min(occurred), max(occurred), ${this.dialect.groupCount} FROM events WHERE ${where} GROUP BY k ORDER BY c DESC, k LIMIT ${limit}`,
    )
    const found = rows.map((row) => ({
      key: kind === 'build' || kind === 'address' ? String(row[0]) : this.dialect.keyText(row[0]),
      events: Number(row[1]),
      firstAt: Number(row[2]),
      lastAt: Number(row[3]),
    }))
    return { found, total: Number(rows[0]?.[4] ?? 0) }
  }

  /** Fills in how many devices each user and address was seen with, where that is not known yet. */
  async countDevices(nodes: readonly LinkNode[]): Promise<void> {
    for (const kind of ['user', 'address'] as const) {
      const open = nodes.filter((node) => node.kind === kind && node.devices === 0)
      if (open.length === 0) continue
      const { column, text } = MAPPINGS[kind]
      const these: Filter = { field: kind, op: 'is', values: open.map(({ key }) => key) }
      const rows = await this.select(
        `SELECT ${column} AS k, count(DISTINCT device) FROM events WHERE ${this.where(these)} GROUP BY k`,
      )
      const counts = new Map(rows.map((row) => [text(row[0], this.dialect), Number(row[1])]))
      for (const node of open) {
        node.devices = counts.get(node.key) ?? 0
        node.shared = kind === 'address' && (node.devices > SHARED_DEVICES || node.key.includes('/'))
      }
    }
    for (const node of nodes) if (node.kind === 'device') node.devices = 1
  }

  private where(filter: NodeFilter): string {
    const { span, basis, zone, scope, filters } = this.query
    const selection = { span, basis, zone, scope, filters: 'build' in filter ? filters : [...filters, filter] }
    const where = whereSql(selection, this.dialect)
    if (!('build' in filter)) return where
    const build = parseBuildKey(filter.build)
    if (!build) return 'FALSE'
    const { lit } = this.dialect
    // The cheap columns first: few rows are left to be read as JSON.
    return `${where} AND app = ${lit(Number(build.app))} AND version = ${lit(build.version)} AND ${BUILD} = ${lit(buildKey(build.app, build.version, build.signer))}`
  }
}
