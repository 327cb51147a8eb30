import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { SiteSchema } from './sites.ts'

/** Applications and their members (APP-01 to APP-07; decision 13). */

const ok = z.object({})
const appid = z.string().regex(/^\d{1,9}$/)

export const ApplicationSchema = z.object({
  /** Digits: the number of the application in events, frames and queries, and `appid` everywhere. */
  id: z.string(),
  name: z.string(),
  uuid: z.string(),
  /** 1 Android, 2 iOS; an application for both has two items in one creation (APP-01). */
  mime_type: z.number(),
  has_file: z.boolean(),
  protect_type: z.enum(['0', '1']),
  owner: z.string(),
  /** sites.id or null. */
  site: z.string().nullable(),
  /** May rename, delete, manage keys and members. */
  manageable: z.boolean(),
  created_at: z.number(),
})
export type Application = z.infer<typeof ApplicationSchema>

export const applicationList = endpoint({
  method: 'GET',
  path: '/api/application/list/',
  summary: 'Applications that the caller may see, newest first',
  access: 'session',
  tokens: { display: true },
  response: z.object({ object_list: z.array(ApplicationSchema) }),
})

export const createApplication = endpoint({
  method: 'POST',
  path: '/api/application/create/',
  summary:
    'Create a custom application (mode 1): one application for each platform; object_list starts with the new ones',
  access: ['application.create'],
  body: z.object({
    name: z.string().max(64).default(''),
    mimetype_list: z
      .array(z.union([z.literal(1), z.literal(2)]))
      .max(2)
      .default([]),
  }),
  response: z.object({ object_list: z.array(ApplicationSchema) }),
  errors: ['application.name_empty', 'application.platform_empty'],
})

export const deleteApplication = endpoint({
  method: 'POST',
  path: '/api/application/delete/',
  summary: 'Delete an application, its keys and enrolments; its events are kept until retention ends',
  access: ['application.delete'],
  body: z.object({ appid }),
  response: z.object({ object_list: z.array(ApplicationSchema) }),
  errors: ['data.missing', 'application.not_yours'],
})

export const setApplicationSite = endpoint({
  method: 'POST',
  path: '/api/application/site/',
  summary: 'Name the site where the arcs of this application end',
  access: ['application.create'],
  body: z.object({ appid, site: z.string().nullable() }),
  response: ok,
  errors: ['data.missing', 'application.not_yours'],
})

export const assumeSite = endpoint({
  method: 'POST',
  path: '/api/application/assume-site/',
  summary:
    'Give an application that has no site the city of the time zone, as an assumed site; data is null for a time zone without a city',
  access: ['application.create'],
  body: z.object({ appid, time_zone: z.string().max(64) }),
  response: z.object({ data: SiteSchema.nullable(), object_list: z.array(ApplicationSchema) }),
  errors: ['data.missing', 'application.not_yours'],
})

export const applicationMembers = endpoint({
  method: 'GET',
  path: '/api/application/members/',
  summary: 'Owner and members',
  access: ['application.members'],
  query: z.object({ appid }),
  response: z.object({ data: z.array(z.object({ username: z.string(), owner: z.boolean() })) }),
})
export const setApplicationMembers = endpoint({
  method: 'POST',
  path: '/api/application/members/set/',
  summary: 'Replace the members',
  access: ['application.members'],
  body: z.object({ appid, usernames: z.array(z.string().max(256)).max(200) }),
  response: ok,
  errors: ['data.missing', 'application.not_yours'],
})
