import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { deleteView, type SavedView, savedViews, saveView } from '#contracts/http/saved-views.ts'
import { PAGE_NAMES } from '#contracts/pages.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'

/** Saved views: a page's address search under a name, private or for the team. */
export const viewsModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(savedViews, async ({ query, caller }) => {
    let select = selectViews(deps).where((where) =>
      where.or([where('saved_views.user_id', '=', caller.userId), where('saved_views.shared', '=', true)]),
    )
    if (query.page) select = select.where('saved_views.page', '=', query.page)
    const rows = await select.orderBy('saved_views.name').orderBy('saved_views.id').limit(500).execute()
    return { data: rows.map((row) => toView(row, caller)) }
  })

  mount(saveView, async ({ body, caller, audit }) => {
    if (!(PAGE_NAMES as readonly string[]).includes(body.page))
      throw new ProductError('input.invalid', { detail: 'page' })
    if (body.shared) needShare(caller)
    const id = body.id ?? randomUUID()
    const values = {
      page: body.page,
      name: body.name,
      shared: body.shared,
      search: body.search,
      updated_at: deps.now(),
    }
    if (body.id === undefined) {
      await db
        .insertInto('saved_views')
        .values({ id, user_id: caller.userId, version: 1, ...values })
        .execute()
    } else {
      const found = await changeable(deps, id, caller)
      const wanted = body.version ?? found.version
      const { numUpdatedRows } = await db
        .updateTable('saved_views')
        .set({ ...values, version: wanted + 1 })
        .where('id', '=', id)
        .where('version', '=', wanted)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    }
    audit(`view ${body.name}`, body.shared ? `${body.page}, shared` : body.page)
    const row = await selectViews(deps).where('saved_views.id', '=', id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing') // deleted in between
    return { data: toView(row, caller) }
  })

  mount(deleteView, async ({ body, caller, audit }) => {
    const found = await changeable(deps, body.id, caller)
    await db.deleteFrom('saved_views').where('id', '=', body.id).execute()
    audit(`view ${found.name}`)
    return {}
  })
}

type ViewRow = Omit<SavedView, 'own' | 'owner'> & { user_id: number; owner: string }

function selectViews(deps: ServerDeps) {
  return deps.meta.db
    .selectFrom('saved_views')
    .innerJoin('users', 'users.id', 'saved_views.user_id')
    .selectAll('saved_views')
    .select('users.username as owner')
}

function toView({ user_id, ...row }: ViewRow, caller: Caller): SavedView {
  return { ...row, own: user_id === caller.userId }
}

/** The view if the caller may change it: his own, or a team view with view.share. One that he cannot see does not exist for him. */
async function changeable(deps: ServerDeps, id: string, caller: Caller): Promise<ViewRow> {
  const row = await selectViews(deps).where('saved_views.id', '=', id).executeTakeFirst()
  if (!row || (row.user_id !== caller.userId && !row.shared)) throw new ProductError('data.missing')
  if (row.user_id !== caller.userId) needShare(caller)
  return row
}

function needShare(caller: Caller): void {
  if (!caller.auth.includes('view.share'))
    throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['view.share'][caller.language] })
}
