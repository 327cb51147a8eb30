import { ProductError } from '#contracts/errors.ts'
import {
  EXCEPTION_MARKS,
  exceptionGroup,
  exceptionGroups,
  exceptionStack,
  type StackSegment,
} from '#contracts/http/exceptions.ts'
import { compareVersions } from '#domain/exceptions.ts'
import { identify } from '#engines/stack/failure-group.ts'
import { isOwn } from '#engines/stack/own-code.ts'
import { readStack } from '#engines/stack/read-stack.ts'
import type { Stack } from '#engines/stack/stack.ts'
import type { Module, ServerDeps } from '../../http/module.ts'
import { refuseAddress } from '../../query/personal.ts'
import { agreeOnNow } from '../../query/resolve-query.ts'
import { detailOf, type Fingerprint, knownFingerprints, learnFingerprints, originOf } from './fingerprints.ts'
import { aliasesIn, fingerprintsOf } from './group-aliases.ts'
import { chooseGroups, hasMark, kindQuery, listGroups, trendsOf } from './list-groups.ts'
import { retraceStack } from './symbols.ts'
import { nameKey, triageStatesOf, UNTOUCHED } from './triage-state.ts'

/** Lists of groups, one group, the stack of one event. */
export const exceptionsModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(exceptionGroups, async ({ body, caller }) => {
    refuseAddress(caller, body.query.filters)
    const now = agreeOnNow(body.now, deps.now())
    const query = await kindQuery(deps, body.query, body.kind, caller.scope, now, deps.settings().zone)
    const { groups, ungrouped } = await listGroups(deps, query)
    const { found, passing } = chooseGroups(groups, body)
    const page = passing.slice(body.offset, body.offset + body.limit)
    const { bucket, starts, trends } = await trendsOf(
      deps,
      query,
      page.map((one) => one.group),
    )
    const counts = Object.fromEntries(
      EXCEPTION_MARKS.map((mark) => [mark, found.filter((one) => hasMark(one, mark)).length]),
    ) as Record<(typeof EXCEPTION_MARKS)[number], number>
    return {
      now,
      span: query.span,
      data: page.map((one) => ({ ...one, trend: trends.get(one.group) ?? [] })),
      total: passing.length,
      counts,
      ungrouped,
      bucket,
      starts,
    }
  })

  mount(exceptionGroup, async ({ query, caller }) => {
    const found = await findFingerprint(deps, caller.scope, query.group)
    if (!found || found.kind !== query.kind) throw new ProductError('data.missing')
    const group = found.group_id
    const [aliases, fingerprints] = await Promise.all([aliasesIn(db, caller.scope), fingerprintsOf(db, [group])])
    const scope = { apps: [found.application_id] }
    const [versions, triageStates, history] = await Promise.all([
      deps.store.exceptionVersions(scope, fingerprints, aliases, 0),
      triageStatesOf({ db, store: deps.store, now: deps.now(), scope, aliases }, [group]),
      db
        .selectFrom('exception_history')
        .leftJoin('users', 'users.id', 'exception_history.by_user')
        .select(['at', 'what', 'detail', 'users.username'])
        .where('application_id', '=', found.application_id)
        .where('group_id', '=', group)
        .orderBy('exception_history.id', 'desc')
        .limit(100)
        .execute(),
    ])
    return {
      data: {
        appid: String(found.application_id),
        group,
        type: found.type,
        culprit: found.culprit,
        platform: found.platform,
        obfuscated: found.obfuscated,
        fingerprints: fingerprints.length,
        triage: triageStates.get(nameKey({ app: found.application_id, group })) ?? UNTOUCHED,
        versions: versions
          .map(({ version, events, firstAt, lastAt }) => ({ version, events, first_at: firstAt, last_at: lastAt }))
          .sort((a, b) => compareVersions(b.version, a.version)),
        history: history.map(({ username, ...line }) => ({ ...line, by: username ?? '' })),
      },
    }
  })

  mount(exceptionStack, async ({ query, caller }) => {
    const app = Number(query.appid)
    if (caller.scope.apps !== 'all' && !caller.scope.apps.includes(app)) throw new ProductError('data.missing')
    const row = (await deps.tail?.event(app, query.id)) ?? (await deps.store.event(app, query.id))
    if (!row || !(row.type in KINDS)) throw new ProductError('data.missing')
    const { stack: text, reason } = detailOf(row)
    const stack = readStack(text)
    const origin = originOf(row)
    const retraced = await retraceStack(deps, app, row.version, stack)
    const segments = (one: Stack) => segmentsOf(one, origin.packageName)
    return {
      data: {
        text,
        raw: segments(stack),
        retraced: retraced ? segments(retraced.stack) : null,
        obfuscated: text !== '' && identify(retraced?.stack ?? stack, reason, origin).obfuscated,
        cut: stack.cut,
      },
    }
  })
}

const KINDS = { crash: true, anr: true, exception: true }

/** What is known of a group or of one of its fingerprints, examined now if it was not before. */
async function findFingerprint(
  deps: ServerDeps,
  scope: { readonly apps: 'all' | readonly number[] },
  text: string,
): Promise<Fingerprint | undefined> {
  const find = async () => {
    const own = await knownFingerprints(deps, [text])
    const members = await deps.meta.db
      .selectFrom('exception_fingerprints')
      .selectAll()
      .where('group_id', '=', text)
      .orderBy('obfuscated')
      .limit(1)
      .execute()
    const seen = ({ application_id }: Fingerprint) => scope.apps === 'all' || scope.apps.includes(application_id)
    return [...members, ...own].find(seen)
  }
  const known = await find()
  if (known) return known
  await learnFingerprints(deps, scope, [text])
  return find()
}

function segmentsOf(stack: Stack, packageName: string): StackSegment[] {
  return stack.segments.map((segment) => ({
    relation: segment.relation,
    type: segment.type,
    message: segment.message,
    omitted: segment.omitted,
    frames: segment.frames.map((frame) => ({
      ...frame,
      own: isOwn(frame, packageName),
      inlined: frame.inlined ?? false,
      context: frame.context ?? null,
    })),
  }))
}
