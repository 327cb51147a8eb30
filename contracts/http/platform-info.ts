import { z } from 'zod'
import { PLACEHOLDERS, type Placeholder } from '#domain/platform-text.ts'
import { LOGO_BYTES } from '../logo-limit.ts'
import { PRODUCT_KEYS } from '../product-names.ts'
import { endpoint } from './endpoint.ts'

/**
 * What a platform says about itself: product, name, logo, and one to five template files. A template file is a text (domain/platform-text.ts)
 * with one use: a place in reports, mails or pages that shows it.
 */
export const TEMPLATE_USES = {
  report_foreword: { zh: '报告说明', en: 'Report: foreword' },
  report_appendix: { zh: '报告附录', en: 'Report: appendix' },
  report_mail: { zh: '报告邮件正文', en: 'Report: text of mails' },
  login: { zh: '登录页公告', en: 'Login page: notice' },
  about: { zh: '关于我们', en: 'About us' },
} as const
export type TemplateUse = keyof typeof TEMPLATE_USES
const UseSchema = z.enum(Object.keys(TEMPLATE_USES) as [TemplateUse, ...TemplateUse[]])

const OF_REPORTS = PLACEHOLDERS
const OF_PAGES = ['platform'] as const satisfies readonly Placeholder[]
/** The placeholders that have a value in each use. */
export const USE_PLACEHOLDERS: Readonly<Record<TemplateUse, readonly Placeholder[]>> = {
  report_foreword: OF_REPORTS,
  report_appendix: OF_REPORTS,
  report_mail: OF_REPORTS,
  login: OF_PAGES,
  about: OF_PAGES,
}

export const TEMPLATE_LIMITS = { files: 5, bytes: 32 * 1024 } as const

const TemplateFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.number(),
  /** Null: uploaded, and not saved yet. */
  use: UseSchema.nullable(),
  uploaded_at: z.number(),
})
export type TemplateFile = z.infer<typeof TemplateFileSchema>

const InfoSchema = z.object({
  product: z.enum(PRODUCT_KEYS),
  /** '': the name of the product. */
  name: z.string(),
  /** Address of the own logo, or null. */
  logo: z.string().nullable(),
  files: z.array(TemplateFileSchema),
  /** The text of 'about us', or null. */
  about: z.string().nullable(),
})
export type PlatformInformation = z.infer<typeof InfoSchema>

export const platformInfo = endpoint({
  method: 'GET',
  path: '/api/platform/info/',
  summary: 'Product, name, logo and template files of the platform, and its text about itself',
  access: 'session',
  response: z.object({ data: InfoSchema }),
})

export const setTool = endpoint({
  method: 'POST',
  path: '/api/accounts/set-tool',
  summary:
    'Save the platform information: product, name, logo, and the template files by their ids; files that are not named are deleted',
  access: ['platform.settings'],
  body: z.object({
    product: z.enum(PRODUCT_KEYS),
    name: z.string().trim().max(40),
    /** PNG or SVG of 256 KB, base64; it is drawn again. null takes it away, absent leaves it. */
    logo: z
      .base64()
      .max(Math.ceil(LOGO_BYTES / 3) * 4)
      .nullable()
      .optional(),
    /** One to five, each with a use of its own. */
    files: z.array(z.object({ id: z.uuid(), use: UseSchema })).max(100),
  }),
  response: z.object({ data: InfoSchema }),
  errors: ['report.logo', 'info.no_files', 'info.too_many_files', 'info.same_use', 'info.placeholder', 'data.missing'],
})

export const sysFile = endpoint({
  method: 'POST',
  path: '/api/rcs/sysFile',
  summary: 'Upload one template file (multipart/form-data, part `file`): UTF-8 text of 32 KB; set-tool saves it',
  access: ['platform.settings'],
  takes: 'form',
  body: z.object({}),
  response: z.object({ file_object: TemplateFileSchema }),
  errors: ['info.no_files', 'info.file_kind', 'asset.too_large'],
})

export const templateFile = endpoint({
  method: 'GET',
  path: '/api/platform/template-file/',
  summary: 'A template file as it was uploaded',
  access: ['platform.settings'],
  navigation: true,
  bare: true,
  query: z.object({ id: z.uuid() }),
  response: z.unknown(),
  errors: ['data.missing'],
})

export const platformLogo = endpoint({
  method: 'GET',
  path: '/api/platform/logo/',
  summary: 'The own logo of the platform as PNG; `v` changes with it',
  access: 'public',
  navigation: true,
  bare: true,
  query: z.object({ v: z.string().max(64).default('') }),
  response: z.unknown(),
  errors: ['data.missing'],
})
