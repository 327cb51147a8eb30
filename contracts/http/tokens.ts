import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Access tokens of scripts and display tokens of walls (decisions 7 and 9). */

const ok = z.object({})

const TokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** First characters, to tell tokens apart. */
  hint: z.string(),
  scopes: z.array(z.string()),
  created_at: z.number(),
  expires_at: z.number(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})

export const accessTokens = endpoint({
  method: 'GET',
  path: '/api/accounts/access-tokens/',
  summary: 'Own access tokens',
  access: ['token.create'],
  response: z.object({ data: z.array(TokenSchema) }),
})

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/api/accounts/access-tokens/create/',
  summary: 'Create an access token; its text is in this answer only',
  access: ['token.create'],
  body: z.object({
    name: z.string().trim().min(1).max(64),
    scopes: z.array(z.string().max(64)).min(1).max(60),
    days: z.int().min(1).max(365),
  }),
  response: z.object({ data: TokenSchema, token: z.string() }),
  tokens: { access: false },
})

export const revokeAccessToken = endpoint({
  method: 'POST',
  path: '/api/accounts/access-tokens/revoke/',
  summary: 'Revoke an own access token',
  access: ['token.create'],
  body: z.object({ id: z.string() }),
  response: ok,
  errors: ['data.missing'],
})

const DisplayTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  /** Saved views that this wall rotates through, with seconds each; empty: the default view. */
  views: z.array(z.object({ view: z.string(), seconds: z.number() })),
  created_at: z.number(),
  expires_at: z.number(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})

export const displayTokens = endpoint({
  method: 'GET',
  path: '/api/walls/display-tokens/',
  summary: 'Display tokens',
  access: ['wall.manage'],
  response: z.object({ data: z.array(DisplayTokenSchema) }),
})

export const createDisplayToken = endpoint({
  method: 'POST',
  path: '/api/walls/display-tokens/create/',
  summary:
    'Make a display token for one wall: read-only, revocable, expiring, with the scope of its maker; its text is returned once',
  access: ['wall.manage'],
  body: z.object({
    name: z.string().trim().min(1).max(64),
    views: z
      .array(z.object({ view: z.string(), seconds: z.int().min(5).max(3600) }))
      .max(20)
      .default([]),
    /** Days until it expires. */
    days: z.int().min(1).max(730).default(365),
  }),
  response: z.object({ data: DisplayTokenSchema, token: z.string() }),
})

export const revokeDisplayToken = endpoint({
  method: 'POST',
  path: '/api/walls/display-tokens/revoke/',
  summary: 'Revoke a display token; its walls drop at once',
  access: ['wall.manage'],
  body: z.object({ id: z.string() }),
  response: ok,
  errors: ['data.missing'],
})

export const wallSelf = endpoint({
  method: 'GET',
  path: '/api/walls/self/',
  summary: 'The wall that this display token opens: name, saved views to rotate through',
  access: 'session',
  tokens: { access: false, display: true },
  response: z.object({
    data: z.object({
      name: z.string(),
      views: z.array(z.object({ id: z.string(), name: z.string(), search: z.string(), seconds: z.number() })),
    }),
  }),
})
