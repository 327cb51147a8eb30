import { performance } from 'node:perf_hooks'
import { ProductError } from '#contracts/errors.ts'
import { maySearch, SEARCH_KIND_NAMES, type SearchKind, search } from '#contracts/http/search.ts'
import { NO_EMPOWER } from '#contracts/permissions.ts'
import { log } from '#runtime/log.ts'
import type { Module } from '../../http/module.ts'
import { answersWithin, type KindAnswer } from './answers-within.ts'
import { ASSET_SOURCES } from './asset-sources.ts'
import { CATALOGUE_SOURCES } from './catalogue-sources.ts'
import { EVENT_SOURCES } from './event-sources.ts'
import type { Ask } from './search-source.ts'

const SOURCES = new Map(
  [...ASSET_SOURCES, ...CATALOGUE_SOURCES, ...EVENT_SOURCES].map((source) => [source.kind, source]),
)
/** A kind that takes longer is named as not answered; the others are not held up by it any longer. */
export const KIND_MS = 400

/** The search of the palette: every kind is asked at once, each within its own time. */
export const searchModule: Module = (mount, deps) => {
  mount(search, async ({ query, caller }) => {
    const began = performance.now()
    const wanted = query.kinds === '' ? SEARCH_KIND_NAMES : query.kinds.split(',').filter(isKind)
    const empowered = caller.auth.some((one) => one !== NO_EMPOWER)
    const kinds = empowered ? wanted.filter((kind) => maySearch(kind, caller.auth)) : []
    const ask: Ask = {
      ...{ deps, caller, text: query.text },
      words: query.text.toLowerCase().split(/\s+/).filter(Boolean),
      limit: query.limit + 1,
    }
    const answers = await Promise.all(
      kinds.map(async (kind) => {
        const answer = await answersWithin(KIND_MS, async () => (await SOURCES.get(kind)?.find(ask)) ?? [])
        if (answer.state === 'failed' && !(answer.error instanceof ProductError))
          log.warn({ err: answer.error, kind }, 'search: a kind could not be searched')
        return { kind, answer }
      }),
    )
    const found = answers.flatMap(({ kind, answer }) =>
      answer.state === 'found' && answer.hits.length > 0 ? [{ kind, hits: answer.hits }] : [],
    )
    return {
      data: found.map(({ kind, hits }) => ({
        kind,
        hits: hits.slice(0, query.limit),
        more: hits.length > query.limit,
      })),
      unanswered: answers.flatMap(({ kind, answer }) => {
        const reason = reasonOf(answer)
        return reason ? [{ kind, reason }] : []
      }),
      milliseconds: Math.round(performance.now() - began),
    }
  })
}

function reasonOf({ state }: KindAnswer): 'slow' | 'away' | undefined {
  return state === 'slow' ? 'slow' : state === 'failed' ? 'away' : undefined
}

function isKind(text: string): text is SearchKind {
  return SOURCES.has(text as SearchKind)
}
