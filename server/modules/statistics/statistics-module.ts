import { ERRORS, errorText, ProductError } from '#contracts/errors.ts'
import { eventById, revealEventAddress, statistics } from '#contracts/http/statistics.ts'
import type { EventRow, Part, PartAnswer } from '#domain/query.ts'
import type { Caller, Module } from '../../http/module.ts'
import { redactRow, refuseAddress } from '../../query/personal.ts'
import { personalLooks } from '../../query/personal-looks.ts'
import { agreeOnNow, resolveQuery } from '../../query/resolve-query.ts'
import { refuseOnWall } from '../../query/wall-access.ts'
import { expandDeviceVerdict } from '../devices/expand-device-verdict.ts'
import { expandGroups } from '../exceptions/group-aliases.ts'

type RefusedPart = { kind: 'error'; code: number; codemsg: string }

/** Statistics and single events. */
export const statisticsModule: Module = (mount, deps) => {
  const look = personalLooks(deps)

  mount(statistics, async ({ body, caller }) => {
    const now = agreeOnNow(body.now, deps.now())
    refuseAddress(caller, body.query.filters)
    refuseOnWall(caller, body.query.filters)
    const { db } = deps.meta
    const filters = await expandGroups(db, body.query.filters)
    const query = resolveQuery({ ...body.query, filters }, caller.scope, now, deps.settings().zone)
    const refused: Record<string, RefusedPart> = {}
    const asked: Record<string, Part> = {}
    for (const [name, part] of Object.entries(body.parts)) {
      try {
        refuseAddress(caller, [], part)
        refuseOnWall(caller, [], part)
        asked[name] = await expandDeviceVerdict(db, caller.scope, { ...part, and: await expandGroups(db, part.and) })
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
        refused[name] = refusedPart(error, caller)
      }
    }
    if (Object.values(asked).some((part) => 'by' in part && part.by === 'address'))
      await look(caller, `addresses ${JSON.stringify(body.query.filters)}`.slice(0, 200))
    const [status, answers] = await Promise.all([deps.store.status(), deps.store.answers(query, asked)])
    const parts = Object.keys(body.parts).map((name) => {
      const answer = answers[name]
      if (!answer) return [name, refused[name]]
      if (answer.kind !== 'failed') return [name, redactAnswer(answer)]
      return [name, refusedPart(new ProductError(answer.error, answer.params), caller)]
    })
    return {
      now,
      span: query.span,
      previous: query.compared ?? null,
      parts: Object.fromEntries(parts),
      stored_to: status.storedTo,
      lag_seconds: status.lagSeconds,
    }
  })

  const findEvent = async (caller: Caller, appid: string, id: string): Promise<{ row: EventRow; stored: boolean }> => {
    const app = Number(appid)
    if (!/^\d{1,9}$/.test(appid) || !inScope(caller, app)) throw new ProductError('data.missing')
    const waiting = await deps.tail?.event(app, id)
    const row = waiting ?? (await deps.store.event(app, id))
    if (!row) throw new ProductError('data.missing')
    return { row, stored: !waiting }
  }

  mount(eventById, async ({ query, caller }) => {
    const { row, stored } = await findEvent(caller, query.appid, query.id)
    return { data: redactRow(row), stored }
  })

  mount(revealEventAddress, async ({ body, caller, audit }) => {
    audit(`event ${body.appid}:${body.id}`, 'address')
    return { address: (await findEvent(caller, body.appid, body.id)).row.address }
  })
}

function inScope(caller: Caller, app: number): boolean {
  return caller.scope.apps === 'all' || caller.scope.apps.includes(app)
}

/** Rows show networks only, also to callers who may reveal addresses: that is a separate step with an audit entry. */
function redactAnswer(answer: PartAnswer): PartAnswer {
  return answer.kind === 'rows' ? { ...answer, rows: answer.rows.map(redactRow) } : answer
}

function refusedPart(error: ProductError, caller: Caller): RefusedPart {
  return { kind: 'error', code: ERRORS[error.key].code, codemsg: errorText(error.key, caller.language, error.params) }
}
