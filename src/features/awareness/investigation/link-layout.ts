import { type LinkEdge, type LinkKind, type LinkNode, type Links, linkId } from '#domain/trail.ts'

/** Positions of the nodes of the link graph: kinds in fixed columns, sorted by weight; the same graph always has the same layout. */
export const ROW = 26
const GROUP_GAP = 10
const TOP = 16
/** Left column, for the loops between two of its nodes. */
const MARGIN = 22
/** Width of a mark and a short hash. */
const TEXT = 100
const COLUMNS: readonly (readonly LinkKind[])[] = [
  ['user', 'device'],
  ['address', 'build'],
]

export type PlacedNode = { node: LinkNode; id: string; x: number; y: number; side: 'left' | 'right' | 'middle' }
export type PlacedEdge = { key: string; path: string; width: number; dashed: boolean }
export type LinkPicture = { nodes: PlacedNode[]; edges: PlacedEdge[]; height: number }

export function layoutLinks({ nodes, edges }: Links, width: number): LinkPicture {
  const placed = new Map<string, PlacedNode>()
  const right = Math.max(width - 190, Math.min(width * 0.62, width - 128))
  let height = 0
  for (const [index, kinds] of COLUMNS.entries()) {
    let y = TOP
    for (const kind of kinds) {
      const list = nodes.filter((node) => node.kind === kind && node.hop > 0).sort(byWeight)
      for (const node of list) {
        const side = index === 0 ? 'left' : 'right'
        placed.set(linkId(node), { node, id: linkId(node), x: index === 0 ? MARGIN : right, y, side })
        y += ROW
      }
      if (list.length > 0) y += GROUP_GAP
    }
    height = Math.max(height, y)
  }
  const [subject] = nodes
  const x = MARGIN + TEXT + Math.max(0, right - MARGIN - TEXT) * 0.42
  if (subject)
    placed.set(linkId(subject), {
      node: subject,
      id: linkId(subject),
      x,
      y: Math.max(70, height / 2 - 10),
      side: 'middle',
    })
  const most = Math.max(1, ...edges.map((edge) => edge.events))
  return {
    nodes: nodes.map((node) => placed.get(linkId(node))).filter((one) => one !== undefined),
    edges: edges.flatMap((edge) => {
      const [from, to] = [placed.get(edge.from), placed.get(edge.to)]
      return from && to ? [edgeOf(edge, from, to, most)] : []
    }),
    height: Math.max(height, 160),
  }
}

function byWeight(a: LinkNode, b: LinkNode): number {
  return a.hop - b.hop || b.events - a.events || (a.key < b.key ? -1 : 1)
}

/** Where an edge meets a node: the middle of its mark; beyond its text on the left. */
function meets({ x, y, side }: PlacedNode, towards: PlacedNode['side']): [number, number] {
  return side === 'left' && towards !== 'left' ? [x + TEXT - 6, y] : [x, y]
}

function edgeOf(edge: LinkEdge, from: PlacedNode, to: PlacedNode, most: number): PlacedEdge {
  const [ax, ay] = meets(from, to.side)
  const [bx, by] = meets(to, from.side)
  const direct = from.side === 'middle' || to.side === 'middle'
  const loop = from.side === to.side
  const out = (side: number) => (from.side === 'left' ? side - 34 : side + 34)
  const path = loop
    ? `M${ax} ${ay}C${out(ax)} ${ay + (by - ay) * 0.2} ${out(bx)} ${by - (by - ay) * 0.2} ${bx} ${by}`
    : `M${ax} ${ay}C${(ax + bx) / 2} ${ay} ${(ax + bx) / 2} ${by} ${bx} ${by}`
  return {
    key: `${edge.from}\0${edge.to}`,
    path,
    width: direct ? 1.2 + 4.8 * Math.sqrt(edge.events / most) : 1.2,
    dashed: !direct,
  }
}
