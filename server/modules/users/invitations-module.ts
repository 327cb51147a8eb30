import { ProductError } from '#contracts/errors.ts'
import { acceptInvitation as acceptEndpoint, invitation, inviteUser } from '#contracts/http/users.ts'
import type { Module } from '../../http/module.ts'
import { acceptInvitation, findInvitation, makeInvitation } from './invitations.ts'
import { manageableUsers } from './manageable-users.ts'
import type { UserRow } from './user-rows.ts'

/** One-use links with which the owner of a new account chooses the first password. */
export const invitationsModule: Module = (mount, deps) => {
  const { meta, now } = deps

  mount(inviteUser, async ({ body, caller, audit }) => {
    const [row] = (await manageableUsers(meta.db, caller, [body.id])) as [UserRow]
    audit(row.username)
    if (row.origin !== 'local') throw new ProductError('user.external')
    if (row.password_hash !== '') throw new ProductError('user.has_password')
    return { data: await makeInvitation(meta, row.id, now()) }
  })

  mount(invitation, async ({ body }) => {
    const { username, zh, en, expires_at } = await findInvitation(meta, body.token, now())
    return { data: { username, role_name: { zh, en }, expires_at } }
  })

  mount(acceptEndpoint, async ({ body, audit }) => {
    const { username } = await findInvitation(meta, body.token, now())
    audit(username, 'password')
    await acceptInvitation(meta, body, now())
    return { username }
  })
}
