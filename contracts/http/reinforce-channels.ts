import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * Promotion channels of an application and the packages for them (HARD-07). A channel package is a signed APK with another tail: it is made
 * while it is downloaded, and no copy is kept.
 */

const access = ['channel.manage'] as const
const appid = z.string().regex(/^\d{1,9}$/)
const id = z.coerce.number().int().min(1).max(2_147_483_647)
const ids = z.array(z.int().min(1).max(2_147_483_647)).min(1)
const group = z.string().trim().min(1).max(64)

/** Channels of one application. */
export const MOST_CHANNELS = 2000
/** Named in one address: a browser and everything before a server take so many. */
export const MOST_CHOSEN = 200
/** An import file is smaller than this; as readChannelList of engines/channels says. */
export const CHANNEL_TEXT_BYTES = 10 * 1024
/** Of the text in a call, in UTF-16 units: what is longer has too many bytes in any case. */
const LONGEST_TEXT = 4 * CHANNEL_TEXT_BYTES

/** What is wrong in an import file or a channel, by the keys of readChannelList. */
export const CHANNEL_ERRORS = {
  type: { zh: '只能导入 .txt 文件', en: 'only a .txt file can be imported' },
  size: { zh: '文件必须小于 10 KB', en: 'the file must be smaller than 10 KB' },
  empty: { zh: '文件内容为空', en: 'the file is empty' },
  encoding: { zh: '文件不是 UTF-8 编码', en: 'the file is not UTF-8' },
  colon: { zh: '缺少冒号，应为 key:value', en: 'no colon, key:value is expected' },
  'wide-mark': { zh: '用了全角的冒号或逗号，应为半角', en: 'a full-width colon or comma, use : and ,' },
  key: {
    zh: '键只能用字母、数字、下划线与短横线，不超过 64 个',
    en: 'a key has letters, digits, underscores and hyphens, at most 64',
  },
  value: {
    zh: '名称须为 1 至 128 个字符，不含半角逗号与控制字符',
    en: 'a name has 1 to 128 characters, no comma and no control character',
  },
  duplicate: { zh: '键重复，前面已出现', en: 'the key occurs before' },
  comma: { zh: '为空，多一个逗号', en: 'empty, there is a comma too many' },
} as const
export type ChannelErrorKey = keyof typeof CHANNEL_ERRORS

/** Why no channel can be written into a package: found by its record, or by keys of FormatError of the worker that reads it. */
export const CHANNEL_REFUSALS = {
  kind: { zh: '不是 APK，渠道只能写入 APK', en: 'it is no APK, and channels are written into APKs only' },
  unsigned: { zh: '没有签名，请先签名', en: 'it is not signed, sign it first' },
  signature: { zh: '签名未通过校验', en: 'its signature does not verify' },
  v31: {
    zh: '只有 v3.1 签名，缺少 v2 或 v3，任何系统版本都不能安装',
    en: 'it is signed with v3.1 alone, without v2 or v3, and no Android installs it',
  },
  gone: { zh: '文件已被删除', en: 'its file was deleted' },
  large: { zh: '超过 512 MB', en: 'it is larger than 512 MB' },
  taken: {
    zh: 'META-INF 中已有渠道，请选择不带渠道的包',
    en: 'META-INF has a channel already, choose a package without one',
  },
  archive: { zh: '压缩包结构异常', en: 'its archive has an unusual structure' },
  judged: { zh: '写入后未通过校验', en: 'what was written did not verify' },
  limit: { zh: '处理超出时间或内存限制', en: 'it takes more time or memory than the limit' },
  crashed: { zh: '处理程序提前结束', en: 'the worker ended early' },
} as const
export type ChannelRefusal = keyof typeof CHANNEL_REFUSALS

const PlaceSchema = z.enum(['block', 'meta'])
export type ChannelPlace = z.infer<typeof PlaceSchema>

const ChannelSchema = z.object({
  id: z.number(),
  key: z.string(),
  name: z.string(),
  group: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  /** The package for it, of the file asked for, as it was last made and verified; null where it was not. */
  package: z
    .object({
      place: PlaceSchema,
      size: z.number(),
      /** The file as a whole was verified, not its tail alone. */
      whole: z.boolean(),
      made_at: z.number(),
    })
    .nullable(),
})
export type ReinforceChannel = z.infer<typeof ChannelSchema>

const BaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  file_name: z.string(),
  version: z.string(),
  size: z.number(),
  protection: z.enum(['unreinforced', 'reinforced']),
  uploaded_at: z.number(),
  /** Signature schemes that are there and not broken: v1, v2, v3, v31. */
  schemes: z.array(z.string()),
  /** block: a pair of the signing block. meta: a file in META-INF. null where no channel can be written. */
  place: PlaceSchema.nullable(),
  /** Why none can be written, in the language of the request; '' where it can. */
  reason: z.string(),
})
export type ChannelBase = z.infer<typeof BaseSchema>

/** Which channels a list shows. */
const filters = { search: z.string().trim().max(100).default(''), group: z.string().trim().max(64).default('') }
export const CHANNEL_SORTS = ['group', 'key', 'name', 'updated_at'] as const

export const reinforceChannels = endpoint({
  method: 'GET',
  path: '/api/reinforce/channels/',
  summary: 'Channels of an application, with the number of each group and, for a file, the package of each',
  access,
  query: z.object({
    appid,
    ...filters,
    file: id.optional(),
    sort: z.enum(CHANNEL_SORTS).default('group'),
    direction: z.enum(['asc', 'desc']).default('asc'),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(MOST_CHOSEN).default(20),
  }),
  response: z.object({
    data: z.array(ChannelSchema),
    total: z.number(),
    /** Of all channels, in the order of their names. */
    groups: z.array(z.object({ name: z.string(), count: z.number() })),
    all: z.number(),
  }),
  errors: ['data.missing'],
})

export const channelBases = endpoint({
  method: 'GET',
  path: '/api/reinforce/channels/packages/',
  summary:
    'Android packages of an application that channels may be written into, reinforced ones first, with the reason where not',
  access,
  query: z.object({ appid }),
  response: z.object({ data: z.array(BaseSchema) }),
  errors: ['data.missing'],
})

export const createChannel = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/create/',
  summary: 'Add a channel to an application',
  access,
  body: z.object({
    appid,
    /** What the application reads of itself: letters, digits, underscores, hyphens. */
    channel_key: z.string().trim().min(1).max(64),
    name: z.string().trim().min(1).max(128),
    group,
  }),
  response: z.object({ data: ChannelSchema }),
  errors: ['data.missing', 'channel.item', 'channel.exists', 'quota.reached'],
})

export const renameChannel = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/rename/',
  summary: 'Change the name of a channel; packages made with the old name are no longer listed as made',
  access,
  body: z.object({ id: z.int().min(1).max(2_147_483_647), name: z.string().trim().min(1).max(128) }),
  response: z.object({ data: ChannelSchema }),
  errors: ['data.missing', 'channel.item'],
})

export const moveChannels = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/move/',
  summary: 'Move channels to a group',
  access,
  body: z.object({ appid, ids: ids.max(MOST_CHANNELS), group }),
  response: z.object({ moved: z.number() }),
  errors: ['data.missing'],
})

export const deleteChannels = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/delete/',
  summary: 'Delete channels; packages that were downloaded keep theirs',
  access,
  body: z.object({ appid, ids: ids.max(MOST_CHANNELS) }),
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})

const importText = {
  appid,
  file_name: z.string().max(255),
  /** The content of a .txt file: key:value items, channels of a group on one line, separated by commas. */
  text: z.string().max(LONGEST_TEXT),
}
/** What the groups are called, by the line that they come from; other lines get the name that the preview proposes. */
const groupNames = z.array(z.object({ line: z.int().min(1).max(LONGEST_TEXT), name: group })).max(MOST_CHANNELS)

export const previewChannels = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/preview/',
  summary: 'What the import of a channel file would do: new, renamed, moved, unchanged, and every error with its line',
  access,
  audit: false,
  body: z.object({ ...importText, groups: groupNames.default([]) }),
  response: z.object({
    bytes: z.number(),
    added: z.number(),
    renamed: z.number(),
    moved: z.number(),
    unchanged: z.number(),
    /** Items without an error. */
    items: z.number(),
    errors: z.array(
      z.object({
        key: z.enum(Object.keys(CHANNEL_ERRORS) as [ChannelErrorKey, ...ChannelErrorKey[]]),
        /** 0 for the file as a whole. */
        line: z.number(),
        /** Which item of the line, from 1; 0 for the file as a whole. */
        item: z.number(),
        text: z.string(),
        message: z.string(),
      }),
    ),
    /** One for each line with channels. `known`: the application has the group. */
    groups: z.array(z.object({ line: z.number(), name: z.string(), count: z.number(), known: z.boolean() })),
    /** Renamed and moved channels, the first of them. */
    changes: z.array(z.object({ key: z.string(), before: z.string(), after: z.string() })),
  }),
  errors: ['data.missing'],
})
export type ChannelPreview = z.infer<typeof previewChannels.response>

export const importChannels = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/import/',
  summary: 'Import a channel file: all of it, or with `skip` what has no error. Channels that are not in it stay',
  access,
  body: z.object({ ...importText, groups: groupNames.default([]), skip: z.boolean().default(false) }),
  response: z.object({ added: z.number(), renamed: z.number(), moved: z.number(), unchanged: z.number() }),
  errors: ['data.missing', 'channel.file', 'quota.reached'],
})

export const exportChannels = endpoint({
  method: 'GET',
  path: '/api/reinforce/channels/export/',
  summary: 'Channels in the form of an import file; as a ZIP of several where one would reach 10 KB',
  access,
  navigation: true,
  bare: true,
  query: z.object({ appid }),
  response: z.unknown(),
  errors: ['data.missing'],
})

const PACKAGE_ERRORS = ['data.missing', 'permission.missing', 'channel.package', 'channel.busy'] as const

export const verifyChannels = endpoint({
  method: 'POST',
  path: '/api/reinforce/channels/verify/',
  summary:
    'Make the package of every channel once, without keeping it, and verify the tail of each and three as a whole. The first call begins; while `result` is null the client calls again, and without a call for 20 s the work stops',
  access,
  body: z.object({ appid, file: z.int().min(1).max(2_147_483_647) }),
  response: z.object({
    /** null while it goes on. */
    result: z
      .object({
        channels: z.number(),
        whole: z.number(),
        place: PlaceSchema,
        /** Bytes of all packages together. */
        size: z.number(),
        /** Milliseconds that writing and judging the tails took. */
        tail_ms: z.number(),
        /** Milliseconds in all. */
        all_ms: z.number(),
      })
      .nullable(),
  }),
  errors: PACKAGE_ERRORS,
})
export type ChannelsVerified = NonNullable<z.infer<typeof verifyChannels.response>['result']>

export const downloadChannel = endpoint({
  method: 'GET',
  path: '/api/reinforce/channels/download/',
  summary: 'The package of one channel, made while it is sent',
  access,
  navigation: true,
  bare: true,
  query: z.object({ file: id, id }),
  response: z.unknown(),
  errors: PACKAGE_ERRORS,
})

export const downloadChannels = endpoint({
  method: 'GET',
  path: '/api/reinforce/channels/zip/',
  summary: 'A ZIP with the packages of the named channels, or of all that the filters show, made while it is sent',
  access,
  navigation: true,
  bare: true,
  query: z.object({
    appid,
    file: id,
    ...filters,
    /** Numbers with commas; '' for all that the filters show. */
    ids: z
      .string()
      .regex(/^(\d{1,9}(,\d{1,9})*)?$/)
      .max(10 * MOST_CHOSEN)
      .default(''),
  }),
  response: z.unknown(),
  errors: PACKAGE_ERRORS,
})
