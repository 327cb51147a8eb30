import { z } from 'zod'
import { ALL_ITEMS, type Authority, SESSION_ROLES } from '../permissions.ts'
import { endpoint } from './endpoint.ts'

/** Role setting (ROLE-01): the built-in roles, and custom ones of a name, the administrator mark and items. */

const AUTHORITIES = [...SESSION_ROLES, ...ALL_ITEMS] as Exclude<Authority, 'noEmpower'>[]
const key = z.string().min(1).max(64)
const fields = {
  name: z.string().trim().max(40),
  /** Sees and manages every application, not only those that the account owns or is a member of (decision 13). */
  administrator: z.boolean(),
  /** Session roles and permission items. */
  auth: z.array(z.enum(AUTHORITIES)).max(AUTHORITIES.length),
}

export const RoleSchema = z.object({
  key: z.string(),
  /** The same in both languages for a custom role. */
  name: z.object({ zh: z.string(), en: z.string() }),
  built_in: z.boolean(),
  administrator: z.boolean(),
  auth: z.array(z.string()),
  users: z.number(),
  /** Accounts of this role that are signed in now, 20 at most, and how many there are. */
  signed_in: z.array(z.string()),
  signed_in_total: z.number(),
  creator: z.string().nullable(),
  /** 0 for built-in roles. */
  created_at: z.number(),
  updated_at: z.number(),
  /** Grows with each change; a change names the one it was made from. */
  rev: z.number(),
  /** Whether the caller may change and delete it: a custom role, not the caller's own, that grants nothing that the caller lacks. */
  manageable: z.boolean(),
})
export type Role = z.infer<typeof RoleSchema>

export const roles = endpoint({
  method: 'GET',
  path: '/api/roles/',
  summary: 'All roles: built-in first, then custom ones by name',
  access: ['user.manage'],
  response: z.object({ data: z.array(RoleSchema) }),
})

export const createRole = endpoint({
  method: 'POST',
  path: '/api/roles/create/',
  summary: 'Create a custom role out of permissions that the caller has',
  access: ['user.manage'],
  body: z.object(fields),
  response: z.object({ data: RoleSchema }),
  errors: ['role.name_empty', 'role.name_exists', 'role.permissions_empty', 'role.not_grantable', 'quota.reached'],
})

export const changeRole = endpoint({
  method: 'POST',
  path: '/api/roles/change/',
  summary: 'Change a custom role; open sessions and live connections of its accounts follow at once',
  access: ['user.manage'],
  body: z.object({ key, rev: z.int(), ...fields }),
  response: z.object({ data: RoleSchema }),
  errors: [
    'data.missing',
    'data.conflict',
    'role.built_in',
    'role.own',
    'role.name_empty',
    'role.name_exists',
    'role.permissions_empty',
    'role.not_grantable',
  ],
})

export const deleteRole = endpoint({
  method: 'POST',
  path: '/api/roles/delete/',
  summary: 'Delete a custom role that no account has',
  access: ['user.manage'],
  body: z.object({ key }),
  response: z.object({}),
  errors: ['data.missing', 'role.built_in', 'role.own', 'role.not_grantable', 'role.in_use'],
})
