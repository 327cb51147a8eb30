import { ProductError } from '#contracts/errors.ts'
import { findSubjects, links, trail } from '#contracts/http/investigation.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { type Links, linkId } from '#domain/trail.ts'
import { truncateAddress } from '#domain/truncate-address.ts'
import type { Module } from '../../http/module.ts'
import { mayReveal } from '../../query/personal.ts'
import { personalLooks } from '../../query/personal-looks.ts'
import { findSubjects as find } from './find-subjects.ts'
import { readTrail, subjectQuery } from './read-trail.ts'

/** Attack trace: trail, links, and finding whose trace it shall be. */
export const investigationModule: Module = (mount, deps) => {
  const look = personalLooks(deps)

  mount(trail, async ({ body, caller }) => {
    const [status, { trail: data, now, span }] = await Promise.all([deps.store.status(), readTrail(deps, caller, body)])
    return { data, now, span, lag_seconds: status.lagSeconds }
  })

  mount(links, async ({ body, caller }) => {
    const reveal = mayReveal(caller)
    if (!reveal && body.expand.some(({ kind }) => kind === 'address'))
      throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['personal.reveal'][caller.language] })
    const { subject, limit, expand } = body
    // The subject goes to the store apart: its neighbours are looked up with the other filters alone.
    const { query } = subjectQuery(deps, caller, body)
    const own = { ...query, filters: body.query.filters }
    const data = await deps.store.links(own, { subject, limit, expand })
    if (reveal && data.nodes.some(({ kind }) => kind === 'address'))
      await look(caller, `links ${subject.kind}:${subject.key}`)
    return { data: reveal ? data : withoutAddresses(data) }
  })

  mount(findSubjects, async ({ body, caller }) => ({ data: await find(deps, caller, body.text) }))
}

/** Addresses as their networks; those of one network stay apart by a number. */
export function withoutAddresses({ nodes, edges, totals }: Links): Links {
  const renamed = new Map<string, string>()
  const hidden = nodes.map((node, index) => {
    if (node.kind !== 'address') return node
    const key = `${truncateAddress(node.key)}#${index}`
    renamed.set(linkId(node), linkId({ kind: 'address', key }))
    return { ...node, key }
  })
  const named = (id: string) => renamed.get(id) ?? id
  return {
    nodes: hidden,
    edges: edges.map((edge) => ({ ...edge, from: named(edge.from), to: named(edge.to) })),
    totals,
  }
}
