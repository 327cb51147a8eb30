import { z } from 'zod'
import { ERRORS } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'

/** OpenAPI 3.1 of every endpoint, made from the records that also mount them. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, endpoint] of ENDPOINTS) {
    paths[endpoint.path] ??= {}
    ;(paths[endpoint.path] as Record<string, object>)[endpoint.method.toLowerCase()] = operation(name, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'AppWarden', version },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}

function operation(name: string, endpoint: Endpoint): object {
  const { summary, access, query, body, response, errors = [] } = endpoint
  const schema = (one: z.ZodType, io: 'input' | 'output') => {
    const { $schema, ...rest } = z.toJSONSchema(one, { io, unrepresentable: 'any' })
    return rest
  }
  const fields = query ? (schema(query, 'input') as { properties?: Record<string, object>; required?: string[] }) : {}
  return {
    operationId: name,
    summary,
    description: Array.isArray(access) ? `Permission: ${access.join(' or ')}` : `Access: ${access}`,
    ...(access === 'public' ? {} : { security: [{ token: [] }] }),
    parameters: Object.entries(fields.properties ?? {}).map(([field, type]) => ({
      name: field,
      in: 'query',
      required: fields.required?.includes(field) ?? false,
      schema: type,
    })),
    ...(body ? { requestBody: { content: { 'application/json': { schema: schema(body, 'input') } } } } : {}),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: schema(response, 'output') } } },
      ...Object.fromEntries(
        [...new Set(errors.map((key) => ERRORS[key].status))].map((status) => [
          status,
          { description: errors.filter((key) => ERRORS[key].status === status).join(', ') },
        ]),
      ),
    },
  }
}
