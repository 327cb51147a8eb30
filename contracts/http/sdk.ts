import { z } from 'zod'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { endpoint } from './endpoint.ts'

/** The SDKs that customers put into their apps, and the client of the interface: downloads, and what the access guide needs. */

const appid = z.string().regex(/^\d{1,9}$/)
/** SDKs that report events, the client of the interface, and the plugin for builds. */
export const EVENT_FILE_IDS = [
  'web-script',
  'web-module',
  'android-jar',
  'android-source',
  'client-module',
  'vite-plugin',
] as const
/** SDKs of the security component (sdk/session). */
export const SESSION_FILE_IDS = [
  'session-browser',
  'session-node',
  'session-java',
  'session-swift',
  'session-protocol',
] as const
const SDK_FILE_IDS = [...EVENT_FILE_IDS, ...SESSION_FILE_IDS] as const
const SDK_PLATFORMS = ['web', 'android', 'ios', 'server', 'any'] as const
const fileId = z.enum(SDK_FILE_IDS)

export const SdkFileSchema = z.object({
  id: fileId,
  platform: z.enum(SDK_PLATFORMS),
  name: z.string(),
  /** Bytes, and bytes as compressed for delivery. */
  size: z.number(),
  gzip: z.number(),
  /** Hex. */
  sha256: z.string(),
  /** For the integrity attribute of a script element. */
  integrity: z.string(),
})
export type SdkFile = z.infer<typeof SdkFileSchema>
/** What scripts/build-sdk.mjs writes beside the files. */
export const SdkManifestSchema = z.object({
  version: z.string(),
  files: z.array(SdkFileSchema),
  /** Not made when this server was built: no Java compiler there, or it refused. */
  missing: z.array(z.object({ id: fileId, platform: z.enum(SDK_PLATFORMS), reason: z.enum(['javac', 'compile']) })),
})
export type SdkManifest = z.infer<typeof SdkManifestSchema>

export const sdkFiles = endpoint({
  method: 'GET',
  path: '/api/protect/sdk/',
  summary: 'The SDKs that this server offers, with size and SHA-256; what could not be built is named with the reason',
  access: ['sdk.download', 'communication.protect'],
  response: z.object({ data: SdkManifestSchema.nullable() }),
})
export const downloadSdk = endpoint({
  method: 'GET',
  path: '/api/protect/sdk/download/',
  summary: 'One file of the SDKs',
  access: ['sdk.download', 'communication.protect'],
  navigation: true,
  bare: true,
  query: z.object({ id: fileId }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const accessGuide = endpoint({
  method: 'GET',
  path: '/api/protect/guide/',
  summary: 'For the access guide: public enrolment keys of an application (never a server key) and its newest event',
  access: ['sdk.download', 'ingest.keys'],
  query: z.object({ appid }),
  response: z.object({
    data: z.object({
      name: z.string(),
      /** Newest first; revoked ones are left out. */
      keys: z.array(z.object({ id: z.string(), name: z.string(), text: z.string() })),
      /** The newest event of the last seven days by arrival; null if absent. */
      newest: z
        .object({
          id: z.string(),
          type: z.enum(Object.keys(EVENT_TYPES) as [keyof typeof EVENT_TYPES]),
          platform: z.string(),
          sdk: z.string(),
          device: z.string(),
          received_at: z.number(),
        })
        .nullable(),
      /** The server's clock. */
      now: z.number(),
    }),
  }),
  errors: ['data.missing', 'server.store_down'],
})
